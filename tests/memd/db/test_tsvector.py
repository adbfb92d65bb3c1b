"""A tsvector that is sent in binary, as Postgres reads it."""

import pytest

from memd.context import Services
from memd.db.tsvector import LAST_POSITION, MAX_POSITIONS, tsvector
from memd.domain.ids import new_id
from memd.domain.text_analysis.analysis import Lexemes
from tests.support.dict_rows import dict_rows


async def received(services: Services, lexemes: Lexemes, *tags: str) -> dict[str, list[int] | None]:
    async with services.database.read(new_id()) as session:
        rows = await dict_rows(
            session, "SELECT lexeme, positions FROM unnest(%(tsv)s)", {"tsv": tsvector(lexemes, *tags)}
        )
    return {row["lexeme"]: row["positions"] for row in rows}


@pytest.mark.parametrize(
    "lexemes",
    [{}, {"b": [1, 3], "a": [2]}, {"größe": [1], "使用": [2], "it's \\": [3]}, {"x": list(range(1, 200))}],
)
async def test_lexemes_arrive_with_their_positions(services: Services, lexemes: Lexemes) -> None:
    assert await received(services, lexemes) == lexemes


async def test_a_tag_has_no_position(services: Services) -> None:
    assert await received(services, {"a": [1]}, "u:somebody") == {"a": [1], "u:somebody": None}


async def test_positions_that_postgres_cannot_hold_are_left_out(services: Services) -> None:
    found = await received(services, {"often": list(range(1, 999)), "late": [LAST_POSITION + 9], "both": [5, 20_000]})
    assert found == {"often": list(range(1, MAX_POSITIONS + 1)), "late": [LAST_POSITION], "both": [5]}


async def test_words_beyond_the_largest_tsvector_are_left_out(services: Services) -> None:
    lexemes = {f"{number:064}": [1] for number in range(20_000)}
    found = await received(services, lexemes)
    assert 10_000 < len(found) < 20_000
    assert list(found) == list(lexemes)[: len(found)]


async def test_the_most_lexemes_that_are_not_measured_fit(services: Services) -> None:
    lexemes = {f"{number:04}" + "\U0001f600" * 60: list(range(1, 300)) for number in range(1_000)}
    assert len(await received(services, lexemes)) == 1_000
