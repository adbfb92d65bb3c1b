"""What `memctl eval` stores to measure on is erased again, and nothing of the user's own."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from memctl.client.errors import ProtocolError
from memctl.client.messages import Messages
from memctl.wire.knowledge_bases import ListKnowledgeBasesRequest
from memctl.wire.messages import ListMessagesRequest, LogReply, LogRequest
from memd.context import Services
from tests.memctl.conftest import Terminal
from tests.support import jobs
from tests.support.service import TestUser

OWN = "Ida plays the cello."
ROWS = (
    {"id": "m1", "sessionKey": "s", "role": "user", "speaker": "Ann", "content": "I adopted a cat called Miso."},
    {"id": "m2", "role": "user", "speaker": "Bob", "content": "I moved to Lisbon."},
)
QUESTION = {"question": "What is Ann's cat called?", "evidence": ["m1"]}


@pytest.fixture(autouse=True)
def files(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    write("e.questions.jsonl", QUESTION)
    write("e.messages.jsonl", *ROWS)


def write(name: str, *rows: dict[str, Any]) -> None:
    Path(name).write_text("\n".join(map(json.dumps, rows)))


async def stored(user: TestUser) -> list[str]:
    return sorted(row.content for row in (await user.client.messages.page(ListMessagesRequest())).messages)


async def test_measured_messages_are_erased_and_a_session_of_the_same_name_stays(
    terminal: Terminal, user: TestUser, services: Services
) -> None:
    await user.client.messages.log(LogRequest(role="user", content=OWN, session_key="s"))
    done = await terminal(user, "eval", "e.questions.jsonl", "e.messages.jsonl", "--k", "1")
    await jobs.done(services, user)
    assert (done.exit_code, done.stderr) == (0, "")
    assert await stored(user) == [OWN]


async def test_measured_messages_are_kept_on_request(terminal: Terminal, user: TestUser) -> None:
    done = await terminal(user, "eval", "e.questions.jsonl", "e.messages.jsonl", "--keep")
    assert "the messages stay on channel eval:" in done.stderr
    assert await stored(user) == sorted(row["content"] for row in ROWS)


async def test_a_row_that_is_no_message_is_named_and_nothing_is_stored(terminal: Terminal, user: TestUser) -> None:
    write("e.messages.jsonl", *ROWS, {"id": "m3", "role": "user"})
    done = await terminal(user, "eval", "e.questions.jsonl", "e.messages.jsonl")
    assert (done.exit_code, done.stderr) == (2, "memctl: message m3: Missing required field: content\n")
    assert await stored(user) == []


async def test_what_was_stored_before_a_failure_is_erased(
    terminal: Terminal, user: TestUser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def log(self: Messages, request: LogRequest) -> LogReply:
        if "Lisbon" in request.content:
            await asyncio.sleep(0.2)  # until the other message is stored
            raise ProtocolError("no answer of memd")
        return await stored_by_memd(self, request)

    stored_by_memd = Messages.log
    monkeypatch.setattr(Messages, "log", log)
    done = await terminal(user, "eval", "e.questions.jsonl", "e.messages.jsonl")
    await jobs.done(services, user)
    assert (done.exit_code, await stored(user)) == (1, [])


async def test_a_knowledge_base_with_a_chunk_that_is_not_stored_is_removed(terminal: Terminal, user: TestUser) -> None:
    chunk = {"dedupeKey": "m1", "content": "It is red.", "metadata": {"title": "Pump"}}
    write("e.chunks.jsonl", chunk, {"content": f"key {user.key}", "metadata": {"title": "Key"}})
    done = await terminal(user, "eval", "e.questions.jsonl", "e.chunks.jsonl")
    assert (done.exit_code, "chunk 1 was not stored" in done.stderr) == (1, True)
    assert (
        await user.client.knowledge_bases.list(ListKnowledgeBasesRequest(include_inactive=True))
    ).knowledge_bases == []
