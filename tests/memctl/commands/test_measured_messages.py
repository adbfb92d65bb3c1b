"""What `memctl eval` stores to measure on is erased again, and nothing of the user's own."""

import json
from pathlib import Path

import pytest

from memctl.wire.messages import ListMessagesRequest, LogRequest
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
    Path("e.questions.jsonl").write_text(json.dumps(QUESTION))
    Path("e.messages.jsonl").write_text("\n".join(map(json.dumps, ROWS)))


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
