"""Messages that hold the query as a phrase (contract 11.4): looked for as it is written, and without rewriting texts."""

import pytest

from memd.context import Services
from memd.db.sql.term import read
from memd.domain.dates.time_window import Window
from memd.domain.ids import new_id
from memd.domain.text_analysis.language import Language
from memd.domain.visibility.scoping import MessageScope
from memd.messages.search_store import PHRASE_PIECE, MessageSearch, pool
from tests.support.service import TestUser
from tests.support.talk import search, talk
from tests.support.wire import Json


async def first(user: TestUser, query: str) -> str:
    """The best hit: all messages hold the words, so that the phrase decides."""
    return (await search(user, query))["messages"][0]["content"]


@pytest.mark.rule("11.4 candidates", "11.4 rank")
@pytest.mark.parametrize(
    ("held", "query"),
    [
        ("It was (about) $5.00 [net] + tax, fine", "(about) $5.00 [net] + tax"),
        ("We have C:\\new\\table open, look", "C:\\new\\table open"),
        ("It is {a|b}? ^c* then", "{a|b}? ^c*"),
        ("The Über\u00a0Mensch\n\n\tsang", "über mensch SANG"),
        ("What ***: all of it", "***: all"),
        ("ΣΤΗΝ ΟΔΟΣ ΑΘΗΝΑΣ ΕΔΩ", "ΟΔΟΣ ΑΘΗΝΑΣ"),
        ("Bu İstanbul Büyük şehir", "İstanbul büyük"),
    ],
)
async def test_a_phrase_is_looked_for_as_it_is_written(wordy: TestUser, held: str, query: str) -> None:
    words = query.split()
    await talk(wordy, held, *(f"{' '.join(reversed(words))} {number}" for number in range(3)), sessionKey=None)
    assert await first(wordy, query) == held


def test_no_message_is_rewritten_to_look_for_a_phrase() -> None:
    """The white space of 400 messages of 94 KB took 10 s for each search, and 12 searches all connections for 20 s."""
    reading = read("mill river", Language.ENGLISH, (Language.ENGLISH,))
    query = pool(new_id(), MessageSearch(MessageScope(), Window(None, None), reading, None, 1, 10))
    assert query.params is not None
    assert "regexp_replace" not in query.sql
    assert query.params["phrase"] == [r"mill\s+river"]


@pytest.mark.parametrize(("held", "depth", "read_texts"), [(1, 40, 20), (20, 5, 5 + 8)])
async def test_no_more_texts_are_read_for_a_phrase_than_needed(
    services: Services, wordy: TestUser, held: int, depth: int, read_texts: int
) -> None:
    """To look for it again in each message of the pool doubled the time of searches in long messages.

    Where more hold it than the lane takes, the newest are read, and then those of the pool.
    """
    texts = ("the mill river is high", "mill and river")
    await talk(wordy, *(f"{texts[number >= held]} {number}" for number in range(20)))
    reading = read("mill river", Language.ENGLISH, (Language.ENGLISH,))
    query = pool(wordy.id, MessageSearch(MessageScope(absent=True), Window(None, None), reading, None, 1, depth))
    async with services.database.read(wordy.id) as session:
        rows = await session.rows(query)
        (plan,) = await session.values(f"EXPLAIN (ANALYZE, FORMAT JSON) {query.sql}", query.params)
    assert sum(row.holds_phrase for row in rows) == min(held, len(rows))
    assert texts_read(plan[0]["Plan"]) == read_texts


def texts_read(node: Json) -> int:
    """How often a plan has looked up a row of the table of messages."""
    own = node["Actual Loops"] if node.get("Relation Name") == "message" else 0
    return round(own) + sum(texts_read(child) for child in node.get("Plans", []))


@pytest.mark.rule("11.4 rank")
async def test_a_phrase_of_many_lines_is_looked_for_as_a_whole(wordy: TestUser) -> None:
    words = [f"word{number}" for number in range(100)]
    held = "\n".join(words)
    other = " ".join([*words[:50], "between", *words[50:]])
    await talk(wordy, held, other, " ".join(words[::-1]), sessionKey=None)
    assert await first(wordy, " ".join(words)) == held


@pytest.mark.parametrize("query", ["a " * 998 + "b", "a" * 1_997 + " b"])
def test_no_pattern_is_long(query: str) -> None:
    """A pattern of a thousand times the same word took 20 ms for each message that repeats it, however short it was."""
    reading = read(query, Language.ENGLISH, (Language.ENGLISH,))
    params = pool(new_id(), MessageSearch(MessageScope(), Window(None, None), reading, None, 1, 10)).params
    assert params is not None
    patterns = [pattern.replace(r"\s+", " ") for pattern in params["phrase"]]
    assert "".join(patterns) == query
    assert max(map(len, patterns)) <= PHRASE_PIECE
