"""Brings the records of an import into memd: several at a time, and each of them once however often it is run."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from memctl.client import MemdClient
from memctl.client.errors import ClientError, Forbidden, Invalid
from memctl.diagnostics import Meter, note
from memctl.importers.bases import Bases
from memctl.importers.captures import BatchCounts, MemoryBatch, send_batch
from memctl.importers.pieces import Refusal
from memctl.importers.present import Present
from memctl.importers.records import Base, Chunk, Kept, LeftOut, Memory, Message, Record, Replaced
from memctl.importers.retries import Sleep, with_retries
from memctl.wire.instants import exact
from memctl.wire.limits import MESSAGE_PAGE_MAX
from memctl.wire.messages import ListMessagesRequest, LogRequest

WORKERS = 4
"""Requests at once; a plan that allows fewer lets the others wait (contract 1.7)."""
AHEAD = 20
"""Requests read ahead for each worker."""

Request = Message | MemoryBatch


@dataclass(slots=True)
class Counts:
    """The outcome for the records of one kind."""

    new: int = 0
    known: int = 0


@dataclass(slots=True)
class Summary:
    """The outcome of an import."""

    messages: Counts = field(default_factory=Counts)
    memories: Counts = field(default_factory=Counts)
    chunks: Counts = field(default_factory=Counts)
    replaced: list[Replaced] = field(default_factory=list[Replaced])
    kept: list[Kept] = field(default_factory=list[Kept])
    """Memories and chunks that memd has in a newer version; they are among those that it knew."""
    forgotten: int = 0
    """Memories that were left out because the user has forgotten them."""
    truncated: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])
    rejected: list[Refusal] = field(default_factory=list[Refusal])
    stored: set[str] = field(default_factory=set[str])
    """The ids of the new memories."""
    same_as: list[str] = field(default_factory=list[str])
    """The ids of the memories that known ones have the text of."""

    @property
    def repeated(self) -> int:
        """Known memories that memd has from this very import, which holds them more than once."""
        return sum(memory_id in self.stored for memory_id in self.same_as)

    @property
    def handled(self) -> int:
        """Records that are done with, one way or another."""
        counts = sum(each.new + each.known for each in (self.messages, self.memories, self.chunks))
        return counts + len(self.replaced) + self.forgotten + sum(self.left_out.values()) + len(self.rejected)


class Intake:
    """One import; the summary is correct even after an error.

    `overwrite` also replaces what is newer in memd, `again` also brings in what the user has forgotten.
    """

    def __init__(
        self,
        client: MemdClient,
        bases: Bases,
        *,
        overwrite: bool = False,
        again: bool = False,
        dry_run: bool = False,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._client = client
        self._bases = bases
        self._dry_run = dry_run
        self._sleep = sleep
        self._present = Present(client, overwrite=overwrite, again=again, sleep=sleep, report=self._report)
        self._printed = ""
        self._on_the_way = 0
        self.summary = Summary()

    @property
    def unanswered(self) -> int:
        """Records that were sent and not answered: memd may have stored them."""
        return self._on_the_way + self._bases.unanswered

    async def take(self, records: Iterable[Record], progress: Meter) -> None:
        """Bring all records in; raises the failure of the server that ends the import."""
        queues = [asyncio.Queue[Request | None](AHEAD) for _ in range(WORKERS)]
        try:
            async with asyncio.TaskGroup() as group:
                for queue in queues:
                    group.create_task(self._work(queue, progress))
                await self._hand_out(records, queues, progress)
        except* ClientError as failures:
            raise _first(failures) from None
        finally:
            self.summary.chunks = Counts(self._bases.new, self._bases.known)
            self.summary.replaced += self._bases.replaced
            self.summary.kept += self._bases.kept

    async def _hand_out(
        self, records: Iterable[Record], queues: list[asyncio.Queue[Request | None]], progress: Meter
    ) -> None:
        """Give requests to the workers; what has no time of its own stays in order: messages of a session, memories.

        Of two memories that disagree, the one that is stored later is the newer one. Copies of a message stay in order,
        too: the first one would be taken for known if a later one was stored before it.
        """
        turn = 0
        for record in _batched(self._requests(records, progress)):
            if isinstance(record, Chunk | Base):
                await self._bases.take(record, self.summary.rejected)
                progress.advance(1, "")
                continue
            if isinstance(record, Message) and record.request.timestamp is None:
                turn = hash(record.request.session_key)
            elif isinstance(record, Message) and record.copy:
                turn = record.said
            elif isinstance(record, MemoryBatch) and any(each.request.created_at is None for each in record.memories):
                turn = 0
            else:
                turn += 1
            await queues[turn % len(queues)].put(record)
        for queue in queues:
            await queue.put(None)
        await self._bases.finish(self.summary.rejected)

    def _requests(self, records: Iterable[Record], progress: Meter) -> Iterator[Message | Memory | Chunk | Base]:
        """The records that are sent; the others are counted. A dry run sends none."""
        for record in records:
            match record:
                case Refusal():
                    self.summary.rejected.append(record)
                case LeftOut(what):
                    self.summary.left_out[what] += 1
                case Base() if self._dry_run:
                    pass
                case Chunk() if self._dry_run:
                    self._bases.new += 1
                case Message() | Memory() if self._dry_run:
                    self._counts(record).new += 1
                case _:
                    yield record
                    continue
            progress.advance(1, "")

    def _counts(self, record: Message | Memory) -> Counts:
        return self.summary.messages if isinstance(record, Message) else self.summary.memories

    async def _work(self, queue: asyncio.Queue[Request | None], progress: Meter) -> None:
        while (request := await queue.get()) is not None:
            done = len(request.memories) if isinstance(request, MemoryBatch) else 1
            self._on_the_way += done
            if isinstance(request, MemoryBatch):
                await self._capture(request)
            else:
                await self._log(request)
            self._on_the_way -= done
            progress.advance(done, f"{self.summary.messages.new + self.summary.memories.new:,} new")

    async def _log(self, record: Message) -> None:
        counts = self.summary.messages
        if record.copy and await self._stored_copies(record.request) >= record.copy:
            counts.known += 1
            return
        try:
            reply = await with_retries(partial(self._client.messages.log, record.request), self._sleep, self._report)
        except Invalid as error:
            self.summary.rejected.append(Refusal(record.origin, str(error)))
            return
        if reply.skipped:
            self.summary.left_out[reply.reason or "skipped"] += 1
        elif reply.deduped:
            counts.known += 1
        else:
            counts.new += 1
            self.summary.truncated += bool(reply.truncated)

    async def _stored_copies(self, message: LogRequest) -> int:
        """How often memd has the text of that instant; it has it when an export comes back to where it was made."""
        moment = None if message.timestamp is None else exact(message.timestamp)
        instant = ListMessagesRequest(from_ms=moment, to_ms=moment, all_channels=True, limit=MESSAGE_PAGE_MAX)
        try:
            page = await with_retries(partial(self._client.messages.page, instant), self._sleep, self._report)
        except Forbidden:  # a key may be allowed to write only
            return 0
        same = (message.role, message.channel, message.content)
        return sum((row.role, row.channel, row.content) == same for row in page.messages)

    async def _capture(self, batch: MemoryBatch) -> None:
        counts = BatchCounts()
        try:
            unsettled = MemoryBatch(await self._present.to_send(batch.memories, counts))
            if unsettled.memories:
                await send_batch(self._client, unsettled, counts, self._sleep, self._report)
        finally:
            self.summary.memories.new += counts.new
            self.summary.memories.known += counts.known
            self.summary.forgotten += counts.forgotten
            self.summary.stored.update(counts.stored)
            self.summary.same_as += counts.same_as
            self.summary.replaced += counts.replaced
            self.summary.kept += counts.kept
            self.summary.rejected += counts.rejected

    def _report(self, text: str) -> None:
        """Say once what all workers wait for."""
        if text != self._printed:
            self._printed = text
            note(text)


def _batched(records: Iterable[Message | Memory | Chunk | Base]) -> Iterator[Message | MemoryBatch | Chunk | Base]:
    """The records, memories gathered in batches."""
    batch = MemoryBatch()
    for record in records:
        if not isinstance(record, Memory):
            yield record
            continue
        if not batch.takes(record):
            yield batch
            batch = MemoryBatch()
        batch.add(record)
    if batch.memories:
        yield batch


def _first(failures: BaseExceptionGroup[ClientError]) -> ClientError:
    """The first failure of a group, however deeply nested."""
    inner = failures.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
