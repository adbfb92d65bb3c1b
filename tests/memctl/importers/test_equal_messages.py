"""Equal messages of one instant without a place in a session: an import stores as many as the file has (contract 7.5)."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from memctl.client import MemdClient
from memctl.importers.bases import Bases
from memctl.importers.intake import Intake
from memctl.importers.records import Message
from memctl.wire.messages import LogRequest

AT = 1_740_823_200_000


class SlowFirstAnswer:
    """Logs and lists messages; the first list is answered after another message was logged, or after a while."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.lists = 0
        self.logged = asyncio.Event()

    async def handle(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST" and request.url.path.endswith("/log"):
            row = {"id": f"msg_{len(self.rows)}", "createdAt": AT, **json.loads(request.content)}
            self.rows.append(row)
            self.logged.set()
            return httpx.Response(200, json={"ok": True, "id": row["id"]})
        self.lists += 1
        if self.lists == 1:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.logged.wait(), 0.5)
        return httpx.Response(200, json={"messages": self.rows, "isDone": True})


class Unseen:
    def advance(self, amount: float, note: str) -> None: ...


async def test_a_slow_answer_about_the_first_copy_takes_no_later_one_for_it(tmp_path: Path) -> None:
    server = SlowFirstAnswer()
    request = LogRequest(role="user", content="Yes", timestamp=AT)
    copies = [Message(request, f"line {number}", copy=number) for number in (1, 2, 3)]
    async with MemdClient("http://memd.test", "k", httpx.MockTransport(server.handle), retries=0) as client:
        with Bases(client, tmp_path) as bases:
            intake = Intake(client, bases)
            await intake.take(copies, Unseen())
    assert (intake.summary.messages.new, intake.summary.messages.known) == (3, 0)
    assert len(server.rows) == 3
