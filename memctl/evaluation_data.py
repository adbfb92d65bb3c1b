"""The rows of a data set on their way to the server, and the wait until they can be found."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from memctl.client import MemdClient
from memctl.client.errors import ClientError, NotFound
from memctl.diagnostics import CommandError, ExitCode, meter, note
from memctl.evaluation import Lines
from memctl.importers.retries import with_retries
from memctl.wire.erasure import EraseMessagesRequest
from memctl.wire.imports import ImportRequest
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.messages import LogRequest

AT_ONCE = 8
BATCH = 500
POLL_SECONDS = 0.5
EMBEDDING = ("embed", "message_embedder")
"""The kinds of background job that embed what waits."""


async def log_messages(client: MemdClient, rows: Lines, channel: str) -> dict[str, str]:
    """Log the messages on the channel, in sessions of its own; the data set's ids by the server's."""
    names: dict[str, str] = {}
    limit = asyncio.Semaphore(AT_ONCE)

    async def log(row: dict[str, Any]) -> None:
        session = row.get("sessionKey")
        own = {"sessionKey": _own_session(channel, session)} if session else {}
        request = LogRequest.from_body({**row, **own, "channel": channel})
        async with limit:
            reply = await with_retries(partial(client.messages.log, request))
        if reply.id is not None:
            names[reply.id] = str(row.get("id", reply.id))
        progress.advance(1, "")

    with meter("logging", len(rows)) as progress:
        await _all(log, rows)
    return names


async def erase_messages(client: MemdClient, rows: Lines, names: Mapping[str, str], channel: str) -> None:
    """Erase what `log_messages` stored, and what was derived from it; `names` as returned by it."""
    request = EraseMessagesRequest(channel=channel)
    for session in sorted({str(row["sessionKey"]) for row in rows if row.get("sessionKey")}):
        await with_retries(partial(client.erasure.session, _own_session(channel, session), request))
    loose = {str(row.get("id")) for row in rows if not row.get("sessionKey")}
    for stored, own in names.items():
        if own in loose or own == stored:
            with suppress(NotFound):
                await with_retries(partial(client.erasure.message, stored, request))


def _own_session(channel: str, session: object) -> str:
    """A session that only the measurement has, so that it can be erased without touching the user's own."""
    return f"{channel}:{session}"


async def _all(log: Any, rows: Lines) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            for row in rows:
                group.create_task(log(row))
    except* ClientError as failures:
        raise failures.exceptions[0] from None


async def fill_base(client: MemdClient, rows: Lines, name: str) -> str:
    """A new knowledge base with the chunks; its id. CommandError when one of them is not stored."""
    base = await client.knowledge_bases.create(CreateKnowledgeBaseRequest(name=name))
    with meter("importing", len(rows)) as progress:
        for batch in _batches(rows):
            request = ImportRequest.from_body({"chunks": batch})
            reply = await with_retries(partial(client.knowledge_bases.import_chunks, base.id, request))
            if reply.rejected:
                first = reply.rejected[0]
                raise CommandError(f"chunk {first.index} was not stored: {first.reason}", ExitCode.UNEXPECTED)
            progress.advance(len(batch), "")
    return base.id


def _batches(rows: Lines) -> Sequence[Lines]:
    return [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]


async def settle(client: MemdClient, seconds: float) -> None:
    """Wait until no embedding is queued, at most this many seconds; rows without one are found by words only."""
    end = time.monotonic() + seconds
    while True:
        kinds = (await client.jobs.list()).queue.by_kind
        waiting = sum(kinds[kind].queued + kinds[kind].running for kind in EMBEDDING if kind in kinds)
        if not waiting:
            return
        if time.monotonic() >= end:
            note(f"{waiting} embedding jobs still wait; figures may be lower than they could be")
            return
        await asyncio.sleep(POLL_SECONDS)
