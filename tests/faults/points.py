"""The points of a request, a job or a start at which its process can be killed, found by watching memd from outside.

memd itself knows nothing of them: what every write passes through (handlers, transactions, replies) is wrapped in the
process under test. At each point the whole process stops, event loop included, until the harness has answered.
"""

import asyncio
import functools
import socket
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from starlette.types import Message, Receive, Scope, Send

from memd import bootstrap
from memd.access.background_tasks import BackgroundTasks
from memd.access.http.envelope import EnvelopeMiddleware
from memd.app import ROOMS
from memd.db.session import _COMMIT, Params, Session, _Transaction
from memd.devices import pages
from memd.jobs import worker
from memd.memories import group_commit
from memd.schedule import service as schedule
from memd.schedule.registry import Scheduled

_ACTIVE: Final[ContextVar[bool]] = ContextVar("fault_points", default=False)
"""Whether the watched write is what runs; tasks that it starts inherit it, background tasks excepted."""
READ: Final = "request read"
CLAIMED: Final = "claimed"
BEGUN: Final = "begun"
REPLY: Final = "reply ready"
DONE: Final = "done"
COMMITTING: Final = "before commit"
COMMITTED: Final = "committed"


@dataclass(slots=True)
class Probe:
    """The connection to the harness, and how far the watched write is."""

    channel: socket.socket
    begun: bool = False
    transactions: int = 0

    def reach(self, point: str) -> None:
        """Name a point and stand still until the harness lets the process go on."""
        self.channel.sendall(f"{point}\n".encode())
        self.channel.recv(1)

    def begin(self, point: str) -> None:
        """The watched write begins."""
        self.begun = True
        _ACTIVE.set(True)
        self.reach(point)


def watch(probe: Probe, target: str) -> None:
    """Report the points of one endpoint (`POST /api/…`), job (`job embed`) or start (`start`) to the harness."""
    _watch_transactions(probe)
    kind, _, name = target.partition(" ")
    if kind == "job":
        _watch_job(probe, name)
    elif kind == "start":
        _watch_start(probe)
    else:
        _watch_endpoint(probe, target)
        _watch_reply(probe)


def _watch_transactions(probe: Probe) -> None:
    """Report a transaction after its first answer, before it commits, and when it has."""
    real, real_many = Session._run, Session.execute_many

    async def run(self: Session, *statements: Any, **options: Any) -> Any:
        if not _ACTIVE.get() or not isinstance(self, _Transaction):
            return await real(self, *statements, **options)
        last = bool(statements) and statements[-1] is _COMMIT
        if last:
            probe.reach(f"{_number(probe, self)}: {COMMITTING}")
        cursors = await real(self, *statements, **options)
        if last:
            probe.reach(f"{_number(probe, self)}: {COMMITTED}")
        else:
            _answered(probe, self)
        return cursors

    async def execute_many(self: Session, sql: str, params: Sequence[Params]) -> None:
        await real_many(self, sql, params)
        if _ACTIVE.get() and isinstance(self, _Transaction):
            _answered(probe, self)

    Session._run, Session.execute_many = run, execute_many
    _watch_group_commit(probe)
    _leave_background_tasks()


def _number(probe: Probe, session: Session) -> str:
    """The name of a transaction: transactions are numbered by their first statements."""
    facts = vars(session)
    if "fault_number" not in facts:
        probe.transactions += 1
        facts["fault_number"] = probe.transactions
    return f"transaction {facts['fault_number']}"


def _answered(probe: Probe, session: Session) -> None:
    if "fault_number" not in vars(session):
        probe.reach(f"{_number(probe, session)}: {BEGUN}")


def _leave_background_tasks() -> None:
    """No kill points after the reply: nobody was told that the background work is done."""
    real = BackgroundTasks._start

    def start(self: BackgroundTasks, work: Coroutine[Any, Any, None], name: str) -> None:
        token = _ACTIVE.set(False)
        try:
            real(self, work, name)
        finally:
            _ACTIVE.reset(token)

    BackgroundTasks._start = start


def _watch_group_commit(probe: Probe) -> None:
    """Transactions that calls share run in a context of their own."""
    real = group_commit._store

    async def store(*arguments: Any, **options: Any) -> Any:
        _ACTIVE.set(probe.begun)
        return await real(*arguments, **options)

    group_commit._store = store


def _watch_endpoint(probe: Probe, name: str) -> None:
    for room in ROOMS:
        for known in (room.endpoints, room.open_endpoints):
            for index, endpoint in enumerate(known):
                if endpoint.name == name:
                    cast("list[Any]", known)[index] = replace(endpoint, handler=_begun(probe, READ, endpoint.handler))
    for (method, path), page in pages.PAGES.items():
        if f"{method} {path}" == name:
            cast("dict[Any, Any]", pages.PAGES)[method, path] = _begun(probe, READ, page)


def _begun(probe: Probe, point: str, real: Callable[..., Awaitable[Any]]) -> Callable[..., Any]:
    @functools.wraps(real)
    async def run(*arguments: Any) -> Any:
        probe.begin(point)
        return await real(*arguments)

    return run


def _watch_reply(probe: Probe) -> None:
    real = EnvelopeMiddleware.__call__

    async def call(self: EnvelopeMiddleware, scope: Scope, receive: Receive, send: Send) -> None:
        async def watched(message: Message) -> None:
            if probe.begun and message["type"] == "http.response.start":
                probe.reach(REPLY)
            await send(message)

        await real(self, scope, receive, watched)

    EnvelopeMiddleware.__call__ = call


def _watch_job(probe: Probe, name: str) -> None:
    """Jobs of other kinds never begin, so that nothing else is written meanwhile."""
    real = schedule.run

    def watched(kind: str, handler: worker.Handler) -> worker.Handler:
        async def run(*arguments: Any) -> None:
            await _job(probe, kind == name, handler, *arguments)

        return run

    async def scheduled(services: Any, entry: Scheduled) -> None:
        await _job(probe, entry.name == name, real, services, entry)

    worker.HANDLERS = {kind: watched(kind, handler) for kind, handler in worker.HANDLERS.items()}
    schedule.run = scheduled


async def _job(probe: Probe, wanted: bool, work: Callable[..., Awaitable[None]], *arguments: Any) -> None:
    if not wanted or probe.begun:
        await asyncio.Event().wait()
    probe.begin(CLAIMED)
    await work(*arguments)
    _ACTIVE.set(False)
    probe.reach(DONE)


def _watch_start(probe: Probe) -> None:
    real = bootstrap.bootstrap

    async def watched(*arguments: Any, **options: Any) -> bool:
        probe.begin(BEGUN)
        first = await real(*arguments, **options)
        _ACTIVE.set(False)
        probe.reach(DONE)
        return first

    bootstrap.bootstrap = watched
