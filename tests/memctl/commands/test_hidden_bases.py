"""`kb query` and `recall` say which knowledge bases gave nothing, and why."""

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import chunk, fill, make_base, send


async def test_a_query_says_why_its_knowledge_base_gave_nothing(terminal: Terminal, user: TestUser) -> None:
    base = await make_base(user, name="Notes", agentIds=["writer"])
    done = await terminal(user, "kb", "query", "Notes", "anything")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "nothing from: Notes (only for its agents; ask as one of them with --agent)" in done.stderr
    empty = await terminal(user, "kb", "query", "Notes", "anything", "--agent", "writer")
    assert "nothing from: Notes (no chunks yet; `memctl kb import` adds some)" in empty.stderr
    await fill(user, base, chunk("anything"))
    assert "nothing from" not in (await terminal(user, "kb", "query", "Notes", "anything", "--agent", "writer")).stderr
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    archived = await terminal(user, "kb", "query", "Notes", "anything", "--agent", "writer")
    assert "nothing from: Notes (archived; `memctl kb unarchive` brings it back)" in archived.stderr


async def test_recall_names_what_it_could_not_search_and_archived_ones_on_request(
    terminal: Terminal, user: TestUser
) -> None:
    await make_base(user, name="Drafts", agentIds=["writer"])
    await make_base(user, name="Letters", agentIds=["editor"])
    old = await make_base(user, name="Old")
    await send(user, "DELETE", f"/api/knowledge-bases/{old}")
    done = await terminal(user, "recall", "anything")
    hidden = next(line for line in done.stderr.splitlines() if line.startswith("nothing from: "))
    assert {"Drafts", "Letters"} == set(hidden.split(": ")[1].split(" (")[0].split(", "))
    assert "Old" not in done.stderr
    assert "nothing from: Old (archived" in (await terminal(user, "recall", "anything", "--explain")).stderr
    assert "nothing from: Old (archived" in (await terminal(user, "recall", "anything", "--kb", "Old")).stderr


async def test_recall_says_how_many_it_did_not_search(terminal: Terminal, user: TestUser) -> None:
    for number in range(9):
        await fill(user, await make_base(user, name=f"Notes {number}"), chunk(f"The boiler of house {number}"))
    assert "1 knowledge base not searched; name one with --kb" in (await terminal(user, "recall", "boiler")).stderr
    named = await terminal(user, "recall", "boiler", "--kb", "Notes 3")
    assert "not searched" not in named.stderr
