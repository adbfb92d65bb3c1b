"""The rows of a data set on their way to the server, and the wait until they can be found."""

import asyncio
import time
from collections.abc import AsyncGenerator, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from pydantic import ValidationError

from memctl.client import MemdClient
from memctl.client.errors import ClientError, NotFound
from memctl.diagnostics import CommandError, ExitCode, meter, note
from memctl.evaluation import Lines
from memctl.findings import first_finding
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


@asynccontextmanager
async def logged_messages(
    client: MemdClient, rows: Lines, channel: str, *, keep: bool
) -> AsyncGenerator[Mapping[str, str]]:
    """Log the messages on the channel, in sessions of its own, and erase them after the block, unless `keep`.

    Yields the data set's ids by the server's. CommandError, before anything is sent, for a row that is no message.
    """
    requests = [(row, _request(row, channel)) for row in rows]
    names, loose = dict[str, str](), list[str]()
    limit = asyncio.Semaphore(AT_ONCE)

    async def log(row: Mapping[str, Any], request: LogRequest) -> None:
        async with limit:
            reply = await with_retries(partial(client.messages.log, request))
        if reply.id is not None:
            names[reply.id] = str(row.get("id", reply.id))
            if request.session_key is None:
                loose.append(reply.id)
        progress.advance(1, "")

    try:
        with meter("logging", len(rows)) as progress:
            await _all(log(row, request) for row, request in requests)
        yield names
    finally:
        if keep:
            note(f"the messages stay on channel {channel} until they expire")
        else:
            sessions = {request.session_key for _, request in requests if request.session_key is not None}
            await _erase(client, channel, sorted(sessions), loose)


def _request(row: Mapping[str, Any], channel: str) -> LogRequest:
    """The message on the channel; its session is one that only the measurement has, so that no other is erased."""
    try:
        request = LogRequest.from_body({**row, "channel": channel})
    except ValidationError as error:
        raise CommandError(f"message {row.get('id')}: {first_finding(error)}", ExitCode.USAGE) from error
    if request.session_key is None:
        return request
    return request.model_copy(update={"session_key": f"{channel}:{request.session_key}"})


async def _all(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except* ClientError as failures:
        raise failures.exceptions[0] from None


async def _erase(client: MemdClient, channel: str, sessions: Iterable[str], loose: Iterable[str]) -> None:
    """Erase sessions, and messages without one, and what was derived from them."""
    request = EraseMessagesRequest(channel=channel)
    for session in sessions:
        await with_retries(partial(client.erasure.session, session, request))
    for message in loose:
        with suppress(NotFound):
            await with_retries(partial(client.erasure.message, message, request))


@asynccontextmanager
async def filled_base(client: MemdClient, rows: Lines, name: str, *, keep: bool) -> AsyncGenerator[str]:
    """Fill a new knowledge base with the chunks, and delete it after the block, unless `keep`; yields its id.

    CommandError when one of them is not stored.
    """
    base = await client.knowledge_bases.create(CreateKnowledgeBaseRequest(name=name))
    try:
        with meter("importing", len(rows)) as progress:
            for batch in _batches(rows):
                await _import(client, base.id, batch)
                progress.advance(len(batch), "")
        yield base.id
    finally:
        if keep:
            note(f"the chunks are in the knowledge base {name} ({base.id})")
        else:
            async for _ in client.knowledge_bases.archive(base.id):
                pass
            async for _ in client.knowledge_bases.delete(base.id):
                pass


async def _import(client: MemdClient, base_id: str, rows: Lines) -> None:
    request = ImportRequest.from_body({"chunks": rows})
    reply = await with_retries(partial(client.knowledge_bases.import_chunks, base_id, request))
    if reply.rejected:
        first = reply.rejected[0]
        raise CommandError(f"chunk {first.index} was not stored: {first.reason}", ExitCode.UNEXPECTED)


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
