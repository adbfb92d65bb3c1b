"""The checks of readiness."""

import asyncio
import os
import shutil
from collections.abc import Mapping
from typing import Final

from prometheus_client import Gauge, generate_latest
from psycopg import Error

from memctl.wire.enums import LagKind
from memd.access.http.request_durations import DurationsByKind, RequestDurations
from memd.cancellation import within
from memd.context import Services
from memd.db.schema.upgrade import NEWEST
from memd.errors import ServerBusy
from memd.health import store
from memd.health.process_metrics import registry
from memd.health.request_metrics import RequestMetrics
from memd.jobs.lag import service as background
from memd.jobs.queue_counts import queue_counts
from memd.processes.status import ProcessStatus, ReadStatus
from memd.schedule import clock_jump
from memd.settings import Settings

LAG: Final = Gauge(
    "memd_background_lag_seconds",
    "Age of the oldest row that waits for background work, over all users; 0 when none waits",
    ["kind"],
    registry=None,
)
JOBS: Final = Gauge("memd_jobs", "Jobs in the queue by state, over all users", ["state"], registry=None)
_PATIENCE_S = 3
LITTLE_DISK = 64 * 2**20
"""Bytes. Postgres needs some for its log (WAL), or it stops."""


async def failing_checks(services: Services) -> dict[str, str]:
    """The failed checks of readiness, by name; empty when all is well."""
    try:
        revision = await within(_PATIENCE_S, _revision(services))
    except (Error, TimeoutError):
        return {"database": "not reachable"}
    checks = {} if revision == NEWEST else {"migrations": "not at the newest revision"}
    return checks | _embedder_checks(services)


async def _revision(services: Services) -> str | None:
    """The revision of the database, asked after a statement with the login of requests."""
    await store.requests_are_served(services.database)
    async with services.database.system() as session:
        return await store.revision(session)


def _embedder_checks(services: Services) -> dict[str, str]:
    """Why nothing can be embedded before somebody acts."""
    model, name = services.current_model, services.batcher.embedder.name
    if model.problem is not None:
        return {"embedder": model.problem}
    if model.number == 0:
        return {"embedder": f"{name} has not answered yet; set MEMD_EMBED_DIMENSIONS to the length of its vectors"}
    return {}


async def processes(read: ReadStatus | None) -> ProcessStatus:
    """The processes of this memd; this one alone without `read`, or when the supervising process does not answer."""
    alone = ProcessStatus({}, {"request": [os.getpid()]})
    if read is None:
        return alone
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await read()
    except (TimeoutError, ServerBusy):
        return alone


async def _silent_nodes(services: Services) -> dict[str, str]:
    """The nodes of a cluster that do not answer, under `nodes`: requests of the users on them get 503."""
    distributed = False
    try:
        async with asyncio.timeout(_PATIENCE_S), services.database.system() as session:
            distributed = session.connection.distributed
            silent = await store.silent_nodes(session)
    except (Error, TimeoutError):
        return {"nodes": "not all answer in time; requests of some users fail"} if distributed else {}
    return {"nodes": f"{', '.join(silent)} not answering; requests of the users there fail"} if silent else {}


async def _model(services: Services) -> dict[str, str]:
    """Under `model`: this memd still runs with the model that `memd reembed` has replaced."""
    try:
        async with asyncio.timeout(_PATIENCE_S), services.database.system() as session:
            current = await store.current_model(session)
    except (Error, TimeoutError):
        return {}
    if current is None or services.current_model.number in {0, current}:
        return {}
    return {"model": "memd reembed has made the vectors of another model; restart memd with that model"}


async def _clock(services: Services) -> dict[str, str]:
    """The trouble with the system clock, under `clock`."""
    try:
        async with asyncio.timeout(_PATIENCE_S), services.database.system() as session:
            text = (await clock_jump.current(services, session)).text
    except (Error, TimeoutError):
        return {}
    return {} if text is None else {"clock": text}


async def lag(services: Services) -> dict[str, object]:
    """`lagSeconds` by kind; empty when the database does not answer in time."""
    lags = await _lag_ms(services)
    return {} if lags is None else {"lagSeconds": {kind.value: round(ms / 1000, 1) for kind, ms in lags.items()}}


async def metrics(services: Services, read: ReadStatus | None, durations: RequestDurations) -> bytes:
    """Prometheus text, over all processes of this memd."""
    await _measure_lag(services)
    await _count_jobs(services)
    status, requests = await processes(read), RequestMetrics(await _requests(durations))
    return await asyncio.to_thread(lambda: generate_latest(registry(status, [LAG, JOBS, requests])))


async def _requests(durations: RequestDurations) -> DurationsByKind:
    """The requests by kind; none when the supervising process does not answer."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await durations.read()
    except (TimeoutError, ServerBusy):
        return {}


async def _measure_lag(services: Services) -> None:
    """Set the gauge of every kind; the series are absent when the database does not answer in time."""
    LAG.clear()
    lags = await _lag_ms(services)
    for kind in () if lags is None else LagKind:
        LAG.labels(kind.value).set((lags or {}).get(kind, 0) / 1000)


async def _count_jobs(services: Services) -> None:
    """Set the gauge of every state; the series are absent when the database does not answer in time."""
    JOBS.clear()
    try:
        async with asyncio.timeout(_PATIENCE_S):
            counts = await queue_counts(services)
    except (Error, TimeoutError):
        return
    for state, number in counts.items():
        JOBS.labels(state).set(number)


async def _lag_ms(services: Services) -> Mapping[LagKind, int] | None:
    """Of all users; `/readyz` needs no key, so that callers share what is measured at most once a second."""
    return await services.lag.get(lambda: _measured_ms(services))


async def _measured_ms(services: Services) -> Mapping[LagKind, int] | None:
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await background.lag_ms(services, None)
    except (Error, TimeoutError):
        return None


async def degradations(services: Services) -> dict[str, str]:
    """Parts that do not work, or soon will not, although requests are answered, by name."""
    found: dict[str, str] = {}
    if services.batcher.is_open:
        found["embedder"] = "not answering; searches go by words alone"
    free = _free_bytes(services.settings)
    if free is not None and free < LITTLE_DISK:
        found["disk"] = f"{free // 2**20} MB free in the data directory; writes are refused when none is left"
    return found | await _silent_nodes(services) | await _model(services) | await _clock(services)


def _free_bytes(settings: Settings) -> int | None:
    """Room on the disk of the embedded Postgres; None for an outside one."""
    if settings.database_url is not None:
        return None
    try:
        return shutil.disk_usage(settings.data_dir).free
    except OSError:
        return None
