"""Two programs that import into a knowledge base which neither of them finds: both use the same one."""

import json
from pathlib import Path

import pytest

from memctl.client.knowledge_bases import KnowledgeBases
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest, KnowledgeBaseRow
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser


async def test_a_knowledge_base_that_another_program_makes_at_the_same_moment_is_used(
    terminal: Terminal, user: TestUser, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "work" / "pump.md").write_text("# Pump\n\nIt is red.\n")
    others: list[str] = []

    async def create(self: KnowledgeBases, request: CreateKnowledgeBaseRequest) -> KnowledgeBaseRow:
        others.append((await alone(self, request)).id)
        return await alone(self, request)

    alone = KnowledgeBases.create
    monkeypatch.setattr(KnowledgeBases, "create", create)
    done = await terminal(user, "kb", "import", "Manual", "pump.md", "--create", "--json")
    assert (done.exit_code, json.loads(done.stdout)["knowledgeBaseId"], len(others)) == (0, others[0], 1)
    assert done.stderr == f"another program has just created the knowledge base Manual ({others[0]})\n"
    again = await terminal(user, "kb", "import", "Manual", "pump.md", "--create", "--json")
    assert (again.exit_code, json.loads(again.stdout)["unchanged"], len(others)) == (0, 1, 1)
