"""Lists at a terminal of 80 columns: ids in one piece, titles folded at words."""

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture, chunk, fill, make_base

TITLE = "Carry over of remaining vacation days into the first quarter"
KEY = "docs/policies/vacation-policy-for-employees.md#Vacation policy"


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("memctl.output.is_terminal", lambda *_: True)


async def test_the_id_of_a_memory_stands_below_its_title(terminal: Terminal, user: TestUser) -> None:
    memory_id = await capture(user, title=TITLE)
    shown = (await terminal(user, "list")).stdout
    lines = [line.rstrip() for line in shown.splitlines()]
    assert [line[42:] for line in lines[3:]] == [
        "Carry over of remaining vacation days",
        "into the first quarter",
        memory_id,
    ]
    assert max(map(len, lines)) <= 80


async def test_a_chunk_is_a_title_and_below_it_id_and_key(terminal: Terminal, user: TestUser) -> None:
    base = await make_base(user)
    (chunk_id,) = (await fill(user, base, chunk("Five days.", metadata={"title": TITLE}, dedupeKey=KEY)))["memoryIds"]
    done = await terminal(user, "kb", "chunks", base)
    assert done.stdout == f"{TITLE}\n    {chunk_id}\n    {KEY}\n"


async def test_what_is_found_is_folded_below_its_score(terminal: Terminal, user: TestUser) -> None:
    memory_id = await capture(user, title=TITLE, content=f"{TITLE} needs the approval of a manager, in writing.")
    lines = (await terminal(user, "recall", TITLE)).stdout.splitlines()
    assert lines[0][10:] == TITLE
    assert memory_id in lines[1].split()
    assert lines[2:4] == [f"{'':10}{TITLE} needs the", f"{'':10}approval of a manager, in writing."]


async def test_a_knowledge_base_is_one_line_unless_its_agents_or_its_scope_are_limited(
    terminal: Terminal, user: TestUser
) -> None:
    base = await make_base(user, name="Engineering handbook")
    heading, _, row = (await terminal(user, "kb", "list")).stdout.splitlines()
    assert heading.split() == ["name", "chunks", "changed", "id"]
    assert row.startswith("Engineering handbook ")
    assert row.split()[-1] == base
    await make_base(user, name="Coach", agentIds=["coach"], scope="team")
    shown = (await terminal(user, "kb", "list")).stdout
    assert {"coach", "team", "every"} <= set(shown.split())
    assert max(map(len, shown.splitlines())) <= 80
