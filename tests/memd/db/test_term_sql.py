"""The properties of Postgres's text search that the ranking relies on: stems, counts and quoting."""

import pytest

from memd.context import Services
from memd.db.sql.term import TermSql, occurrences, read, tsquery
from memd.db.tsvector import TsVector, tsvector
from memd.domain.ids import new_id
from memd.domain.search.terms import SearchTerms, search_terms
from memd.domain.text_analysis.analysis import analyse
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.query import QueryWord
from tests.support.dict_rows import dict_rows


def row_of(text: str) -> TsVector:
    return tsvector(analyse([text], [], Language.ENGLISH).lexemes)


@pytest.mark.parametrize("count", [1, 2, 3, 10, 60, 255])
async def test_the_rank_of_a_lexeme_tells_how_often_it_stands_there(services: Services, count: int) -> None:
    async with services.database.system() as session:
        rank = await session.value(
            "SELECT ts_rank('{1,1,1,1}', to_tsvector('simple', repeat('boat red ', %(count)s)), '''boat'''::tsquery)",
            {"count": count},
        )
    assert occurrences(rank) == count


def test_a_lexeme_that_is_not_there_occurs_nowhere() -> None:
    assert occurrences(0.0) == 0


@pytest.mark.parametrize(
    ("text", "phrase", "phrase_query"),
    [
        ("The red boats", "The red boats", "('red') & ('boat')"),
        ("boats", None, ""),
        ("to be or not", "to be or not", ""),
    ],
)
def test_a_query_is_read_as_words_and_phrase(text: str, phrase: str | None, phrase_query: str) -> None:
    query = read(text, Language.ENGLISH, frozenset())
    assert (query.text, query.phrase, query.phrase_query) == (text, phrase, phrase_query)


def test_a_phrase_is_not_looked_up_by_words_that_rows_of_another_language_leave_out() -> None:
    query = read("Die Hard", Language.ENGLISH, {Language.ENGLISH, Language.DUTCH})
    assert query.phrase_query == "('hard')"


@pytest.mark.parametrize("lexeme", ["it's", "a\\b", "'", "\\", "''", "a & b", "%s", "x:*"])
async def test_any_lexeme_survives_quoting(services: Services, lexeme: str) -> None:
    async with services.database.system() as session:
        found = await session.value(
            "SELECT array_to_tsvector(ARRAY[%(lexeme)s]) @@ %(query)s::tsquery",
            {"lexeme": lexeme, "query": tsquery([lexeme, "other"])},
        )
    assert found is True


def test_no_word_finds_nothing() -> None:
    assert search_terms([]).words == ()


@pytest.mark.parametrize(("together", "found"), [(1, {"ab", "bc", "abc", "c"}), (2, {"ab", "bc", "abc"}), (3, {"abc"})])
async def test_a_row_is_found_by_as_many_words_as_it_takes(services: Services, together: int, found: set[str]) -> None:
    user, other = new_id(), new_id()
    params: dict[str, object] = {"user": f"u:{user}", "other": f"u:{other}"}
    terms = SearchTerms(search_terms(QueryWord((name,)) for name in ("ay", "bee", "see")).words, together)
    condition = TermSql(terms, user, params).found("tsv")
    async with services.database.system() as session:
        rows = await dict_rows(
            session,
            f"""
            SELECT name FROM (VALUES ('ab', ARRAY[%(user)s, 'ay', 'bee']), ('bc', ARRAY[%(user)s, 'bee', 'see']),
              ('abc', ARRAY[%(user)s, 'ay', 'bee', 'see']), ('c', ARRAY[%(user)s, 'see']), ('none', ARRAY[%(user)s]),
              ('foreign', ARRAY[%(other)s, 'ay', 'bee', 'see'])) row (name, words),
              LATERAL (SELECT array_to_tsvector(words)) vector (tsv)
            WHERE {condition}
            """,
            params,
        )
    assert {row["name"] for row in rows} == found


@pytest.mark.rule("11.2 pairs")
@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Which pressure has the blue valve of unit 12?", {"pressur blue", "blue valv", "valv unit", "unit 12"}),
        ("The valve in unit 12 is green.", {"valv unit", "unit 12"}),
        ("Unit 7 had 12 blue valves.", {"blue valv"}),
        ("12 units", set()),
        ("The blue and the red valves", set()),  # three positions apart, in the query one
        ("The pressure of a blue one", {"pressur blue"}),
        ("", set()),
    ],
)
async def test_a_row_holds_the_pairs_that_follow_each_other_within_the_gap_of_the_query(
    services: Services, text: str, held: set[str]
) -> None:
    params: dict[str, object] = {"row": row_of(text)}
    terms = read("pressure for the blue valve of unit 12", Language.ENGLISH, ()).terms
    sql = TermSql(terms, new_id(), params)
    async with services.database.read(new_id()) as session:
        bits = await session.value(f"SELECT {sql.held_pairs('tsv')} FROM (SELECT %(row)s AS tsv) row", params)
    names = [" ".join(terms.words[word].forms[0] for word in (pair.first, pair.second)) for pair in sql.pairs]
    assert {name for index, name in enumerate(names) if bits >> index & 1} == held


async def test_any_form_of_a_word_makes_the_pair(services: Services) -> None:
    params: dict[str, object] = {"row": row_of("He went home")}
    sql = TermSql(read("go home", Language.ENGLISH, ()).terms, new_id(), params)
    async with services.database.read(new_id()) as session:
        bits = await session.value(f"SELECT {sql.held_pairs('tsv')} FROM (SELECT %(row)s AS tsv) row", params)
    assert bits == 1
