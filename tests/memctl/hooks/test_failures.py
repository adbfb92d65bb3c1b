"""What goes wrong in a hook stays in its log: the agent sees exit code 0 and no output."""

import asyncio
import socket

import pytest

from tests.support.agents import Agent, Gate, has_failed, until

FACT = "The release is called Bernina."


@pytest.mark.parametrize(
    ("arguments", "document"),
    [
        (["prompt"], ""),
        (["prompt"], "no JSON"),
        (["prompt"], "[1]"),
        (["prompt"], "{}"),
        (["prompt"], '{"session_id": 3}'),
        (["prompt", "--budget", "1000000"], "{}"),
        (["prompt", "--unknown"], "{}"),
        (["lunch"], "{}"),
        (["turn-end", "--profile", "nobody"], '{"session_id": "s"}'),
        (["turn-end", "--url", "ftp://nowhere"], '{"session_id": "s"}'),
        (["compaction"], '{"session_id": "\\ud800\\u0000", "transcript_path": "\\u0000"}'),
        (["turn-end"], '{"session_id": "s", "last_assistant_message": ["not text"]}'),
    ],
)
async def test_nothing_that_is_wrong_shows_in_the_agent(agent: Agent, arguments: list[str], document: str) -> None:
    done = await agent.hook(arguments[0], document, *arguments[1:])
    assert done.stdout == ""
    assert agent.log


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", b"SSH-2.0-other\r\n"])
async def test_a_server_that_is_not_memd_gets_nothing_accepted(agent: Agent, answer: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1 << 16)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        agent.variables["MEMCTL_URL"] = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        assert await agent.context("prompt", "UserPromptSubmit", {"session_id": "s", "prompt": FACT}) == ""
        await agent.hook("turn-end", {"session_id": "s", "last_assistant_message": "Noted."})
        await until(lambda: has_failed(agent))
    assert len(agent.waiting) == 1
    assert any("prompt error" in line for line in agent.log)


async def test_an_agent_does_not_wait_for_a_server_that_never_answers(agent: Agent) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        agent.variables |= {
            "MEMCTL_URL": f"http://127.0.0.1:{silent.getsockname()[1]}",
            "MEMCTL_HOOKS_TIMEOUT_MS": "300",
        }
        assert await agent.context("prompt", "UserPromptSubmit", {"session_id": "s", "prompt": FACT}) == ""
    assert agent.log[-1].startswith("claude-code prompt error")


async def test_the_log_has_neither_prompts_nor_answers_and_stays_small(agent: Agent, way: Gate) -> None:
    agent.state.folder.mkdir(parents=True)
    agent.state.log.write_text("x" * 300_000)
    await agent.turn("s1", 1, FACT, "A confidential answer")
    await agent.delivered()
    way.is_open = False
    await agent.turn("s1", 2, FACT, "A confidential answer")
    assert "Bernina" not in str(agent.log)
    assert "confidential" not in str(agent.log)
    assert agent.state.log.stat().st_size < 10_000
