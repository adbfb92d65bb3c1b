"""An agent that plays its events to `memctl hooks run`, as the documentation of the agents describes them."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from memctl.hooks.state import State
from tests.support.waiting import until

Json = dict[str, Any]
PATIENT_MS = "60000"
END_S = 60


@dataclass(slots=True)
class Agent:
    """Runs hooks with a folder of its own for queue and log.

    `variables` are those of the agent's process, `options` those between `memctl` and `hooks`. The hook gets the event
    `delay_s` seconds after it was started.
    """

    home: Path
    variables: dict[str, str] = field(default_factory=dict[str, str])
    client: str = "claude-code"
    options: tuple[str, ...] = ()
    delay_s: float = 0.0

    @property
    def state(self) -> State:
        return State(self.home / "state" / "hooks")

    @property
    def project(self) -> str:
        return str(self.home / "work")

    @property
    def log(self) -> list[str]:
        """The log without its times."""
        with suppress(FileNotFoundError):
            return [line.split(" ", 1)[1] for line in self.state.log.read_text().splitlines()]
        return []

    @property
    def waiting(self) -> list[Path]:
        """The entries in the queues."""
        return [*self.state.queues.glob("*/*.json")]

    async def hook(self, event: str, document: Json | str, *options: str) -> subprocess.CompletedProcess[str]:
        """One event; the hook has to end well and to say nothing on standard error."""
        text = document if isinstance(document, str) else json.dumps({"cwd": self.project, **document})
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
        places = {
            "MEMCTL_STATE_DIR": str(self.home / "state"),
            "MEMCTL_CONFIG": str(self.home / "none.toml"),
            "MEMD_DATA_DIR": str(self.home / "data"),
            "MEMCTL_HOOKS_TIMEOUT_MS": PATIENT_MS,
        }
        command = [sys.executable, "-m", "memctl", *self.options, "hooks", "run", event]
        command += ["--client", self.client, *options]
        if self.delay_s:
            command = ["sh", "-c", f'{{ sleep {self.delay_s}; cat; }} | "$@"', "sh", *command]
        done = await asyncio.to_thread(
            subprocess.run,
            command,
            input=text,
            capture_output=True,
            text=True,
            env={**clean, **places, **self.variables},
            timeout=END_S * 2,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done

    async def memctl(self, *arguments: str) -> str:
        """A command of memctl as the user of the agent; what it printed."""
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "memctl", *arguments],
            env={"PATH": os.environ["PATH"], **self.variables},
            capture_output=True,
            text=True,
            timeout=END_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    async def context(self, event: str, name: str, document: Json, *options: str) -> str:
        """The text that the hook adds to the prompt."""
        done = await self.hook(event, {"hook_event_name": name, **document}, *options)
        if not done.stdout:
            return ""
        output = json.loads(done.stdout)["hookSpecificOutput"]
        assert output.pop("hookEventName") == name
        return output.pop("additionalContext")

    async def turn(self, session: str, number: int, asked: str, answered: str) -> None:
        """A prompt and its answer, as Claude Code reports them."""
        ids = {"session_id": session, "prompt_id": f"{session}-{number}"}
        await self.hook("prompt", {**ids, "hook_event_name": "UserPromptSubmit", "prompt": asked})
        stop = {"hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": answered}
        await self.hook("turn-end", {**ids, **stop})

    async def delivered(self) -> None:
        """Wait until nothing is in the queues."""
        await until(lambda: not self.waiting)


def has_failed(agent: Agent) -> bool:
    """Whether a delivery in the background has been tried in vain."""
    return any("delivery of turn error" in line for line in agent.log)


@dataclass(slots=True)
class Gate:
    """A way to memd that can be closed, or fail.

    The next request to each path in `lost` gets no answer, the next to each in `refused` that status instead of memd's.
    Answers come `delay_s` seconds later.
    """

    url: str = ""
    to: str = ""
    is_open: bool = True
    lost: set[str] = field(default_factory=set[str])
    refused: dict[str, int] = field(default_factory=dict[str, int])
    delay_s: float = 0.0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            if self.is_open:
                await self._pass(reader, writer)
        writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
        body = await reader.readexactly(int(fields.get(b"content-length", b"0")))
        path = urlsplit(head.split(b" ", 2)[1].decode()).path
        if path in self.refused:
            answer = b'{"error": "refused by the gate"}'
            writer.write(
                b"HTTP/1.1 %d No\r\nContent-Length: %d\r\n\r\n" % (self.refused.pop(path), len(answer)) + answer
            )
            await writer.drain()
            return
        where = urlsplit(self.to)
        back, forth = await asyncio.open_connection(where.hostname, where.port)
        forth.write(head + body)
        answer = await back.read()  # hooks ask for a connection that is closed after the answer
        forth.close()
        await asyncio.sleep(self.delay_s)
        if path in self.lost:
            self.lost.remove(path)
        else:
            writer.write(answer)
            await writer.drain()


@asynccontextmanager
async def gate(to: str) -> AsyncGenerator[Gate]:
    """A gate before the address for the block."""
    this = Gate(to=to)
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]] = this._serve
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    this.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield this
    finally:
        server.close()
