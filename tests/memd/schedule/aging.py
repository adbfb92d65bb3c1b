"""Rows of everything that a scheduled job deletes by age, and a run of such a job."""

import httpx
import psycopg

from memctl.client import MemdClient
from memd.app import build
from memd.context import Services
from memd.domain.ids import new_id
from memd.domain.schedule.clock_jump import HOUR_MS
from memd.domain.types import Tier
from memd.schedule import service
from memd.schedule.registry import entry
from tests.memd.lifecycle.rows import aged
from tests.support.service import BASE, TestUser, add_user
from tests.support.wire import capture, post


async def everything_that_ages(services: Services, conninfo: str) -> None:
    """Rows of everything that a job deletes once it is old."""
    user_id, key = await add_user(services, tier=Tier.FREE)
    transport = httpx.ASGITransport(build(services))
    async with httpx.AsyncClient(
        transport=transport, base_url=BASE, headers={"Authorization": f"Bearer {key}"}
    ) as http:
        user = TestUser(user_id, key, MemdClient(BASE, key, transport=transport), http)
        message = {"role": "user", "sessionKey": "s1", "channel": "slack"}
        for number in range(3):
            await post(user, "log", message | {"content": f"Kiln {number} is hot."})
        await run(services, "message_embedder")
        await post(user, "search-messages", {"query": "kiln", "channel": "slack", "limit": 1})
        for _ in range(2):
            await post(user, "forget", {"memoryId": await capture(user), "permanent": True})
        await post(
            user,
            "snapshot",
            {"sessionKey": "s1", "channel": "slack", "messages": [{"role": "user", "content": "Hot."}]},
        )
        await post(user, "metric", {"kind": "probe", "payload": {}})
        await http.post("/api/device/start", json={})
        await aged(services, user, store="sensory", category="conversation", _archived=True, _archived_by="job",
                   _archived_at=services.clock())  # fmt: skip
    await services.background_tasks.drain()
    async with services.database.write(user_id) as session:
        await session.execute(
            "INSERT INTO recall_activity SELECT user_id, id, %(request)s, %(at)s, 'recall' FROM memory",
            {"request": new_id(), "at": services.clock()},
        )
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO device_session (token_hash, key_hash, expires_at) SELECT 'token', key_hash, %(at)s FROM api_key",
            {"at": services.clock() + HOUR_MS},
        )
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as owner:
        await owner.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, status, args) VALUES ('default', 'lost', 'failed', '{}')"
        )
        await owner.execute(
            "INSERT INTO procrastinate_events (job_id, type, at) SELECT id, 'failed', now() FROM procrastinate_jobs"
            " WHERE task_name = 'lost'"
        )


async def run(services: Services, name: str) -> str | None:
    """Run a scheduled job; the error that its record holds."""
    job = entry(name)
    assert job is not None
    await service.run(services, job)
    async with services.database.system() as session:
        last = (await service.last_runs(session))[name]
    return (last.result or {}).get("error")
