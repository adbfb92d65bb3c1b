"""The full-text query for memories that may say when something is due; what they say is read from their texts."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from memd.db.sql.term import tsquery
from memd.domain.ranking.due import DAY_PHRASES, DAY_WORDS
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.query import QueryWord, read_query


@cache
def day_words() -> str:
    """A tsquery for English and German texts that name a day, next week, or the end of a week, month or year."""
    languages = (Language.ENGLISH, Language.GERMAN)
    words = (word for language in languages for word in read_query(DAY_WORDS, language))
    phrases = (read_query(phrase, language) for phrase in DAY_PHRASES for language in languages)
    day = tsquery(sorted({form for word in words for form in word.forms}))
    return " | ".join([day, *sorted({f"({_phrase(phrase)})" for phrase in phrases})])


def _phrase(words: Sequence[QueryWord]) -> str:
    """A tsquery for the words in this order, each as far from the one before as in the phrase."""
    parts = [f"({tsquery(words[0].forms)})"]
    for before, word in pairwise(words):
        parts.append(f"<{word.positions[0] - before.positions[0]}> ({tsquery(word.forms)})")
    return " ".join(parts)
