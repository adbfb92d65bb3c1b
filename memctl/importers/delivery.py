"""Sends chunks in batches, with retries after rate limits, a busy server or a broken connection."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from memctl.client import MemdClient
from memctl.client.errors import Invalid, TooLarge
from memctl.importers.ledger import BaseState, Ledger
from memctl.importers.pieces import Piece, Refusal, Remark, Skipped
from memctl.importers.retries import Sleep, with_retries
from memctl.wire.imports import ImportReply, ImportRequest

BATCH_BYTES = 8 * 2**20
FIRST_BATCH = 20
"""Chunks of the first batch; each further one has twice as many, so that the bar moves early on a slow machine."""


@dataclass(slots=True)
class ImportSummary:
    """The outcome for the chunks so far."""

    new: int = 0
    updated: int = 0
    moved: int = 0
    """Of the updated ones, those whose text is the same and whose place in the file is another one."""
    unchanged: int = 0
    duplicates: int = 0
    pending: int = 0
    removed: int = 0
    rejected: list[Refusal] = field(default_factory=list[Refusal])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    remarks: list[Remark] = field(default_factory=list[Remark])
    warnings: dict[str, None] = field(default_factory=dict[str, None])
    gone: list[str] = field(default_factory=list[str])
    """Files of earlier imports that are no longer there, whose chunks are still stored."""
    left_out: list[str] = field(default_factory=list[str])
    """Files of earlier imports that are there and were not read now, whose chunks are still stored."""

    @property
    def sent(self) -> int:
        """Chunks that the server stored."""
        return self.new + self.updated

    def count(self, reply: ImportReply, same_text: int) -> None:
        """Add the counts of a batch's reply; `same_text` is how many of its chunks memd had with the same text."""
        self.moved += min(same_text, reply.updated_count)
        self.new += reply.imported_count
        self.updated += reply.updated_count
        self.duplicates += reply.duplicates_removed
        self.pending += reply.pending_embeddings
        self.warnings.update(dict.fromkeys(reply.warnings))


def batches(pieces: Iterable[Piece], maximum: int) -> Iterator[list[Piece]]:
    """Lists of at most `maximum` chunks and about BATCH_BYTES, the first ones smaller."""
    batch: list[Piece] = []
    size = 0
    room = min(FIRST_BATCH, maximum)
    for piece in pieces:
        length = len(piece.chunk.content.encode(errors="surrogatepass"))
        if batch and (len(batch) == room or size + length > BATCH_BYTES):
            yield batch
            batch, size, room = list[Piece](), 0, min(2 * room, maximum)
        batch.append(piece)
        size += length
    if batch:
        yield batch


class Delivery:
    """One import into one knowledge base; `present` are keys of chunks that memd has, even if the ledger lacks them.

    A dry run also counts for a knowledge base that is yet to be made, whose id is empty.
    """

    def __init__(
        self, client: MemdClient, knowledge_base_id: str, ledger: Ledger, *, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._client = client
        self.base = knowledge_base_id
        self.ledger = ledger
        self._sleep = sleep
        self.summary = ImportSummary()
        self.keys: set[str] = set()
        self.present: set[str] = set()
        self.unanswered = 0
        """Chunks of a batch that was sent and not answered: memd may have stored them."""
        self.share: float | None = None
        """How much of the sources is done with, 0 to 1 by bytes; None where their size is not known."""

    def changed(
        self,
        found: Iterable[Piece | Refusal | Skipped | Remark],
        *,
        everything: bool,
        on_unchanged: Callable[[Piece], None] = lambda _piece: None,
    ) -> Iterator[Piece]:
        """The chunks that have to be sent; the others are counted, and `on_unchanged` gets the unchanged ones."""
        for each in found:
            if isinstance(each, Refusal):
                self.summary.rejected.append(each)
                continue
            if isinstance(each, Skipped):
                self.summary.skipped.append(each)
                continue
            if isinstance(each, Remark):
                self.summary.remarks.append(each)
                continue
            self.keys.add(each.key)
            if not everything and (each.key in self.present or self.ledger.holds(each)):
                self.summary.unchanged += 1
                on_unchanged(each)
            else:
                yield each

    async def count_only(self, changed: Iterable[Piece]) -> None:
        """Count the chunks that would be sent; memd replaces those whose key it has."""
        chunks = self._client.knowledge_bases.chunks(self.base)
        stored = {chunk.dedupe_key async for chunk in chunks if chunk.dedupe_key} if self.base else set[str]()
        for piece in changed:
            if piece.chunk.dedupe_key in stored:
                self.summary.updated += 1
                self.summary.moved += self.ledger.holds_text(piece)
            else:
                self.summary.new += 1

    async def send(self, pieces: Iterable[Piece], batch_size: int) -> AsyncIterator[list[Piece]]:
        """Send everything, and yield each batch when it is done with; raises errors that end the import."""
        waiting: Iterator[list[Piece]] = batches(pieces, batch_size)
        while (batch := next(waiting, None)) is not None:
            try:
                self.ledger.expect(batch)
                self.unanswered = len(batch)
                reply = await with_retries(partial(self._send, batch), self._sleep)
            except TooLarge as error:
                waiting = chain(self._halves(batch, str(error)), waiting)
                continue
            except Invalid as error:
                waiting = chain(self._without_invalid(batch, error), waiting)
                continue
            self.unanswered = 0
            self._settle(batch, reply)
            yield batch

    def _halves(self, batch: list[Piece], reason: str) -> list[list[Piece]]:
        """A batch that is too large in two; a single chunk is rejected."""
        if len(batch) == 1:
            self.summary.rejected.append(Refusal(batch[0].origin, reason))
            return []
        middle = len(batch) // 2
        return [batch[:middle], batch[middle:]]

    def _without_invalid(self, batch: list[Piece], error: Invalid) -> list[list[Piece]]:
        """The batch without the chunk that the server refused it for."""
        index = error.body.index
        if index is None or index >= len(batch):
            raise error
        self.summary.rejected.append(Refusal(batch[index].origin, error.body.details or error.body.error))
        rest = [*batch[:index], *batch[index + 1 :]]
        return [rest] if rest else []

    def _settle(self, batch: list[Piece], reply: ImportReply) -> None:
        """Count the reply, and remember what was stored."""
        rejected = {
            each.index: f"{each.reason} [{each.threat_id}]" if each.threat_id else each.reason
            for each in reply.rejected
        }
        self.summary.rejected += [Refusal(batch[index].origin, reason) for index, reason in rejected.items()]
        stored = [piece for index, piece in enumerate(batch) if index not in rejected]
        self.summary.count(reply, same_text=sum(map(self.ledger.holds_text, stored)))
        self.ledger.acknowledge(stored, BaseState(reply.memory_count, reply.total_chars, reply.timestamp))

    async def _send(self, batch: list[Piece]) -> ImportReply:
        request = ImportRequest(chunks=[piece.chunk for piece in batch])
        return await self._client.knowledge_bases.import_chunks(self.base, request)
