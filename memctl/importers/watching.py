"""Follows files and folders: what changes is imported, until Ctrl+C."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.diagnostics import explain, note
from memctl.importers.delivery import Delivery
from memctl.importers.filling import Plan, fill, remove_gone
from memctl.importers.ledger import Ledger
from memctl.importers.pruning import is_below
from memctl.importers.sources import name_of

TIMEOUT_MS = 1000
"""How long the watcher waits before it reports that nothing has changed; by then it is certainly watching."""


async def watch_for_changes(
    client: MemdClient, base_id: str, ledger: Ledger, plan: Plan, stop: asyncio.Event | None = None
) -> AsyncIterator[Delivery]:
    """A delivery for each burst of changes below the plan's paths that had something to say.

    The first one has what changed since the paths were read before, of which the watcher knows nothing.
    The ledger is open for each burst alone, so that other imports can write to it. A failure of the server is reported,
    and the changes are retried with the next burst.
    """
    awatch: Any = import_module("watchfiles").awatch
    note(f"watching {', '.join(plan.paths)}; Ctrl+C ends it")
    missed: set[Path] | None = None  # everything
    is_first = True
    async for changes in awatch(*plan.paths, stop_event=stop, yield_on_timeout=True, rust_timeout=TIMEOUT_MS):
        if not changes and not is_first:
            continue
        is_first = False
        changed = None if missed is None else missed | _resolved(path for _, path in changes)
        delivery = Delivery(client, base_id, ledger)
        client.begin_operation()
        try:
            with await ledger.lock(), ledger:
                await _take(client, delivery, plan, changed)
        except ClientError as error:
            note(f"memctl: {explain(error)}")
            missed = changed
            continue
        missed = set()
        summary = delivery.summary
        if summary.sent or summary.removed or summary.rejected:
            yield delivery


def _resolved(paths: Iterable[str]) -> set[Path]:
    return {Path(path).resolve() for path in paths}


async def _take(client: MemdClient, delivery: Delivery, plan: Plan, changed: set[Path] | None) -> None:
    """Import the changed files that are still there, all of them for None.

    Chunks that they no longer contain are pruned if the plan says so.
    """
    sources = [
        source
        for source in plan.sources()
        if source.path is not None and (changed is None or source.path.resolve() in changed)
    ]
    names = plan.roots() if changed is None else _names(plan, changed)
    await fill(delivery, plan, sources)
    if plan.prune and any(key not in delivery.keys and is_below(key, names) for key in delivery.ledger.entries):
        await remove_gone(client, delivery, names, dry_run=False)


def _names(plan: Plan, changed: set[Path]) -> list[str]:
    """The names, as keys begin with them, of changed files below the plan's paths."""
    names: set[str] = set()
    for text in plan.paths:
        given = Path(text)
        for path in changed:
            if path.is_relative_to(given.resolve()):
                names.add(name_of(given / path.relative_to(given.resolve()), given, plan.base_of(text)))
    return sorted(names)
