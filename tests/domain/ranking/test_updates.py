"""Which memories bring others up to date (contract 11.2, conflictBoost)."""

from dataclasses import dataclass
from uuid import UUID

import pytest

from memd.domain.dates.time_window import DAY_MS
from memd.domain.facts.succession import DatedStatement
from memd.domain.ranking.evidence import Evidence
from memd.domain.ranking.rank_score import Candidate, RankedRow, RankQuery, rank
from memd.domain.ranking.updates import Update, find_updates
from tests.support.stored_rows import Row

NOW = 1_790_000_000_000
STRIPE, ADYEN = "We use Stripe as the payment provider.", "We use Adyen as the payment provider."
PROVIDER = "what is our payment provider?"


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory with its evidence for the question; `recorded` is in days before now."""

    content: str
    recorded: int
    evidence: float = 0.8
    words: float = 1.0
    facts: float = 0.0
    title: str = "Note"
    channel: str | None = None
    project_id: str | None = None
    valid_from: int | None = None
    is_chunk: bool = False


def ranked(*memories: Memory) -> tuple[list[RankedRow], dict[UUID, DatedStatement]]:
    """The memories as rows, and when each that is no chunk was recorded; the first has the id 0."""
    candidates: list[Candidate] = []
    statements: dict[UUID, DatedStatement] = {}
    for number, each in enumerate(memories):
        created = NOW - each.recorded * DAY_MS
        place = {"channel": each.channel, "project_id": each.project_id}
        row = Row(UUID(int=number), each.title, each.content, created_at=created, last_accessed_at=created, **place)
        if not each.is_chunk:
            statements[row.id] = DatedStatement(created, each.valid_from, place=number)
        candidates.append(Candidate(row, evidence=Evidence(each.evidence, each.words, facts=each.facts)))
    return rank(candidates, RankQuery(NOW)), statements


def found(query: str, *memories: Memory, valid_at: int = NOW) -> list[tuple[int, int]]:
    """The updates, as (newer, older) by the numbers of the memories."""
    return [
        (update.newer.int, update.older.int)
        for update in find_updates(*ranked(*memories), query, valid_at)
        if isinstance(update, Update)
    ]


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (STRIPE, ADYEN, PROVIDER),
        (
            "Application logs are kept for 30 days.",
            "Application logs are kept for 90 days since the audit.",
            "log retention",
        ),
        (
            "Jasper Okonkwo leads the payments team.",
            "Mireille Fontaine leads the payments team.",
            "who leads payments?",
        ),
        ("I drink my coffee with oat milk.", "I drink my coffee black.", "how do I drink my coffee?"),
        (
            "Errors are tracked in Rollbar.",
            "We track errors in Sentry since the trial ended.",
            "where are errors tracked?",
        ),
        ("Die Müllabfuhr kommt am Dienstag.", "Die Müllabfuhr kommt am Donnerstag.", "wann kommt die Müllabfuhr?"),
    ],
)
def test_the_same_with_another_value_is_an_update(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60, 0.82), Memory(newer, 3, 0.78)) == [(1, 0)]
    assert found(query, Memory(newer, 3, 0.82), Memory(older, 60, 0.82)) == [(0, 1)]


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Decision: we use git-flow with long branches.", "Decision: trunk-based development replaces git-flow."),
        ("Lotse runs on a MariaDB cluster.", "Lotse was migrated from MariaDB to Postgres."),
        ("Secrets of the pipeline are in Vault.", "The pipeline keeps secrets in SOPS files; Vault was shut down."),
        ("Tickets are estimated in story points.", "Tickets are estimated in hours, no longer in story points."),
    ],
)
def test_what_says_that_it_replaces_something_needs_less_evidence(older: str, newer: str) -> None:
    memories = (Memory(older, 60, 0.9), Memory(newer, 3, 0.62, 0.4))
    assert found("which one is it?", *memories) == [(1, 0)]
    less = (memories[0], Memory(newer, 3, 0.4, 0.4))
    assert found("which one is it?", *less) == []
    assert found("which one is it now?", *less) == [(1, 0)]


CELLO, ORCHESTRA = "Lena plays the cello.", "Lena plays the cello in the youth orchestra."


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (CELLO, ORCHESTRA, "which instrument does Lena play?"),
        (
            "Mia is allergic to hazelnuts.",
            "Mia is allergic to hazelnuts and, since the test in July, to kiwi.",
            "what is Mia allergic to?",
        ),
        ("Tom plays chess at the club.", "Tom plays not only chess but also go at the club.", "what does Tom play?"),
        ("Hugo has a cat.", "Hugo has a cat called Misty.", "what pet does Hugo have?"),
        ("Carlos canta en el coro.", "Carlos canta en el coro de la catedral.", "¿dónde canta Carlos?"),
        ("Der Chor probt montags.", "Der Chor probt montags um sieben im Pfarrsaal.", "wann probt der Chor?"),
    ],
)
def test_what_says_the_same_and_more_is_an_update(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60, 0.9), Memory(newer, 3, 0.75)) == [(1, 0)]


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (Memory(ORCHESTRA, 60), Memory(CELLO, 3)),
        (Memory(CELLO, 60), Memory("Lena's cello plays no part in the youth orchestra.", 3)),
        (Memory("Tom asked Lena.", 60), Memory("Lena asked Tom in the morning.", 3)),
        (Memory("Cello.", 60), Memory(ORCHESTRA, 3)),
        (Memory("The key is under the mat.", 60), Memory("The key to the garage is under the red mat.", 3)),
        (Memory("Paul likes tea.", 60), Memory("Paul likes tea parties less than Emma does.", 3)),
        (Memory(CELLO, 60, 0.9), Memory(ORCHESTRA, 3, 0.65)),
        (Memory(CELLO, 60, words=1.0), Memory(ORCHESTRA, 3, words=0.9)),
        (Memory(CELLO, 3), Memory(ORCHESTRA, 3)),
        (Memory(CELLO, 60, channel="a"), Memory(ORCHESTRA, 3, channel="b")),
    ],
)
def test_what_says_less_or_in_another_order_or_answers_worse_does_not_extend(older: Memory, newer: Memory) -> None:
    assert found("which instrument does Lena play?", older, newer) == []


PLAN, OFF = "We plan a trip to Rome in May.", "The trip to Rome is called off."


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (PLAN, OFF, "when is the trip to Rome?"),
        ("Ben goes to the gym on Mondays.", "Ben quit the gym.", "on which days is Ben at the gym?"),
        ("Mia isst gerne Fleisch.", "Mia isst kein Fleisch mehr.", "isst Mia Fleisch?"),
        ("Bruno va al gimnasio los lunes.", "Bruno ya no va al gimnasio.", "¿cuándo va Bruno al gimnasio?"),
        ("Papa raucht Pfeife.", "Papa hat aufgehört zu rauchen.", "raucht Papa?"),
        ("Bruno fuma un paquete al día.", "Bruno dejó de fumar.", "¿Bruno fuma?"),
        ("Léa va à la piscine le mardi.", "Léa a arrêté la piscine.", "quel jour Léa va-t-elle à la piscine ?"),
        ("Léa a un cours de danse.", "Le cours de danse est annulé.", "quand est le cours de danse ?"),
    ],
)
def test_what_is_over_is_below_what_says_so(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60, 0.9), Memory(newer, 3, 0.65)) == [(1, 0)]
    assert found(query, Memory(older, 60, 1.5, facts=0.4), Memory(newer, 3, 0.65)) == [(1, 0)]
    assert found(query, Memory(older, 60, 1.5), Memory(newer, 3, 0.65)) == []


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        ("Papa raucht Pfeife.", "Papa hat aufgehört zu rauchen.", "raucht Papa?"),
        ("Termin beim Zahnarzt am Freitag.", "Der Zahnarzttermin ist abgesagt.", "wann ist der Termin beim Zahnarzt?"),
        ("Zahnarzttermin am Freitag.", "Der Termin beim Zahnarzt ist abgesagt.", "wann ist der Zahnarzttermin?"),
        ("The wedding is on 3 May.", "The wedding is called off.", "when is the wedding?"),
        ("Opa fährt jeden Sonntag Rad.", "Opa hat aufgehört, Rad zu fahren.", "fährt Opa Rad?"),
    ],
)
def test_what_says_that_something_is_over_may_have_few_words_of_the_question(
    older: str, newer: str, query: str
) -> None:
    """Evidence below .35 is weak."""
    weak = Memory(newer, 3, 0.3, 0.0, title="Over")
    assert found(query, Memory(older, 60, 0.85), weak) == [(1, 0)]
    assert found(query, Memory(older, 60, 0.95), weak) == []
    assert found(query, Memory(older, 60, 0.3, 0.0), weak) == []


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (STRIPE, ADYEN, PROVIDER),
        ("Tom spielt Gitarre.", "Tom hat aufgehört, Fußball zu spielen.", "welches Instrument spielt Tom?"),
        ("Murat fährt einen Golf.", "Murat hat gekündigt.", "welches Auto fährt Murat?"),
        ("Zahnarzttermin am 14. März.", "Der Friseurtermin am 20. März ist abgesagt.", "wann ist der Zahnarzttermin?"),
    ],
)
def test_what_is_weak_and_says_nothing_of_it_is_no_update(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60, 0.4), Memory(newer, 3, 0.3)) == []


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        ("We plan a trip to Vienna in May.", OFF, "when is the trip to Vienna?"),
        (PLAN, OFF, "what do we do in May?"),
        ("Anna bought a tent for the trip to Rome.", OFF, "what did Anna buy for the trip to Rome?"),
        (OFF, PLAN, "when is the trip to Rome?"),
    ],
)
def test_what_is_about_another_thing_happened_or_came_later_is_not_over(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60), Memory(newer, 3)) == []


@pytest.mark.rule("11.2 conflictBoost")
def test_a_question_if_something_is_still_so_may_name_it() -> None:
    older = Memory("Oskar leitet das Mobilteam.", 60, 0.9, words=1.0)
    newer = Memory("Nadja leitet das Mobilteam.", 3, 0.65, words=0.6)
    assert found("leitet Oskar noch das Mobilteam?", older, newer) == [(1, 0)]
    assert found("leitet Oskar das Mobilteam?", older, newer) == []
    much_less = Memory("Nadja leitet das Mobilteam.", 3, 0.55, words=0.6)
    assert found("leitet Oskar noch das Mobilteam?", older, much_less) == []


@pytest.mark.rule("11.2 conflictBoost")
def test_a_question_that_names_the_older_value_has_no_update() -> None:
    assert found("why do we use Stripe?", Memory(STRIPE, 60), Memory(ADYEN, 3)) == []


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (Memory("The team uses Postgres as its database.", 60, 0.8), Memory("The team uses Slack.", 3, 0.7, 0.6)),
        (Memory(STRIPE, 60, 0.9), Memory(ADYEN, 3, 0.7)),
        (Memory(STRIPE, 60, 0.8, 0.3), Memory(ADYEN, 3, 0.74, 0.3)),
        (Memory(STRIPE, 60, channel="desk"), Memory(ADYEN, 3, channel="shop")),
        (Memory(STRIPE, 60, project_id="a"), Memory(ADYEN, 3)),
        (Memory(STRIPE, 60), Memory(ADYEN, 3, 0.3, is_chunk=True)),
        (Memory(STRIPE, 60), Memory(ADYEN, 3, 0.3, valid_from=NOW + DAY_MS)),
        (Memory(STRIPE, 3), Memory(ADYEN, 3)),
        (Memory(STRIPE, 60), Memory("The payment provider was asked for an offer.", 3)),
        (Memory("Paul eats no peanuts.", 60), Memory("Lea has two cats.", 3)),
        (Memory("Jana gives the yoga class.", 60), Memory("Jana goes to the Goethe school.", 3)),
    ],
)
def test_what_answers_worse_or_tells_of_something_else_is_no_update(older: Memory, newer: Memory) -> None:
    assert found(PROVIDER, older, newer) == []


@pytest.mark.rule("11.2 conflictBoost")
def test_what_is_not_true_yet_is_no_update() -> None:
    memories = (Memory(STRIPE, 60), Memory(ADYEN, 3, valid_from=NOW + DAY_MS))
    assert found(PROVIDER, *memories) == []
    assert found(PROVIDER, *memories, valid_at=NOW + DAY_MS) == [(1, 0)]
    assert found(PROVIDER, Memory(STRIPE, 60), Memory(ADYEN, 3), valid_at=NOW - 5 * DAY_MS) == []


@pytest.mark.rule("11.2 conflictBoost")
def test_a_back_filled_statement_counts_from_the_day_on_which_it_was_said() -> None:
    """NOW is 21 September 2026."""
    older = Memory("The refund window is 14 days (3 June 2026).", 0)
    newer = Memory("The refund window is now 21 days (6 August 2026).", 1)
    assert found("how long is the refund window?", older, newer) == [(1, 0)]
    odd = Memory("The refund window is 14 days (31 June 2026).", 0)
    assert found("how long is the refund window?", odd, newer) == [(0, 1)]
