"""What a sentence in another language than English states, with the attributes and days as English has them."""

from memd.domain.german.cues import may_state_in_german
from memd.domain.german.facts import german_fact
from memd.domain.german.order import clauses_of_subject, in_plain_order, own_german_clauses
from memd.domain.german.owned_facts import german_owned_fact
from memd.domain.romance.facts import romance_facts
from memd.domain.text.stated import StatedValue


def stated_values(sentence: str) -> list[StatedValue]:
    """The values that a German or Romance sentence states, in order; none for a question."""
    if sentence.endswith("?"):
        return []
    plain = " ".join(sentence.split())
    return _german(plain) or romance_facts(plain)


def _german(sentence: str) -> list[StatedValue]:
    if not may_state_in_german(sentence):
        return []
    read = (
        german_fact(one) or german_owned_fact(in_plain_order(one))
        for one in (*clauses_of_subject(sentence), *own_german_clauses(sentence))
    )
    return [found for found in read if found]
