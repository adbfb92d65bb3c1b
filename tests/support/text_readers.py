"""All readers of texts that users send or that are stored, each with the most characters it is given."""

from collections.abc import Callable
from typing import Final, NamedTuple
from uuid import UUID

from memctl.wire.invisible import without_invisible
from memd.domain.chunks import chunking
from memd.domain.chunks.kinds import chunk_kind
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.cues import Voice, read_sentence
from memd.domain.extraction.extract import extract
from memd.domain.extraction.german_statements import before_german_question, german_statement
from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.facts.facts import find_facts
from memd.domain.german.requests import MAX_READ
from memd.domain.german.text import is_german
from memd.domain.graph.reading import read_memory
from memd.domain.graph.relations import find_statements
from memd.domain.lifecycle.salience import salience
from memd.domain.messages.synthetic_context import strip_synthetic_context
from memd.domain.periods.temporal_phrases import find_phrase
from memd.domain.periods.validity import stated_period
from memd.domain.policy.content_policy import evaluate
from memd.domain.prompts.recall_text import recall_text
from memd.domain.questions.due import AskedDue, asked_due
from memd.domain.questions.earlier import asks_for_earlier
from memd.domain.questions.facts import asked_fact
from memd.domain.ranking.due import due_share
from memd.domain.ranking.evidence import name_test
from memd.domain.romance.facts import MAX_READ as ROMANCE_READ
from memd.domain.search.source_roles import classify_intent
from memd.domain.text.names import proper_names
from memd.domain.text.sentences import sentences
from memd.domain.text.token_estimate import estimate_tokens
from memd.domain.text_analysis.analysis import analyse
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.query import read_query
from memd.domain.types import Category, MessageRole, Store
from memd.policy.rules import load_rules

QUERY: Final = 2_000
CONTENT: Final = 50_000
CHUNK: Final = 100_000
WINDOW: Final = 8_000
NOW: Final = 1_700_000_000_000
GERMAN: Final = (
    "Ich habe ",
    "Wir haben uns ",
    "Mein ",
    "Am ",
    "Der ",
    "Bitte schreib ",
    "Wenn du ",
    "Alle ",
    "Die Ursache ",
)
"""Beginnings after which the patterns for German statements read on."""
ROMANCE: Final = (
    "Vivo en ",
    "Trabajo de ",
    "He cambiado de trabajo, ahora estoy en ",
    "Mi nueva jefa es ",
    "Tengo cita con ",
    "J'ai déménagé de ",
    "Je suis allergique aux ",
    "Mon rendez-vous chez ",
    "La mia amica ",
    "A minha consulta no ",
    "¿Quién era mi jefa antes de ",
    "Où habite ",
)
"""Beginnings after which the patterns for Spanish, French, Italian and Portuguese read on."""
WARM: Final = "Vivo en Madrid. J'habite à Lyon. Vivo a Torino. Moro em Lisboa."
"""Sentences for which the patterns are compiled that wait for the first text of their language."""
DUE: Final = AskedDue(NOW, NOW + 86_400_000, named=True, undated=False)
RULES: Final = load_rules(None)


def _window(text: str) -> ConversationWindow:
    """A conversation in which a decision comes before, within and after the text."""
    statements = (("Tom", "Hey Ann!"), ("Ann", text), ("Ann", f"I decided to use Postgres {text[:2000]} for my shop"))
    messages = [
        SourceMessage(UUID(int=index), MessageRole.USER, content, index, index, speaker=name)
        for index, (name, content) in enumerate(statements)
    ]
    return ConversationWindow(None, None, tuple(messages))


class Reader(NamedTuple):
    """Something that reads texts of at most this many characters."""

    read: Callable[[str], object]
    characters: int


READERS: Final[dict[str, Reader]] = {
    "policy": Reader(lambda text: evaluate(RULES, text[:500], text), CHUNK),
    "invisible characters": Reader(without_invisible, CHUNK),
    "analysis": Reader(lambda text: analyse([text], [], Language.ENGLISH), CHUNK),
    "query": Reader(lambda text: read_query(text, Language.ENGLISH, (Language.GERMAN,)), QUERY),
    "intent of a query": Reader(classify_intent, QUERY),
    "phrase of time": Reader(lambda text: find_phrase(text, NOW), QUERY),
    "names of a query": Reader(lambda text: (proper_names(text), name_test(text)("Anna Maria")), QUERY),
    "kind of a chunk": Reader(lambda text: chunk_kind(text[:500], text), CHUNK),
    "chunks": Reader(chunking.split, CHUNK),
    "recall text": Reader(recall_text, CONTENT),
    "salience": Reader(lambda text: salience(text[:500], text, Category.FACT, Store.SEMANTIC, 1), CONTENT),
    "tokens": Reader(estimate_tokens, CONTENT),
    "facts": Reader(find_facts, CONTENT),
    "period": Reader(lambda text: stated_period(text, NOW), CONTENT),
    "due": Reader(lambda text: due_share(DUE, text, is_goal=True, created_at=NOW, valid_until=None), CONTENT),
    "question of what is due": Reader(lambda text: asked_due(text, NOW), QUERY),
    "question of a fact": Reader(asked_fact, QUERY),
    "question of an earlier value": Reader(lambda text: asks_for_earlier(text, None), QUERY),
    "synthetic context": Reader(strip_synthetic_context, CHUNK),
    "graph": Reader(lambda text: read_memory(text[:500], text), CONTENT),
    "extraction": Reader(lambda text: extract(_window(text)), WINDOW),
    "statements in German": Reader(
        lambda text: [
            (before_german_question(one), german_statement(one, message=one), is_german(one))
            for begin in ("", *GERMAN)
            for one in (begin + text[:MAX_READ], text[:MAX_READ])
        ],
        WINDOW,
    ),
    "facts in Romance languages": Reader(
        lambda text: [
            (find_facts(one), asked_fact(one))
            for begin in ROMANCE
            for one in (begin + text[: ROMANCE_READ - len(begin)],)
        ],
        WINDOW,
    ),
    "secrets": Reader(contains_secret, CONTENT),
    "sentences": Reader(
        lambda text: [(read_sentence(each, Voice.USER), find_statements(each)) for each in sentences(text)],
        CONTENT,
    ),
}
