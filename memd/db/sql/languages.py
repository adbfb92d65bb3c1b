"""The languages of a user's rows, for queries that look for their words in each of them."""

from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

from memd.db.typed_rows import Query
from memd.domain.text_analysis.language import Language


class RowLanguage(NamedTuple):
    """A language of some rows."""

    language: str


class LanguageCount(NamedTuple):
    """How many rows are in a language."""

    language: str
    rows: int


_KNOWN: Final = frozenset(Language)


def languages_of(user_id: UUID) -> Query[RowLanguage]:
    """The languages of the user's memories, chunks and messages; reads one index entry for each language."""
    return Query(RowLanguage, f"{_distinct('memory_index')} UNION {_distinct('message_index')}", {"user": user_id})


def rows_by_language(user_id: UUID) -> Query[LanguageCount]:
    """The languages of the user's memories, chunks and messages, the most frequent language first."""
    counts = " UNION ALL ".join(
        f"SELECT language, count(*) AS rows FROM {table} WHERE user_id = %(user)s GROUP BY language"
        for table in ("memory_index", "message_index")
    )
    statement = (
        f"SELECT language, sum(rows)::int AS rows FROM ({counts}) c GROUP BY language ORDER BY rows DESC, language"
    )
    return Query(LanguageCount, statement, {"user": user_id})


def _distinct(table: str) -> str:
    return f"""
    (WITH RECURSIVE known AS (
      (SELECT language FROM {table} WHERE user_id = %(user)s ORDER BY language LIMIT 1)
      UNION ALL
      SELECT (SELECT t.language FROM {table} t WHERE t.user_id = %(user)s AND t.language > known.language
              ORDER BY t.language LIMIT 1)
      FROM known WHERE known.language IS NOT NULL
    )
    SELECT language FROM known WHERE language IS NOT NULL)"""


def known_languages(names: Iterable[str]) -> frozenset[Language]:
    """The languages of these names; one that only a newer memd knows is left out."""
    return frozenset(Language(name) for name in names if name in _KNOWN)
