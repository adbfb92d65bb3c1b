"""One knowledge base filled from files: what changed is sent, and what no longer exists is removed on request."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from memctl.client import MemdClient
from memctl.diagnostics import CommandError, ExitCode, meter
from memctl.importers.delivery import Delivery, ImportSummary
from memctl.importers.download import is_url, name_of_url
from memctl.importers.ledger import Ledger
from memctl.importers.naming import bases_of, default_base
from memctl.importers.pieces import Piece
from memctl.importers.pruning import archive, find_gone, is_below
from memctl.importers.reader_process import ReaderProcess
from memctl.importers.sources import STDIN, Filters, Source, find_sources, name_of, read_pieces
from memctl.text import count


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The options of the command line."""

    base: str
    paths: tuple[str, ...]
    filters: Filters
    root: Path | None
    title: str | None
    chunk_size: int
    batch: int
    create: bool
    everything: bool
    prune: bool
    dry_run: bool
    watch: bool
    ignore_rejected: bool = False
    downloads: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """Where the content of each address among the paths is."""
    bases: Mapping[str, Path] = field(default_factory=dict[str, Path])

    def placed(self, ledger: Ledger) -> Self:
        """The same plan with the folder that the keys of each path are relative to."""
        if self.root is not None:
            return self
        return replace(self, bases=bases_of(self._files(), ledger))

    def base_of(self, path: str) -> Path:
        """The folder that the keys of a path are relative to."""
        return self.root or self.bases.get(path) or default_base(Path(path))

    def sources(self) -> list[Source]:
        """The files behind the paths as they are now."""
        return [each for path in self.paths for each in self._sources_of(path)]

    def roots(self) -> list[str]:
        """The names that the keys of the given paths begin with."""
        files = [name_of(Path(path), Path(path), self.base_of(path)) for path in self._files()]
        return [*files, *map(name_of_url, self.downloads)]

    def still_has(self, name: str) -> bool:
        """Whether the file that keys name so is there, whether it counts in this import or not."""
        return any((self._folder_of(path) / name).is_file() for path in self._files())

    def _folder_of(self, path: str) -> Path:
        """The folder that the names of the files below a path begin in; see `name_of`."""
        argument, base = Path(path).resolve(), self.base_of(path).resolve()
        return base if argument.is_relative_to(base) else argument.parent

    def empty_folders(self, sources: Sequence[Source]) -> list[str]:
        """The folders among the paths that none of the sources is in."""
        found = [source.path for source in sources if source.path is not None]
        there = (path for path in self._files() if not self._is_missing(path))
        return [path for path in there if not any(each.is_relative_to(path) for each in found)]

    def check_missing(self, ledger: Ledger) -> None:
        """CommandError for a path that is not there and was never imported: only a known one has chunks to archive."""
        for path in filter(self._is_missing, self.paths):
            if not any(Path(path).resolve().is_relative_to(root) for root in ledger.roots):
                raise CommandError(f"{path}: no such file or folder, and not imported earlier", ExitCode.USAGE)

    def _is_missing(self, path: str) -> bool:
        """Whether a path is not there, whose chunks --prune archives."""
        return self.prune and path != STDIN and not is_url(path) and not Path(path).exists()

    def _files(self) -> list[str]:
        return [path for path in self.paths if path != STDIN and not is_url(path)]

    def _sources_of(self, path: str) -> list[Source]:
        if path in self.downloads:
            content = self.downloads[path]
            return [Source(content, name_of_url(path), content.stat().st_size)]
        return [] if self._is_missing(path) else find_sources([path], self.filters, self.base_of(path))


async def fill(delivery: Delivery, plan: Plan, sources: Sequence[Source]) -> None:
    """Send what changed in the sources; a dry run only counts. The delivery's summary says what happened."""
    total = sum(source.size for source in sources) or None
    with ReaderProcess() as reader, meter("importing", total) as progress:
        started = time.monotonic()

        def advance(*pieces: Piece) -> None:
            """Move the bar by chunks that memd has: a bar at its end means that all of them are stored."""
            weight = sum(piece.weight for piece in pieces)
            if total:
                delivery.share = (delivery.share or 0.0) + weight / total
            progress.advance(weight, _progress_note(delivery.summary, time.monotonic() - started))

        found = read_pieces(reader, sources, plan.chunk_size, plan.title)
        changed = delivery.changed(found, everything=plan.everything, on_unchanged=advance)
        if plan.dry_run:
            await delivery.count_only(changed)
            return
        async for batch in delivery.send(changed, plan.batch):
            advance(*batch)


def _progress_note(summary: ImportSummary, seconds: float) -> str:
    """How many chunks were sent and how many did not have to be; a zero is left out."""
    parts = [f"{summary.sent:,} chunks, {summary.sent / max(seconds, 0.001):.0f}/s"] if summary.sent else []
    return ", ".join([*parts, *([f"{summary.unchanged:,} unchanged"] if summary.unchanged else [])])


def note_empty_folders(delivery: Delivery, plan: Plan, sources: Sequence[Source]) -> None:
    """Warn of folders among the paths without any file that is imported."""
    for folder in plan.empty_folders(sources):
        delivery.summary.warnings[f"{folder}: no file that counts is in it; --include names other kinds"] = None


def note_missing_roots(delivery: Delivery, plan: Plan) -> None:
    """Warn of paths of earlier imports that are not there any more and are none of this one's, while their chunks are."""
    ledger, roots = delivery.ledger, plan.roots()
    for path, base in ledger.roots.items():
        name = name_of(Path(path), Path(path), Path(base))
        left = [key for key in ledger.entries if is_below(key, [name]) and not is_below(key, roots)]
        if left and not Path(path).exists():
            what = f"{path} was imported earlier and is gone; {count(len(left), 'chunk')} of it can still be found"
            delivery.summary.warnings[f"{what}: import that path with --prune to archive them"] = None


def note_stale(delivery: Delivery, plan: Plan, sources: Sequence[Source]) -> None:
    """Note what earlier imports stored and this one did not read: parts of its files, files that are gone or left out."""
    present = {source.name for source in sources} | {key.partition("#")[0] for key in delivery.keys if "#" in key}
    unread = [each.origin for each in (*delivery.summary.rejected, *delivery.summary.skipped)]
    unread_keys = [key for key in delivery.ledger.entries if "#" in key and key not in delivery.keys]
    stale = [key for key in unread_keys if key.partition("#")[0] in present and not is_below(key, unread)]
    if stale:
        what = (
            f"{count(len(stale), 'stored chunk')} of these files {'is' if len(stale) == 1 else 'are'} no longer in them"
        )
        delivery.summary.warnings[f"{what}; --prune archives what is gone"] = None
    roots = plan.roots()
    absent = {key.partition("#")[0] for key in unread_keys if is_below(key, roots)} - present
    delivery.summary.left_out = sorted(filter(plan.still_has, absent))
    delivery.summary.gone = sorted(absent.difference(delivery.summary.left_out))


async def remove_gone(client: MemdClient, delivery: Delivery, roots: Sequence[str], *, dry_run: bool) -> None:
    """Archive chunks below `roots` that the delivered files no longer hold; files that could not be read lose none."""
    unread = [each.origin for each in (*delivery.summary.rejected, *delivery.summary.skipped)]
    removed = await find_gone(client, delivery.base, roots, delivery.keys, unread)
    delivery.summary.removed = len(removed)
    if dry_run:
        return
    with meter("pruning", len(removed) or None) as progress:
        for key, memory_id in removed.items():
            await archive(client, memory_id)
            delivery.ledger.drop([key])
            progress.advance(1, "")
