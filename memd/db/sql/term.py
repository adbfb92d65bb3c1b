"""The words of a query in SQL: what finds a row, and how rare they are."""

from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations
from typing import Any, Final
from uuid import UUID

from memd.db.text_index import owner_lexeme
from memd.domain.distilling.features import content_words
from memd.domain.ranking.message_wording import search_phrase
from memd.domain.ranking.word_pairs import WordPair, word_pairs
from memd.domain.search.terms import MAX_WORDS, SearchTerm, SearchTerms, search_terms
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.query import query_language, read_query
from memd.domain.text_analysis.tokens import tokens

_LENGTHS: Final = (0, 4, 6, 8, 12, 16, 24, 32)
_POSITIONS: Final = 256
_RANK_SUMS: Final = list(accumulate(1 / count**2 for count in range(1, _POSITIONS + 1)))
_RANK_SCALE: Final = 1.64493406685
"""The limit of the sums; `ts_rank` of one lexeme with weight 1 is the sum for its occurrences over this."""

PREFIX_MIN: Final = 3


@dataclass(frozen=True, slots=True)
class QueryReading:
    """A query as full text sees it: its language, words, and phrase as text and as a tsquery that every row with it fulfils.

    The tsquery is `""` when the phrase has no word that each such row would show.
    """

    text: str
    language: Language
    terms: SearchTerms
    phrase: str | None
    phrase_query: str


def read(text: str, default: Language, of_rows: Collection[Language]) -> QueryReading:
    """The words of a query on rows of these languages; `default` is the language of a query in which none is detected."""
    words = read_query(text, default, of_rows)
    phrase = search_phrase(text)
    in_phrase = [word for word in words if not word.common] if phrase is not None else []
    phrase_query = " & ".join(f"({tsquery(word.forms)})" for word in in_phrase[:MAX_WORDS])
    language = query_language(text, default, of_rows)
    return QueryReading(text, language, search_terms(words), phrase, phrase_query)


def tsquery(lexemes: Iterable[str]) -> str:
    """A tsquery that any of the lexemes fulfils."""
    return " | ".join("'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'" for lexeme in lexemes)


def filter_query(user_id: UUID, text: str, default: Language) -> str | None:
    """A tsquery for the rows of a user that hold every word of a text, in a form of it or as the beginning of a word.

    None for a text without words; a beginning has PREFIX_MIN characters at least, as a shorter one finds most rows.
    """
    found = [_word_or_beginning(token, default) for token in tokens(text)[:MAX_WORDS]]
    choices = [choice for choice in found if choice]
    return f"{tsquery([owner_lexeme(user_id)])} & ({' & '.join(choices)})" if choices else None


def statement_query(user_id: UUID, statement: str, default: Language) -> str | None:
    """A tsquery for the rows of a user that hold every content word of a statement; None for one without such words."""
    return filter_query(user_id, " ".join(sorted(content_words(statement))), default)


def _word_or_beginning(token: str, default: Language) -> str | None:
    words = [f"({tsquery(word.forms)})" for word in read_query(token, default)]
    choices = [f"({' & '.join(words)})"] if words else []
    if len(token) >= PREFIX_MIN:
        choices.append(f"{tsquery([token])}:*")
    return f"({' | '.join(choices)})" if choices else None


def pair_query(first: SearchTerm, second: SearchTerm, gap: int) -> str:
    """A tsquery for any form of `second` at most `gap` positions after any form of `first`."""
    before, after = (f"({tsquery(word.forms)})" for word in (first, second))
    return " | ".join(f"{before} <{distance}> {after}" for distance in range(1, gap + 1))


NOTHING: Final = tsquery([" "])
"""A lexeme that no text has: white space."""
_EVERYWHERE: Final = 1e300
"""The document frequency of a word without weight: its rarity is 0."""


class TermSql:
    """The words of one search inside one statement; their values go into `params`.

    A statement has places for a few words more than there are, so that searches of different length share its text and
    with it a prepared plan. A place without a word is a word that no row has and that counts for nothing. There are as
    many places for `pairs`.
    """

    def __init__(self, terms: SearchTerms, user_id: UUID, params: dict[str, Any]) -> None:
        self._terms = terms
        self._words = terms.words
        self._params = params
        self._indexes = range(_padded_length(len(terms.words)))
        empty = len(self._indexes) - len(terms.words)
        texts = [*(tsquery(word.forms) for word in terms.words), *[NOTHING] * empty]
        params |= {f"term_{index}": text for index, text in enumerate(texts)}
        counted = terms.together == 1
        shares = [0.0 if counted and word.searched else word.share or 0.0 for word in terms.words]
        params["shares"] = f"{{{','.join(map(str, shares + [_EVERYWHERE] * empty))}}}"
        searched = [f"({tsquery(word.forms)})" for word in terms.words if word.searched]
        if searched:
            choices = (" & ".join(choice) for choice in combinations(searched, terms.together))
            params |= {"owner": tsquery([owner_lexeme(user_id)]), "searched": " | ".join(choices)}

    def found(self, column: str) -> str:
        """The condition that a row of the user has enough of the searched words.

        As two conditions, it is expected to find so few rows that Postgres does not look up all rows of the user as well,
        to compare the two.
        """
        return f"{column} @@ %(owner)s::tsquery AND {column} @@ %(searched)s::tsquery" if self._words else "false"

    def words(self, column: str) -> str:
        """The words that a row has, as bits."""
        return self._bits(column, "term")

    @cached_property
    def pairs(self) -> tuple[WordPair, ...]:
        """The neighbouring words of the query."""
        return word_pairs(self._terms)

    def held_pairs(self, column: str) -> str:
        """The `pairs` that a row holds, as bits; for candidate rows only, since it reads the positions of their words."""
        texts = [pair_query(self._words[pair.first], self._words[pair.second], pair.gap) for pair in self.pairs]
        texts += [NOTHING] * (len(self._indexes) - len(texts))
        self._params |= {f"pair_{index}": text for index, text in enumerate(texts)}
        return self._bits(column, "pair")

    def counted(self, words: str) -> str:
        """An aggregate over found rows: how many have each word, as an array."""
        return self._array(f"count(*) FILTER (WHERE {words} >> {index} & 1 = 1)" for index in self._indexes)

    def frequencies(self, counted: str, rows: str) -> str:
        """How many of `rows` rows have each word, as an array: as counted, or estimated where not every such row is found."""
        return f"""ARRAY(SELECT greatest(count, share * {rows}) FROM unnest({counted}, %(shares)s::float8[])
            WITH ORDINALITY word (count, share, place) ORDER BY place)"""

    def rarities(self, frequencies: str, rows: str) -> str:
        """The idf of each word among `rows` rows, as an array: ln(1 + (N − df + 0.5) / (df + 0.5))."""
        return f"""ARRAY(SELECT ln(1 + (greatest({rows} - df, 0) + 0.5) / (df + 0.5)) FROM unnest({frequencies})
            WITH ORDINALITY word (df, place) ORDER BY place)"""

    def total(self, rarities: str) -> str:
        """The summed rarities of all words."""
        return " + ".join(f"{rarities}[{index + 1}]" for index in self._indexes) or "1"

    def weight(self, words: str, rarities: str) -> str:
        """The summed rarities of the words that a row has."""
        return (
            " + ".join(f"({words} >> {index} & 1) * {rarities}[{index + 1}]" for index in self._indexes) or "0::float8"
        )

    def ranks(self, column: str, params: dict[str, Any]) -> str:
        """How often a row has each form of each word, as an array that `occurrences` reads."""
        forms = [tsquery([form]) for word in self._words for form in word.forms]
        forms += [NOTHING] * (_padded_length(len(forms)) - len(forms))
        indexes = range(len(forms))
        params |= {f"form_{index}": forms[index] for index in indexes}
        return self._array(f"ts_rank('{{1,1,1,1}}', {column}, %(form_{index})s::tsquery)" for index in indexes)

    def _bits(self, column: str, name: str) -> str:
        """Which of the tsqueries of this name a row fulfils, as bits."""
        bits = (f"(({column} @@ %({name}_{index})s::tsquery)::int::bigint << {index})" for index in self._indexes)
        return " | ".join(bits) or "0::bigint"

    @staticmethod
    def _array(items: Iterable[str]) -> str:
        return f"ARRAY[{', '.join(items)}]::float8[]"


def _padded_length(words: int) -> int:
    """The number of places in a statement for a number of words."""
    return next((length for length in _LENGTHS if length >= words), words)


def occurrences(rank: float) -> int:
    """How often a lexeme occurs in a text, from its `ts_rank` with weight 1: the sum of 1/j² over its occurrences."""
    return bisect_left(_RANK_SUMS, rank * _RANK_SCALE - 1e-6) + 1 if rank > 0 else 0
