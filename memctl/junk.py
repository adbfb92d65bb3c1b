"""Which memories are junk, and what happens to each: decisions over what was exported, without I/O.

Likeness is stricter here than in a list of results, because something may be archived for it: the same words in the
same order, the same numbers and the same negations. What is compared belongs to one channel and project.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from math import ceil, exp
from typing import Any, Final, cast

from memctl.text import DAY_MS
from memctl.wire.enums import Category, MemorySource, Store
from memctl.wire.export import ExportedMemory
from memctl.wire.ids import decode, made_at

ALIKE: Final = 0.85
_WORD: Final = re.compile(r"\w+")
_DECISIVE: Final = re.compile(r"\d+|\b(?:no|not|never|none|nor|neither|without|cannot)\b|n['’]t\b")
_DERIVED: Final = frozenset({MemorySource.INFERENCE, MemorySource.CONVERSATION})
"""Sources of what memd itself made from other rows."""
_Shingles = frozenset[tuple[str, ...]]


class Kind(StrEnum):
    """Why a memory may be junk."""

    DUPLICATE = "duplicate"
    NEAR_DUPLICATE = "near-duplicate"
    NOT_WORTH_KEEPING = "not-worth-keeping"
    STALE = "stale"
    NEVER_RECALLED = "never-recalled"


@dataclass(frozen=True, slots=True)
class Finding:
    """A memory that may be junk, the one that stays in its place, what memd's own jobs do with it, and what memd says of it."""

    kind: Kind
    memory: ExportedMemory
    stays: ExportedMemory | None
    job: str
    reason: str | None = None


def audit(
    memories: Iterable[ExportedMemory], now: int, days: int, *, metered: bool, unworthy: Mapping[str, str]
) -> list[Finding]:
    """The memories that may be junk at `now` (epoch ms), each for one reason; unused means not for `days` days.

    `metered` says whether the user has a memory quota, without which nothing decays; `unworthy` are the ids of memories that
    extraction would not make any more, with the reason.
    """
    rows = [memory for memory in memories if memory.knowledge_base_id is None and not memory.archived]
    rows.sort(key=_rank)
    twins = dict(chain.from_iterable(map(_twins, _groups(rows))))
    found = [Finding(*twins[memory.id], fate(memory, now, metered=metered)) for memory in rows if memory.id in twins]
    single = [memory for memory in rows if memory.id not in twins]
    for memory in single:
        kind = Kind.NOT_WORTH_KEEPING if memory.id in unworthy else _unused(memory, now, days)
        if kind:
            job = fate(memory, now, metered=metered)
            found.append(Finding(kind, memory, None, job, unworthy.get(memory.id)))
    return found


def _rank(memory: ExportedMemory) -> tuple[object, ...]:
    """The sort key of copies; the first one stays. Copies that memd made itself come last, however strong."""
    made = memory.source in _DERIVED
    return made, -memory.strength, -memory.last_accessed_at, -memory.created_at, memory.id


def fate(memory: ExportedMemory, now: int, *, metered: bool) -> str:
    """The fate of a memory under the scheduled jobs (contract 13)."""
    if memory.strength < 0.1:
        return "cleanup archives it: its strength is under 0.1"
    idle = now - memory.last_accessed_at
    if memory.store is Store.PROCEDURAL and memory.category is Category.WORKFLOW and _observed(memory.metadata) < 3:
        return f"cleanup archives it {_soon(30 * DAY_MS - idle)}: a workflow seen less than three times"
    if memory.store is Store.SENSORY:
        return "consolidate merges it with its like; cleanup archives what is left when it is not recalled for 7 days"
    score = 0.4 * min(max(memory.strength, 0.0), 1.0) + 0.6 * exp(-0.05 * max(idle, 0) / DAY_MS)
    return f"decay archives the lowest scores at 90 % of the quota: {score:.2f}" if metered else "none touches it"


def _soon(ms: int) -> str:
    return "at its next run" if ms <= 0 else f"in {ceil(ms / DAY_MS)} d"


def _observed(metadata: Any) -> float:
    """How often a workflow was seen; without a count it is never one of the few."""
    seen = cast("dict[str, Any]", metadata).get("observationCount") if isinstance(metadata, dict) else None
    return seen if isinstance(seen, int | float) and not isinstance(seen, bool) else float("inf")


def _unused(memory: ExportedMemory, now: int, days: int) -> Kind | None:
    """The kind of a memory that was not used for `days`; an imported memory is as old as its row."""
    if now - max(memory.last_accessed_at, stored_at(memory.id)) < days * DAY_MS:
        return None
    return Kind.STALE if memory.last_accessed_at > memory.created_at else Kind.NEVER_RECALLED


def stored_at(memory_id: str) -> int:
    """When memd stored a row (epoch ms), whatever date it has: the time in its id (contract 1.2)."""
    return made_at(decode("mem", memory_id))


def _groups(rows: Sequence[ExportedMemory]) -> Iterator[list[ExportedMemory]]:
    groups: dict[tuple[str | None, str | None], list[ExportedMemory]] = {}
    for memory in rows:
        groups.setdefault((memory.channel, memory.project_id), []).append(memory)
    yield from groups.values()


_Twin = tuple[str, tuple[Kind, ExportedMemory, ExportedMemory]]


def _twins(rows: Sequence[ExportedMemory]) -> Iterator[_Twin]:
    """Copies and look-alikes of rows before them; the first one stays.

    Two sets of which 85 % are common share one of the rarest 15 % of each, so only those are looked up.
    """
    exact: dict[str, ExportedMemory] = {}
    shingles = {memory.id: _shingles(memory) for memory in rows}
    known = Counter(chain.from_iterable(shingles.values()))
    by_shingle: dict[tuple[str, ...], list[ExportedMemory]] = {}
    for memory in rows:
        content = memory.content.replace("\r\n", "\n").strip()
        if content in exact:
            yield memory.id, (Kind.DUPLICATE, memory, exact[content])
            continue
        exact[content] = memory
        own = shingles[memory.id]
        rarest = sorted(own, key=lambda one: (known[one], one))[: len(own) - ceil(ALIKE * len(own)) + 1]
        nearby = {other.id: other for one in rarest for other in by_shingle.get(one, ())}.values()
        like = next((other for other in nearby if _alike(memory, other, own, shingles[other.id])), None)
        if like is not None:
            yield memory.id, (Kind.NEAR_DUPLICATE, memory, like)
            continue
        for one in rarest:
            by_shingle.setdefault(one, []).append(memory)


def _shingles(memory: ExportedMemory) -> _Shingles:
    """The runs of three words of title and content, without case."""
    words = _WORD.findall(f"{memory.title} {memory.content}".lower())
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _alike(left: ExportedMemory, right: ExportedMemory, ours: _Shingles, theirs: _Shingles) -> bool:
    shared = len(ours & theirs)
    return shared >= ALIKE * (len(ours) + len(theirs) - shared) and _decisive(left) == _decisive(right)


def _decisive(memory: ExportedMemory) -> list[str]:
    """Numbers and negations: one of them turns the sense of any number of equal words."""
    return sorted(_DECISIVE.findall(f"{memory.title} {memory.content}".lower()))
