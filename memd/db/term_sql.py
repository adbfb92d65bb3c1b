"""Rendering the words of a search as SQL: what finds a row, which words it has, and how rare they are."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Final
from uuid import UUID

from memd.db.session import Statement
from memd.domain.search_terms import SearchTerm

SAMPLE_ROWS: Final = 500
_POSITIONS: Final = 256
_RANK_SUMS: Final = list(accumulate(1 / count**2 for count in range(1, _POSITIONS + 1)))
_RANK_SCALE: Final = 1.64493406685
"""The limit of the sums; `ts_rank` of one lexeme with weight 1 is the sum for its occurrences over this."""

READ_QUERY = """
SELECT tsvector_to_array(to_tsvector(%(config)s::regconfig, %(query)s)) AS lexemes,
       phraseto_tsquery(%(config)s::regconfig, %(phrase)s)::text AS phrase_query
"""


def tsquery(lexemes: Iterable[str]) -> str:
    """A tsquery that any of the lexemes fulfils."""
    return " | ".join("'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'" for lexeme in lexemes)


def read_query(config: str, query: str, phrase: str | None = None) -> Statement:
    """One row: the lexemes of the query, and its phrase as a tsquery (empty when it has no lexeme)."""
    return READ_QUERY, {"config": config, "query": query, "phrase": phrase or ""}


def shares(table: str, condition: str, key: str, params: dict[str, Any], lexemes: Sequence[str]) -> Statement:
    """Rows (lexeme, share): the part of the newest rows of a scope that have each lexeme.

    `condition` is on the alias `i`; `key` is the column with the row's id, which grows with time.
    """
    statement = f"""
    WITH sample AS MATERIALIZED (
      SELECT i.tsv FROM {table} i WHERE i.user_id = %(user)s AND {condition} ORDER BY i.{key} DESC LIMIT {SAMPLE_ROWS}
    )
    SELECT l.lexeme, avg((s.tsv @@ l.query::tsquery)::int)::float8 AS share
    FROM unnest(%(lexemes)s::text[], %(queries)s::text[]) l (lexeme, query) CROSS JOIN sample s GROUP BY l.lexeme
    """
    queries = [tsquery([lexeme]) for lexeme in lexemes]
    return statement, {**params, "lexemes": list(lexemes), "queries": queries}


class TermSql:
    """The words of one search inside one statement; their values go into `params`."""

    def __init__(self, terms: Sequence[SearchTerm], user_id: UUID, params: dict[str, Any]) -> None:
        self._terms = terms
        params |= {f"term_{place}": tsquery(term.forms) for place, term in enumerate(terms)}
        self._forms = [form for term in terms for form in term.forms]
        params |= {f"form_{place}": tsquery([form]) for place, form in enumerate(self._forms)}
        searched = [form for term in terms if term.searched for form in term.forms]
        if searched:
            params["any_term"] = f"{tsquery([f'u:{user_id}'])} & ({tsquery(searched)})"

    def found(self, column: str) -> str:
        """The condition that a row has any of the searched words."""
        return f"{column} @@ %(any_term)s::tsquery" if self._terms else "false"

    def words(self, column: str) -> str:
        """The words that a row has, as bits."""
        terms = range(len(self._terms))
        bits = (f"(({column} @@ %(term_{place})s::tsquery)::int::bigint << {place})" for place in terms)
        return " | ".join(bits) or "0::bigint"

    def frequencies(self, words: str) -> str:
        """An aggregate: the number of rows that have each word, as an array."""
        counts = (f"count(*) FILTER (WHERE {words} >> {place} & 1 = 1)" for place in range(len(self._terms)))
        return f"ARRAY[{', '.join(counts)}]::float8[]"

    def rarities(self, frequencies: str, rows: str) -> str:
        """The idf of each word among `rows` rows, as an array: ln(1 + (N − df + 0.5) / (df + 0.5))."""
        known = (self._known(place, term, frequencies, rows) for place, term in enumerate(self._terms))
        return f"ARRAY[{', '.join(f'ln(1 + (greatest({rows} - {df}, 0) + 0.5) / ({df} + 0.5))' for df in known)}]::float8[]"

    def weight(self, words: str, rarities: str) -> str:
        """The summed rarities of the words that a row has."""
        terms = range(len(self._terms))
        return " + ".join(f"({words} >> {place} & 1) * {rarities}[{place + 1}]" for place in terms) or "0"

    def ranks(self, column: str) -> str:
        """How often a row has each form of each word, as an array that `occurrences` reads."""
        places = range(len(self._forms))
        ranks = (f"ts_rank('{{1,1,1,1}}', {column}, %(form_{place})s::tsquery)" for place in places)
        return f"ARRAY[{', '.join(ranks)}]::float8[]"

    @staticmethod
    def _known(place: int, term: SearchTerm, frequencies: str, rows: str) -> str:
        """The number of rows with a word: counted when it was searched, else estimated."""
        counted = f"{frequencies}[{place + 1}]"
        return counted if term.searched else f"greatest({counted}, {term.share or 0.0} * {rows})"


def occurrences(rank: float) -> int:
    """How often a lexeme stands in a text, from its `ts_rank` with weight 1: the sum of 1/j² over its occurrences."""
    if rank <= 0:
        return 0
    return bisect_left(_RANK_SUMS, rank * _RANK_SCALE - 1e-6) + 1
