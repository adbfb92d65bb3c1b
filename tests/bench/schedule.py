"""The work of all scheduled jobs in a minute: many users of whom few are active.

`python -m tests.bench.schedule [USERS] [ACTIVE]`, by default 100,000 and 100. Each active user has captured and talked
since the last run of every job; each job then runs once, and its time counts as often as it runs in a minute.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

import httpx

from memd.app import build
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.domain.schedule.timetable import Every
from memd.lifecycle.retention import CHANGED_MS
from memd.schedule.registry import SCHEDULE, Scheduled
from memd.settings import EmbedModel, Settings
from tests.bench.open_loop import made_texts
from tests.memd.schedule.test_idle_users import IDLE_USERS, MEMORIES
from tests.support.service import BASE, HOST, STILL, add_user, serving

USERS, ACTIVE = 100_000, 100
CAPTURES, MESSAGES = 5, 10
"""Of each active user since the last run."""
MINUTES_A_DAY = 1440


def runs_a_minute(entry: Scheduled) -> float:
    """How often a job runs in a minute."""
    return 60 / entry.when.seconds if isinstance(entry.when, Every) else 1 / MINUTES_A_DAY


async def add_idle(services: Services, users: int) -> None:
    """Users whose work is done, each with one memory."""
    now = services.clock()
    values = {"users": users, "then": now - 2 * CHANGED_MS, "now": now, "policy": services.policy.version}
    async with services.database.system() as session:
        await session.execute(IDLE_USERS, values)
        await session.execute(MEMORIES, values)


async def be_active(services: Services, users: int) -> None:
    """Users of their own who capture and log, over HTTP."""
    transport = httpx.ASGITransport(build(services))
    texts = iter(made_texts(users * (CAPTURES + MESSAGES), 7))
    for _ in range(users):
        _, key = await add_user(services)
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
            for _ in range(CAPTURES):
                text = next(texts)
                (await http.post("/api/mcp/capture", json={"title": text[:60], "content": text})).raise_for_status()
            for number in range(MESSAGES):
                body = {"role": "user" if number % 2 else "assistant", "content": next(texts), "sessionKey": "s"}
                (await http.post("/api/mcp/log", json=body)).raise_for_status()


async def measure(settings: Settings, conninfo: str, users: int, active: int) -> None:
    """Fill the database, run every job once, print what it costs."""
    async with serving(settings, conninfo) as services:
        await add_idle(services, users)
        async with services.database.system() as session:
            await session.execute("ANALYZE")
        await be_active(services, active)
        total = 0.0
        print("| job | s for one run | rows | runs a minute | s a minute |\n| --- | --- | --- | --- | --- |")
        for entry in SCHEDULE:
            begin = time.perf_counter()
            result = await entry.work(services)
            took = time.perf_counter() - begin
            total += took * runs_a_minute(entry)
            runs = runs_a_minute(entry)
            print(f"| {entry.name} | {took:.2f} | {result.rows} | {runs:.4f} | {took * runs:.4f} |", flush=True)
        print(f"\n{users:,} users, {active} active: {total:.2f} s of work a minute")


def main() -> None:
    """A fresh embedded Postgres for the run."""
    users, active = (int(sys.argv[index]) if len(sys.argv) > index else (USERS, ACTIVE)[index - 1] for index in (1, 2))
    with tempfile.TemporaryDirectory(prefix="memd-bench-") as folder:
        Path(folder).chmod(0o711)
        settings = Settings(
            data_dir=Path(folder) / "data",
            embed_model=EmbedModel.WORDLLAMA,
            schedule=STILL,
            workers_off=True,
            allowed_hosts=[HOST],
        )
        with EmbeddedPostgres(Path(folder) / "server") as server:
            migrate(server.conninfo)
            asyncio.run(measure(settings, server.conninfo, users, active))


if __name__ == "__main__":
    main()
