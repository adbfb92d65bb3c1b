"""The knowledge bases of an import: found by name or made, and filled in batches."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from memctl.client import MemdClient
from memctl.client.errors import Invalid, NotFound
from memctl.diagnostics import note
from memctl.importers.delivery import Delivery, ImportSummary
from memctl.importers.ledger import Ledger
from memctl.importers.named_bases import make_base, with_name
from memctl.importers.pieces import Piece, Refusal, content_key
from memctl.importers.records import Base, Chunk, Exported, Kept, Replaced
from memctl.importers.retries import with_retries
from memctl.importers.stored_chunks import StoredChunk
from memctl.text import moment

BATCH = 200


class Bases:
    """Takes the bases and chunks of one import; open it with `with`.

    `new` and `known` count chunks. Chunks of an export do not replace what memd has changed since, unless `overwrite`
    is set: they are `kept`, and known.
    """

    def __init__(self, client: MemdClient, state: Path, *, overwrite: bool = False) -> None:
        self._client = client
        self._state = state
        self._overwrite = overwrite
        self._open = ExitStack()
        self._ids: dict[str, str | None] = {}
        self._deliveries: dict[str, Delivery] = {}
        self._waiting: dict[str, list[Piece]] = {}
        self._held: dict[str, dict[str, StoredChunk]] = {}
        self._described: dict[str, Exported | None] = {}
        self.new = 0
        self.known = 0
        self.replaced: list[Replaced] = []
        self.kept: list[Kept] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the ledgers, and release their locks."""
        self._open.close()

    async def take(self, record: Base | Chunk, rejected: list[Refusal]) -> None:
        """A description before the chunks of its base, or a chunk; full batches are sent."""
        if isinstance(record, Base):
            self._described[record.reference] = record.exported
            self._ids[record.reference] = await self._find_or_make(record)
            return
        waiting = self._waiting.setdefault(record.reference, [])
        waiting.append(record.piece)
        if len(waiting) >= BATCH:
            await self._send(record.reference, rejected)

    async def finish(self, rejected: list[Refusal]) -> None:
        """Send what still waits."""
        for reference in self._waiting:
            await self._send(reference, rejected)

    async def _find_or_make(self, base: Base) -> str:
        """The id of the active base with the name; a new one with the described settings when there is none."""
        for row in await with_name(self._client, base.request.name):
            if not row.archived:
                note(f"chunks go into the existing knowledge base {row.name} ({row.id})")
                return row.id
        return (await make_base(self._client, base.request)).id

    async def _send(self, reference: str, rejected: list[Refusal]) -> None:
        pieces, self._waiting[reference] = self._waiting[reference], list[Piece]()
        if not pieces:
            return
        base_id = await self._id(reference)
        if base_id is None:
            reason = f"{reference} is not described in the import and not known here"
            rejected += [Refusal(piece.origin, reason) for piece in pieces]
            return
        delivery = await self._delivery(base_id)
        held = self._held[base_id]
        unsettled = [
            piece
            for piece in await self._without_newer(pieces, reference, base_id)
            if piece.key not in held or not held[piece.key].equals(piece)
        ]
        self.known += len(pieces) - len(unsettled)
        summary, sent = delivery.summary, list[Piece]()
        new, known, refused = summary.new, _known(summary), len(summary.rejected)
        try:
            async for batch in delivery.send(delivery.changed(unsettled, everything=False), BATCH):
                sent += batch
        finally:
            rejected += summary.rejected[refused:]
            replaced = self._replaced(sent, summary.rejected, base_id)
            self.replaced += replaced
            self.new += summary.new - new
            self.known += _known(summary) - known - len(replaced)
            for piece in sent:
                held.pop(piece.key, None)

    async def _without_newer(self, pieces: list[Piece], reference: str, base_id: str) -> list[Piece]:
        """The chunks but those that memd has changed after the export last changed the base; these are kept.

        An export that does not say when it did changes no text of memd.
        """
        exported = self._described.get(reference, Exported(reference, None))
        if exported is None or self._overwrite:
            return pieces
        others: list[Piece] = []
        for piece in pieces:
            held = self._other_text(piece, base_id)
            changed_at = None if held is None else await self._changed_at(held)
            if held is None or changed_at is None or changed_at <= (exported.changed_at or 0):
                others.append(piece)
            else:
                title = piece.chunk.metadata.title or ""
                self.kept.append(Kept(piece.origin, title, held.id, f"changed on {moment(changed_at)}"))
        return others

    def _replaced(self, pieces: list[Piece], refused: list[Refusal], base_id: str) -> list[Replaced]:
        """The chunks that were sent for another text under their key."""
        origins = {each.origin for each in refused}
        return [
            Replaced(piece.origin, piece.chunk.metadata.title or "")
            for piece in pieces
            if piece.origin not in origins and self._other_text(piece, base_id)
        ]

    def _other_text(self, piece: Piece, base_id: str) -> StoredChunk | None:
        """What memd had under the chunk's key before the import, where that is another text."""
        held = self._held[base_id].get(piece.key)
        return None if held is None or held.has_text_of(piece) else held

    async def _changed_at(self, held: StoredChunk) -> int | None:
        """When memd last changed a chunk (epoch ms); None where it has been deleted meanwhile."""
        try:
            return (await with_retries(partial(self._client.memories.show, held.id))).updated_at
        except NotFound:
            return None

    @property
    def unanswered(self) -> int:
        """Chunks that were sent and not answered."""
        return sum(each.unanswered for each in self._deliveries.values())

    async def _id(self, reference: str) -> str | None:
        """The local base for a base of the export: the described one, or the very same one."""
        if reference not in self._ids:
            try:
                self._ids[reference] = (await self._client.knowledge_bases.show(reference, 1)).id
            except (NotFound, Invalid):
                self._ids[reference] = None
        return self._ids[reference]

    async def _delivery(self, base_id: str) -> Delivery:
        """The delivery into a base; it knows what the base holds already: by its ledger, by content without a key."""
        if base_id not in self._deliveries:
            if not self._deliveries:
                self._open.enter_context(await Ledger.lock_exports(self._state, self._client.url))
            ledger = Ledger.of(self._state, self._client.url, base_id)
            self._open.enter_context(await ledger.lock())
            self._open.enter_context(ledger)
            await ledger.reconcile(self._client, base_id)
            delivery = self._deliveries[base_id] = Delivery(self._client, base_id, ledger)
            held = self._held[base_id] = dict[str, StoredChunk]()
            async for chunk in self._client.knowledge_bases.chunks(base_id):
                if chunk.dedupe_key is None:
                    delivery.present.add(content_key(chunk.content))
                else:
                    held[chunk.dedupe_key] = StoredChunk.of(chunk)
        return self._deliveries[base_id]


def _known(summary: ImportSummary) -> int:
    """The chunks that memd had under their keys, or by their content."""
    return summary.unchanged + summary.updated + summary.duplicates
