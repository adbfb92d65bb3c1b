"""The knowledge bases of an import: found by name or made, and filled in batches."""

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from memctl.client import MemdClient
from memctl.client.errors import Invalid, NotFound
from memctl.diagnostics import note
from memctl.importers.delivery import Delivery
from memctl.importers.ledger import Ledger
from memctl.importers.pieces import Piece, Refusal, content_key
from memctl.importers.records import Base, Chunk
from memctl.wire.knowledge_bases import ListKnowledgeBasesRequest, PatchKnowledgeBaseRequest

BATCH = 200


class Bases:
    """Takes the bases and chunks of one import; open it with `with`.

    `new` and `known` count chunks; a chunk whose key memd had already is known, also if its text was replaced.
    """

    def __init__(self, client: MemdClient, state: Path) -> None:
        self._client = client
        self._state = state
        self._open = ExitStack()
        self._ids: dict[str, str | None] = {}
        self._deliveries: dict[str, Delivery] = {}
        self._waiting: dict[str, list[Piece]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the ledgers."""
        self._open.close()

    async def take(self, record: Base | Chunk, rejected: list[Refusal]) -> None:
        """A description before the chunks of its base, or a chunk; full batches are sent."""
        if isinstance(record, Base):
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
        listing = await self._client.knowledge_bases.list(ListKnowledgeBasesRequest())
        folded_name = base.request.name.strip().casefold()
        for row in listing.knowledge_bases:
            if row.name.strip().casefold() == folded_name:
                note(f"chunks go into the existing knowledge base {row.name} ({row.id})")
                return row.id
        made = await self._client.knowledge_bases.create(base.request)
        if base.metadata:
            await self._client.knowledge_bases.change(made.id, PatchKnowledgeBaseRequest(metadata=base.metadata))
        note(f"created the knowledge base {made.name} ({made.id})")
        return made.id

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
        refused = len(delivery.summary.rejected)
        try:
            async for _ in delivery.send(delivery.changed(pieces, everything=False), BATCH):
                pass
        finally:
            rejected += delivery.summary.rejected[refused:]

    def counts(self) -> tuple[int, int]:
        """The chunks so far that are new, and those that memd knew by their key or their content."""
        summaries = [each.summary for each in self._deliveries.values()]
        known = sum(each.updated + each.unchanged + each.duplicates for each in summaries)
        return sum(each.new for each in summaries), known

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
            ledger = self._open.enter_context(Ledger.of(self._state, self._client.url, base_id))
            await ledger.reconcile(self._client, base_id)
            delivery = self._deliveries[base_id] = Delivery(self._client, base_id, ledger)
            async for chunk in self._client.knowledge_bases.chunks(base_id):
                if chunk.dedupe_key is None:
                    delivery.present.add(content_key(chunk.content))
        return self._deliveries[base_id]
