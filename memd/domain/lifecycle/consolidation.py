"""Consolidation of memories: links between similar ones, clusters of sensory memories, and promotion (contract 13).

Everything happens inside one (channel, projectId); cosines are 0..1, times epoch ms.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memd.domain.dates.calendar_day import day_text
from memd.domain.dates.time_window import DAY_MS
from memd.domain.text.sentences import cut_words
from memd.domain.types import AssociationType, Category, Store
from memd.domain.unit_interval import clamp

ASSOCIATE_SAMPLE: Final = 100
ASSOCIATE_AGAIN_MS: Final = 7 * DAY_MS
LINKED: Final = 0.75
SUPPORTING: Final = 0.93
CONSOLIDATE_LOOKUPS: Final = 50
CONSOLIDATE_NEIGHBOURS: Final = 8
CONSOLIDATE_AGE_MS: Final = DAY_MS
CLUSTERED: Final = 0.75
MIN_CLUSTER: Final = 2
PROMOTED_ACCESSES: Final = 3
PROMOTED_CONFIDENCE: Final = 0.8
PROMOTED_STRENGTH: Final = 0.8
KNOWN_ALREADY: Final = 0.92
CONSOLIDATED_STORE, CONSOLIDATED_CATEGORY = Store.EPISODIC, Category.EVENT
PROMOTED_STORE: Final = Store.SEMANTIC
_MAX_TITLE, _MAX_LINE, _MAX_CONTENT, _MAX_TAGS = 160, 400, 4_000, 32


@dataclass(frozen=True, slots=True)
class Candidate:
    """An active memory as the jobs compare it; `done_at` is when the same job last processed it."""

    id: UUID
    title: str
    content: str
    created_at: int
    channel: str | None = None
    project_id: str | None = None
    tags: tuple[str, ...] = ()
    done_at: int | None = None

    @property
    def group(self) -> tuple[str | None, str | None]:
        """The group within which consolidation stays."""
        return self.channel, self.project_id


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Two memories and the cosine of their vectors."""

    left: Candidate
    right: Candidate
    cosine: float


@dataclass(frozen=True, slots=True)
class Link:
    """An association to write, from the older memory to the newer; weight = the cosine."""

    from_id: UUID
    to_id: UUID
    relationship: AssociationType
    weight: float


@dataclass(frozen=True, slots=True)
class Consolidated:
    """An episodic event that takes the place of its sources, which are archived by the job."""

    title: str
    content: str
    channel: str | None
    project_id: str | None
    tags: tuple[str, ...]
    strength: float
    confidence: float
    source_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class PromotionRow:
    """An episodic memory and its cosine to the nearest semantic one of its group, None without any."""

    id: UUID
    access_count: int
    confidence: float
    strength: float
    nearest_semantic: float | None


def due_for_association(rows: Iterable[Candidate], now: int) -> list[Candidate]:
    """At most 100 memories that were not associated within seven days, those never processed first."""
    due = [row for row in rows if row.done_at is None or now - row.done_at >= ASSOCIATE_AGAIN_MS]
    return sorted(due, key=_last_association)[:ASSOCIATE_SAMPLE]


def _last_association(row: Candidate) -> tuple[int, UUID]:
    return row.done_at or 0, row.id


def links(neighbours: Iterable[Neighbour], linked_at: Mapping[tuple[UUID, UUID], int], now: int) -> list[Link]:
    """The associations of pairs with cosine ≥ .75: `supports` above .93, else `co_occurred`; each pair once.

    `linked_at` says when a pair (smaller id first) was linked last; within seven days it is not linked again.
    """
    made: dict[tuple[UUID, UUID], Link] = {}
    for neighbour in neighbours:
        pair = min(neighbour.left.id, neighbour.right.id), max(neighbour.left.id, neighbour.right.id)
        fresh = pair in linked_at and now - linked_at[pair] < ASSOCIATE_AGAIN_MS
        if _comparable(neighbour) and neighbour.cosine >= LINKED and not fresh:
            relationship = AssociationType.SUPPORTS if neighbour.cosine > SUPPORTING else AssociationType.CO_OCCURRED
            made[pair] = Link(*pair, relationship, clamp(neighbour.cosine))
    return list(made.values())


def due_for_consolidation(rows: Iterable[Candidate], now: int) -> list[Candidate]:
    """At most 50 sensory memories older than a day that no consolidation has processed, oldest first."""
    due = [row for row in rows if row.done_at is None and now - row.created_at > CONSOLIDATE_AGE_MS]
    return sorted(due, key=lambda row: (row.created_at, row.id))[:CONSOLIDATE_LOOKUPS]


def clusters(rows: Sequence[Candidate], neighbours: Iterable[Neighbour], now: int) -> list[tuple[Candidate, ...]]:
    """Clusters of similar sensory memories: each row with its nearest 8 at cosine ≥ .75, where no earlier row has taken them.

    Only sensory memories older than a day belong in `neighbours`; a younger one is skipped. Every memory is in one
    cluster at most, and a cluster has two members at least, oldest first.
    """
    near: dict[UUID, list[Neighbour]] = {}
    for neighbour in neighbours:
        if _comparable(neighbour) and neighbour.cosine >= CLUSTERED:
            near.setdefault(neighbour.left.id, []).append(neighbour)
    taken: set[UUID] = set()
    found: list[tuple[Candidate, ...]] = []
    for row in rows:
        nearest = sorted(near.get(row.id, []), key=lambda one: (-one.cosine, one.right.id))[:CONSOLIDATE_NEIGHBOURS]
        free = [one.right for one in nearest if one.right.id not in taken and _is_old(one.right, now)]
        if row.id not in taken and len(free) + 1 >= MIN_CLUSTER:
            members = {member.id: member for member in (row, *free)}
            taken |= members.keys()
            found.append(tuple(sorted(members.values(), key=lambda member: (member.created_at, member.id))))
    return found


def consolidate(cluster: Sequence[Candidate]) -> Consolidated:
    """One event from n sensory memories: strength .45 + .05n and confidence .55 + .02n, cut to 1 (contract 13)."""
    count, first, last = len(cluster), cluster[0], cluster[-1]
    texts = dict.fromkeys(cut_words(" ".join(member.content.split()), _MAX_LINE) for member in cluster)
    days = dict.fromkeys((day_text(first.created_at), day_text(last.created_at)))
    heading = f"{count} similar memories, {' to '.join(days)}:"
    return Consolidated(
        title=f"{cut_words(first.title, _MAX_TITLE)} (×{count})",
        content=cut_words("\n".join([heading, *(f"- {text}" for text in texts)]), _MAX_CONTENT),
        channel=first.channel,
        project_id=first.project_id,
        tags=tuple(dict.fromkeys(tag for member in cluster for tag in member.tags))[:_MAX_TAGS],
        strength=clamp(0.45 + 0.05 * count),
        confidence=clamp(0.55 + 0.02 * count),
        source_ids=tuple(member.id for member in cluster),
    )


def is_promoted(row: PromotionRow) -> bool:
    """Whether an episodic memory has earned a semantic copy: recalled three times, certain, strong, and new."""
    known = row.nearest_semantic is not None and row.nearest_semantic >= KNOWN_ALREADY
    proven = row.access_count >= PROMOTED_ACCESSES and row.confidence >= PROMOTED_CONFIDENCE
    return proven and row.strength >= PROMOTED_STRENGTH and not known


def _comparable(neighbour: Neighbour) -> bool:
    return neighbour.left.id != neighbour.right.id and neighbour.left.group == neighbour.right.group


def _is_old(row: Candidate, now: int) -> bool:
    return now - row.created_at > CONSOLIDATE_AGE_MS
