"""Two programs that import into one knowledge base at the same time: they make it once, and store each chunk once."""

import asyncio
import errno
import fcntl
import json
from pathlib import Path

import pytest

from memctl.client.knowledge_bases import KnowledgeBases
from memctl.importers import ledger
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest, KnowledgeBaseRow
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser


@pytest.fixture
def other_program(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the knowledge bases that another program makes, each just before the one of memctl."""
    others: list[str] = []

    async def create(self: KnowledgeBases, request: CreateKnowledgeBaseRequest) -> KnowledgeBaseRow:
        others.append((await alone(self, request)).id)
        return await alone(self, request)

    alone = KnowledgeBases.create
    monkeypatch.setattr(KnowledgeBases, "create", create)
    return others


async def test_a_knowledge_base_that_another_program_makes_at_the_same_moment_is_used(
    terminal: Terminal, user: TestUser, home: Path, other_program: list[str]
) -> None:
    (home / "work" / "pump.md").write_text("# Pump\n\nIt is red.\n")
    done = await terminal(user, "kb", "import", "Manual", "pump.md", "--create", "--json")
    assert (done.exit_code, [json.loads(done.stdout)["knowledgeBaseId"]]) == (0, other_program)
    assert done.stderr == f"another program has just created the knowledge base Manual ({other_program[0]})\n"
    again = await terminal(user, "kb", "import", "Manual", "pump.md", "--create", "--json")
    assert (again.exit_code, json.loads(again.stdout)["unchanged"], len(other_program)) == (0, 1, 1)


async def test_an_export_goes_into_the_knowledge_base_that_another_program_makes_at_the_same_moment(
    terminal: Terminal, user: TestUser, home: Path, other_program: list[str]
) -> None:
    described = {"knowledgeBase": {"id": "kb_1", "name": "Manual"}}
    chunk = {"knowledgeBaseId": "kb_1", "title": "Pump", "content": "It is red.", "dedupeKey": "pump"}
    (home / "work" / "export.jsonl").write_text("\n".join(map(json.dumps, (described, chunk))))
    done = await terminal(user, "import", "jsonl", "export.jsonl", "--json")
    assert (done.exit_code, json.loads(done.stdout)["chunks"]) == (0, {"new": 1, "known": 0})
    assert [row.id for row in (await user.client.knowledge_bases.list()).knowledge_bases] == other_program


async def test_an_import_waits_for_another_one_into_the_same_knowledge_base(
    terminal: Terminal, user: TestUser, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chunks without a key of their own would be there twice if both sent what neither finds in the ledger."""
    (home / "work" / "rows.jsonl").write_text('{"title": "Pump", "content": "It is red."}')
    assert (await terminal(user, "kb", "import", "Manual", "rows.jsonl", "--create")).exit_code == 0
    (lock,) = (home / "state" / "imports").glob("*.lock")
    other = lock.open()
    fcntl.flock(other, fcntl.LOCK_EX)
    said: list[str] = []

    def ends_when_waited_for(text: str) -> None:
        said.append(text)
        other.close()

    monkeypatch.setattr(ledger, "note", ends_when_waited_for)
    done = await terminal(user, "kb", "import", "Manual", "rows.jsonl", "--json")
    assert said == ["waiting for another import into the same knowledge base"]
    assert (done.exit_code, json.loads(done.stdout)["unchanged"]) == (0, 1)


@pytest.mark.parametrize(
    ("lock", "awaited"), [("kb", "import into the same knowledge base"), ("exports", "import of an export")]
)
async def test_an_export_that_another_import_brings_in_at_the_same_time_is_stored_once(
    terminal: Terminal, user: TestUser, home: Path, monkeypatch: pytest.MonkeyPatch, lock: str, awaited: str
) -> None:
    described = {"knowledgeBase": {"id": "kb_1", "name": "Manual"}}
    for name, content in (("before", "It is red."), ("export", "It is loud.")):
        chunk = {"knowledgeBaseId": "kb_1", "title": "Pump", "content": content}
        (home / "work" / f"{name}.jsonl").write_text("\n".join(map(json.dumps, (described, chunk))))
    assert (await terminal(user, "import", "jsonl", "before.jsonl")).exit_code == 0
    (base,) = (await user.client.knowledge_bases.list()).knowledge_bases
    (path,) = (home / "state" / "imports").glob(f"*-{lock}*.lock")
    other, tests = path.open(), asyncio.get_running_loop()
    fcntl.flock(other, fcntl.LOCK_EX)
    said: list[str] = []

    def other_stores_it(text: str) -> None:
        said.append(text)
        chunk = {"content": "It is loud.", "metadata": {"title": "Pump"}}
        stored = user.http.post(f"/api/knowledge-bases/{base.id}/import", json={"chunks": [chunk]})
        assert asyncio.run_coroutine_threadsafe(stored, tests).result().status_code == 201
        other.close()

    monkeypatch.setattr(ledger, "note", other_stores_it)
    done = await terminal(user, "import", "jsonl", "export.jsonl", "--json")
    assert (done.exit_code, json.loads(done.stdout)["chunks"]) == (0, {"new": 0, "known": 1})
    assert said == [f"waiting for another {awaited}"]
    assert (await user.client.knowledge_bases.show(base.id, 1)).chunk_count == 2


async def test_a_folder_that_cannot_be_locked_is_named(
    terminal: Terminal, user: TestUser, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on some network file systems."""

    def no_locks(*_arguments: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    (home / "work" / "pump.md").write_text("# Pump\n\nIt is red.\n")
    monkeypatch.setattr(fcntl, "flock", no_locks)
    refused = await terminal(user, "kb", "import", "Manual", "pump.md", "--create")
    assert (refused.exit_code, refused.stdout) == (1, "")
    folder = home / "state" / "imports"
    reason = f"cannot record the import in {folder}: No locks available; set MEMCTL_STATE_DIR to another folder"
    assert refused.stderr.splitlines()[-1] == f"memctl: {reason}"
