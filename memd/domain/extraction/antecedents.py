"""Resolves the pronoun at the beginning of a statement (contract 11.6).

"He works at Acme" after "My brother Tom moved to Oslo" is about the user's brother Tom. This applies only to what a user
says to a program, and only if nobody else is mentioned whom the pronoun may refer to.
"""

import re
from collections.abc import Sequence
from typing import Final

from memd.domain.distilling.pronouns import may_refer_to, mention, names_another, people
from memd.domain.distilling.wording import bare
from memd.domain.extraction.conversation_windows import ConversationWindow
from memd.domain.extraction.earlier_messages import (
    EARLIER,
    earlier_texts,
    earlier_utterances,
    resolved_sentences,
    speakers,
)
from memd.domain.text.sentences import sentences
from memd.domain.types import MessageRole

_LOOK_BACK: Final = 4
"""How many of the user's sentences before the pronoun are searched for its antecedent."""
_LED: Final = re.compile(
    r"(?P<pronoun>he|she|they)(?P<short>'s|'re|'ll|'ve)? (?=[a-z]|\d+(?: (?:years?|months?|weeks?)\b|\W*\Z))|(?P<own>his|her|their) (?!(?:and|or)\b)(?=[a-z])",
    re.IGNORECASE,
)
_OWNER: Final = {"his": "he", "her": "she", "their": "they"}
_HAS: Final = re.compile(
    r"(?:just |already |recently |never |always )?(?:(?:been|had|got|become|begun|bought|changed|decided|finished|gone|joined"
    r"|left|lived|lost|made|moved|seen|sold|started|stopped|studied|taken|turned|wanted|worked|written)(?= |\Z)"
    r"|[a-z]+ed (?:an?|the|his|her|their|my|our|\d+|two|three|some|many|several)\b)"
)
"""Words after `he's` that show it to mean `he has`."""
_NAMED: Final = re.compile(
    r" (?:is|is called|is named|name is) ((?:(?:Mr|Mrs|Ms|Dr)\.? )?(?:[^\W\d_a-zß-ÿ][\w-]+ ?){1,2})\Z"
)
"""The name of somebody whom a sentence names: `My wife is called Tess`, `My boss is Kim`."""
_OTHER: Final = {
    "he": re.compile(r"\b(?:she|hers?)\b", re.IGNORECASE),
    "she": re.compile(r"\b(?:he|him|his)\b", re.IGNORECASE),
}
"""Pronouns that rule out the same person."""
_SEVERAL: Final = re.compile(
    r"\b(?!(?:always|sometimes|besides|perhaps|thanks|yes|was|has|does|its|hers|ours|days|weeks|months|years)\b)[a-z]+[a-rtv-z]s\b"
    r"|\band (?:an?|the|my|our) "
)
"""Plurals that `they` may refer to instead: `new shoes`, `a house and a boat`."""
_FULL: Final = {"'s": " is", "'re": " are", "'ll": " will", "'ve": " have"}


def with_antecedents(window: ConversationWindow, position: int) -> dict[str, str]:
    """The sentences of a message that begin with a pronoun, each with the pronoun resolved, where its antecedent is clear."""
    return resolved_sentences(window, position, _named)


def may_refer_back(window: ConversationWindow) -> bool:
    """Whether a pronoun in one of the first messages may refer to somebody mentioned shortly before the window."""
    return any(
        message.role is MessageRole.USER and any(_LED.match(bare(one)) for one in sentences(message.content))
        for message in window.messages[:EARLIER]
    )


def _named(window: ConversationWindow, position: int, preceding: Sequence[str], sentence: str) -> str | None:
    """The sentence with its pronoun resolved; None if the antecedent is unclear or the sentence begins with no pronoun."""
    match = _LED.match(sentence)
    if match is None:
        return None
    person = _antecedent(
        window, position, preceding, _OWNER[match["own"].lower()] if match["own"] else match["pronoun"].lower()
    )
    if person is None:
        return None
    rest = sentence[match.end() :]
    if match["own"]:
        person += "'" if person.endswith("s") and match["own"].lower() == "their" else "'s"
    elif match["short"]:
        person += " has" if match["short"] == "'s" and _HAS.match(rest) else _FULL[match["short"].lower()]
    return f"{person[0].upper()}{person[1:]} {rest}"


def _antecedent(window: ConversationWindow, position: int, preceding: Sequence[str], pronoun: str) -> str | None:
    """The only person whom the pronoun may refer to, such as `my brother Tom`; None without one, or with several."""
    for count, (_, sentence) in enumerate(earlier_utterances(window, position, preceding)):
        words = bare(sentence)
        person = mention(pronoun, words)
        if person is not None:
            known = speakers(window) | frozenset(_NAMED.findall(words))
            return person if _is_clear(pronoun, person, earlier_texts(window, position, preceding), known) else None
        if people(pronoun, words) or count + 1 == _LOOK_BACK:
            return None
    return None


def _is_clear(pronoun: str, person: str, texts: Sequence[str], known: frozenset[str]) -> bool:
    """Whether nobody else is mentioned whom the pronoun may refer to, and no other pronoun rules this person out."""
    if any(names_another(pronoun, person, one, known) for one in texts):
        return False
    if pronoun == "they":
        others = (re.sub(rf"\b{re.escape(person)}\b", "", one, flags=re.IGNORECASE) for one in texts)
        return not any(map(_SEVERAL.search, others))
    either = may_refer_to("he", person) and may_refer_to("she", person)
    return not (either and any(_OTHER[pronoun].search(one) for one in texts))
