"""Files and folders into a knowledge base with memctl's own importer, so that both remember the same ledger.

Files are read in a thread; memd is asked from the event loop. A second run sends changes only.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memctl.client import MemdClient
from memctl.importers.delivery import Delivery, ImportSummary
from memctl.importers.ledger import Ledger
from memctl.importers.naming import bases_of, default_base
from memctl.importers.pieces import Piece, Refusal, Remark, Skipped
from memctl.importers.reader_process import ReaderProcess
from memctl.importers.reasons import by_reason, rest
from memctl.importers.sources import Filters, Source, find_sources, read_pieces
from memctl.settings import state_dir

CHUNK_SIZE = 1_200
BATCH = 200
SHOWN_REASONS = 5


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an import: files read, and the outcome for the chunks."""

    files: int
    of_files: int
    summary: ImportSummary

    def __str__(self) -> str:
        """One line."""
        summary = self.summary
        counts = f"{summary.new:,} new, {summary.updated:,} updated, {summary.unchanged:,} unchanged"
        refused = f", {len(summary.rejected):,} rejected" if summary.rejected else ""
        return f"{self.files:,} of {self.of_files:,} files: {counts}{refused}"


def reasons(summary: ImportSummary) -> list[str]:
    """Why chunks and files were not stored, or not as expected: the first reasons, each with the first rows that have it."""
    named = [*summary.rejected, *summary.skipped, *summary.remarks]
    lines = by_reason(named, SHOWN_REASONS)
    more = rest(named, SHOWN_REASONS)
    return [*lines, f"… and {more:,} more; memctl kb import lists them all"] if more else lines


def sources_of(path: str) -> list[Source]:
    """The files behind a path; raises memctl's CommandError when there is nothing."""
    return find_sources([path], Filters(), default_base(Path(path)))


async def import_files(
    client: MemdClient, knowledge_base_id: str, path: str, on_progress: Callable[[Progress], None]
) -> Progress:
    """Send what is new or changed below a path, once no other program imports into the same knowledge base.

    `on_progress` hears of every file read and every batch stored.
    """
    ledger = Ledger.of(state_dir(), client.url, knowledge_base_id)
    with await ledger.lock(), ledger, ReaderProcess() as reader:
        await ledger.reconcile(client, knowledge_base_id)
        bases = bases_of([path], ledger)
        ledger.remember_roots(bases)
        sources = find_sources([path], Filters(), bases[path])
        delivery = Delivery(client, knowledge_base_id, ledger)
        waiting: list[Piece] = []
        for read, source in enumerate(sources, 1):
            found = await asyncio.to_thread(_pieces, reader, source)
            waiting += delivery.changed(found, everything=False)
            if len(waiting) >= BATCH or read == len(sources):
                async for _ in delivery.send(waiting, BATCH):
                    on_progress(Progress(read, len(sources), delivery.summary))
                waiting = []
            on_progress(Progress(read, len(sources), delivery.summary))
        return Progress(len(sources), len(sources), delivery.summary)


def _pieces(reader: ReaderProcess, source: Source) -> list[Piece | Refusal | Skipped | Remark]:
    return list(read_pieces(reader, [source], CHUNK_SIZE, None))
