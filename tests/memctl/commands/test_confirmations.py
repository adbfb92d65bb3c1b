"""The question before something is deleted, and the answers to it."""

import pytest

from memctl.wire.memories import CaptureRequest
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

pytestmark = pytest.mark.usefixtures("typing")


async def captured(user: TestUser, title: str) -> str:
    return (await user.client.memories.capture(CaptureRequest(title=title, content=f"About {title}."))).id


async def test_the_question_names_the_memory_that_would_be_deleted(terminal: Terminal, user: TestUser) -> None:
    memory = await captured(user, "Release day")
    done = await terminal(user, "forget", memory, "--permanent", stdin="y\n")
    assert (done.exit_code, f"Delete “Release day” ({memory}) permanently? [y/N]" in done.stderr) == (0, True)
    assert (await terminal(user, "show", memory)).exit_code == 5


async def test_what_is_not_there_is_not_asked_about(terminal: Terminal, user: TestUser) -> None:
    done = await terminal(user, "forget", "mem_" + "0" * 25 + "1", "--permanent", stdin="y\n")
    assert (done.exit_code, "Delete" in done.stderr, "Memory not found" in done.stderr) == (5, False, True)


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
async def test_without_a_yes_nothing_is_done(terminal: Terminal, user: TestUser, answer: str) -> None:
    """The exit code is that of a missing confirmation, also where the input ends."""
    memories = [await captured(user, "Release day"), await captured(user, "Freeze")]
    done = await terminal(user, "forget", *memories, "--permanent", stdin=answer)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Delete 2 memories permanently?" in done.stderr
    assert done.stderr.endswith("memctl: not confirmed; nothing was done\n")
    assert [(await terminal(user, "show", memory)).exit_code for memory in memories] == [0, 0]
