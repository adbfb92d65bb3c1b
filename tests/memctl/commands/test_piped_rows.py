"""Lists in a pipe: one line per row, in fixed columns, with whole texts (docs/memctl.md)."""

import re

import pytest

from memd.domain.prompts.recall_text import recall_text
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.talk import log
from tests.support.wire import capture, chunk, fill, make_base

TEXT = "Build the crane with `make\t  crane`:\n\n```\ncrane --lift 40\r\n```\n" + "It lifts forty tonnes. " * 40
FLAT = TEXT.replace("\t", " ").replace("\r\n", "\n").strip().replace("\n", " ")
TITLE = "The crane of the harbour " + "and its long name " * 10
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


async def rows(terminal: Terminal, user: TestUser, *arguments: str) -> list[list[str]]:
    """The cells of what a command prints; a text is compared without the space at its end."""
    lines = (await terminal(user, *arguments)).stdout.splitlines()
    return [[TIME.sub("TIME", cell).strip() for cell in line.split("\t")] for line in lines]


@pytest.mark.parametrize(("options", "text"), [((), recall_text(TEXT)), (("--full",), FLAT)])
async def test_a_recalled_row_is_a_line(
    terminal: Terminal, user: TestUser, options: tuple[str, ...], text: str
) -> None:
    memory_id = await capture(user, title=TITLE, content=TEXT, channel="harbour", category="fact")
    message_id = await log(user, TEXT, channel="harbour", speaker="Ann")
    found = await rows(terminal, user, "recall", "crane that lifts forty tonnes", *options)
    assert [row[1:] for row in found] == [
        [memory_id, "TIME", "episodic/fact", "harbour", "", "", TITLE.strip(), text],
        [message_id, "TIME", "message", "harbour", "", "", "Ann", FLAT],
    ]
    assert all(re.fullmatch(r"[01]\.\d\d", row[0]) for row in found)


async def test_a_found_message_is_a_line(terminal: Terminal, user: TestUser) -> None:
    message_id = await log(user, TEXT, channel="harbour", sessionKey="s1", speaker="Ann")
    about = [message_id, "TIME", "Ann", "harbour", "s1"]
    (found,) = await rows(terminal, user, "search", "crane that lifts forty tonnes")
    assert found[1:] == [*about, "", FLAT]
    assert await rows(terminal, user, "recent") == [[*about, FLAT]]


async def test_a_listed_memory_has_its_whole_title(terminal: Terminal, user: TestUser) -> None:
    memory_id = await capture(user, title=TITLE, content=TEXT, actionTriggers=["deploy"])
    assert await rows(terminal, user, "list", "--columns", "title,id") == [[TITLE.strip(), memory_id]]
    about = [memory_id, "TIME", "episodic/conversation", "deploy"]
    assert await rows(terminal, user, "triggers", "deploy") == [[*about, TITLE.strip(), FLAT]]


async def test_a_chunk_is_a_line(terminal: Terminal, user: TestUser) -> None:
    base = await make_base(user)
    filled = await fill(user, base, chunk(TEXT, metadata={"title": TITLE, "sourceUrl": "crane.md"}, dedupeKey="k"))
    (chunk_id,) = filled["memoryIds"]
    assert await rows(terminal, user, "kb", "chunks", base) == [[chunk_id, TITLE.strip(), "k"]]
    (found,) = await rows(terminal, user, "kb", "query", base, "crane that lifts forty tonnes")
    assert found[1:] == [chunk_id, "crane.md", "", TITLE.strip(), FLAT]
