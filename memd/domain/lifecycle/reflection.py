"""Reflection: decisions, lessons, open loops and a summary of a window of memories (contract 11.6).

It reads and writes inside one (channel, projectId) only. Titles follow from the rows alone, so that runs at the same moment
make the same titles, and `unwritten` leaves nothing to the later one.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final
from uuid import UUID

from memd.domain.dates.calendar_day import iso_day
from memd.domain.text.sentences import cut_words, sentences
from memd.domain.types import Category, MemorySource, Store

MIN_ROWS: Final = 3
MAX_ROWS: Final = 30
MAX_OF_A_KIND: Final = 5
SKIPPED: Final = "not_enough_memories"
NOTHING_NEW: Final = "nothing_new"
MAX_SUBJECT: Final = 160
MAX_CONTENT: Final = 4_000
MAX_LEAD: Final = 80
"""Characters of a summary's lead that its title has."""
_READ_STORES: Final = frozenset({Store.SENSORY, Store.EPISODIC})


class Kind(StrEnum):
    """The four kinds of rows that a reflection writes."""

    DECISION = "decision"
    LESSON = "lesson"
    SUMMARY = "summary"
    OPEN_LOOP = "open_loop"


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields that all rows of a kind share."""

    prefix: str
    store: Store
    category: Category
    strength: float
    confidence: float
    tags: tuple[str, ...] = ("reflection", "distilled")


SHAPES: Final = {
    Kind.DECISION: Shape("Decision: ", Store.EPISODIC, Category.DECISION, 0.85, 0.8),
    Kind.LESSON: Shape("Lesson: ", Store.SEMANTIC, Category.LESSON, 0.85, 0.8),
    Kind.SUMMARY: Shape("Reflection summary: ", Store.EPISODIC, Category.CONVERSATION, 0.8, 0.75),
    Kind.OPEN_LOOP: Shape(
        "Open loop: ", Store.PROSPECTIVE, Category.GOAL, 0.75, 0.7, ("reflection", "distilled", "open-loop")
    ),
}


HEADING: Final = re.compile(r"^[^:\n]{1,110} \(\d{1,2} \w+ \d{4}\): ")
"""Speaker and day before what was said (`extraction.heading`)."""
_ENTRY: Final = re.compile(r"^- (.+)$", re.MULTILINE)
_PREFIX: Final = re.compile(r"\A(?:decision|lesson|open loop):\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReflectionInput:
    """A stored memory as reflection reads it; times in epoch ms, `edited_at` being when its text was last changed."""

    id: UUID
    title: str
    content: str
    store: Store
    category: Category
    source: MemorySource
    created_at: int
    channel: str | None = None
    project_id: str | None = None
    edited_at: int = 0


@dataclass(frozen=True, slots=True)
class ReflectionGroup:
    """The rows of one (channel, projectId) in a window, or the newest 30 that are new, oldest first.

    `since` is when the oldest row of the window was made (epoch ms); `more`: older new rows are left to a later run.
    """

    channel: str | None
    project_id: str | None
    rows: tuple[ReflectionInput, ...]
    since: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class ReflectionMemory:
    """A row to write, with the memories it was made from; its source is `inference`, the rest of its kind is in `SHAPES`."""

    kind: Kind
    title: str
    content: str
    source_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class ReflectionStats:
    """The counts of contract 6.11; `skipped` says why nothing was reflected on."""

    memories_read: int = 0
    decisions_written: int = 0
    lessons_written: int = 0
    summary_written: int = 0
    open_loops_written: int = 0
    summary: str = ""
    skipped: str | None = None


def reflection_groups(rows: Iterable[ReflectionInput]) -> list[ReflectionGroup]:
    """The groups to reflect on: per (channel, projectId) the sensory and episodic rows, if there are at least 3.

    Rows that were inferred themselves, by a reflection for one, are not read again.
    """
    groups: dict[tuple[str | None, str | None], list[ReflectionInput]] = {}
    for row in sorted(rows, key=lambda row: (row.created_at, row.id)):
        if row.store in _READ_STORES and row.source is not MemorySource.INFERENCE:
            groups.setdefault((row.channel, row.project_id), []).append(row)
    return [
        ReflectionGroup(*key, tuple(read), since=read[0].created_at)
        for key, read in groups.items()
        if len(read) >= MIN_ROWS
    ]


def unread(group: ReflectionGroup, read_before: Collection[UUID]) -> ReflectionGroup | None:
    """The group with the newest 30 of the rows that no earlier summary read; None when there are none."""
    rows = tuple(row for row in group.rows if row.id not in read_before)
    return replace(group, rows=rows[-MAX_ROWS:], more=len(rows) > MAX_ROWS) if rows else None


def reflection_memory(kind: Kind, subject: str, content: str, sources: Iterable[ReflectionInput]) -> ReflectionMemory:
    """A row of this kind about `subject`, which is folded to one line and truncated to fit a title."""
    title = f"{SHAPES[kind].prefix}{cut_words(' '.join(subject.split()), MAX_SUBJECT)}"
    return ReflectionMemory(kind, title, cut_words(content.strip(), MAX_CONTENT), tuple(row.id for row in sources))


def summary_memory(group: ReflectionGroup, content: str) -> ReflectionMemory:
    """The summary of the group, titled with the days of its rows and its first words, so that no two titles are equal."""
    first, last = iso_day(group.rows[0].created_at), iso_day(group.rows[-1].created_at)
    days = last if first == last else f"{first} to {last}"
    lead = _lead(content)
    return reflection_memory(Kind.SUMMARY, f"{days}: {lead}" if lead else days, content, group.rows)


def _lead(content: str) -> str:
    """The first entry of a summary that is a list, else its first sentence; without a speaker, shortened."""
    listed = _ENTRY.search(content)
    lead = listed[1] if listed else next(iter(sentences(content)), "")
    return cut_words(HEADING.sub("", lead).rstrip(". "), MAX_LEAD)


def statement_key(text: str) -> str:
    """The same for all ways to write a statement: ignoring prefix, case, white space and the final full stop."""
    return _PREFIX.sub("", " ".join(text.split()), count=1).lower().rstrip(". ")


def statement_keys(memory: ReflectionMemory) -> set[str]:
    """The keys of the title and content of a row, which it must not share with another row; none for a summary."""
    keys = {statement_key(memory.title), statement_key(memory.content)}
    return set() if memory.kind is Kind.SUMMARY else keys - {""}


def unwritten(
    memories: Iterable[ReflectionMemory],
    *,
    titles: Iterable[str],
    stated: Collection[str] = frozenset(),
) -> list[ReflectionMemory]:
    """The rows that a run still has to write: those whose title no reflection of the group has (compared without case).

    Rows that repeat what a memory of the group says are left out; `stated` has its `statement_key`s. Summaries are always
    written, since a day may have several.
    """
    seen = {title.casefold() for title in titles}
    fresh: list[ReflectionMemory] = []
    for memory in memories:
        known = memory.kind is not Kind.SUMMARY and memory.title.casefold() in seen
        if not known and statement_keys(memory).isdisjoint(stated):
            fresh.append(memory)
        seen.add(memory.title.casefold())
    return fresh


def is_summarised(group: ReflectionGroup, read_before: Collection[UUID]) -> bool:
    """Whether earlier summaries of the group read all of its rows; then there is nothing new to reflect on."""
    return all(row.id in read_before for row in group.rows)


def reflection_stats(
    groups: Sequence[ReflectionGroup],
    fresh: Sequence[ReflectionGroup],
    made: Iterable[ReflectionMemory],
    written: Iterable[ReflectionMemory],
) -> ReflectionStats:
    """The counts of a run: `fresh` are the groups with only their new rows, and `made` gives the text of the summary."""
    counts = Counter(memory.kind for memory in written)
    return ReflectionStats(
        memories_read=sum(min(len(group.rows), MAX_ROWS) for group in groups),
        decisions_written=counts[Kind.DECISION],
        lessons_written=counts[Kind.LESSON],
        summary_written=counts[Kind.SUMMARY],
        open_loops_written=counts[Kind.OPEN_LOOP],
        summary="\n\n".join(memory.content for memory in made if memory.kind is Kind.SUMMARY),
        skipped=None if fresh else NOTHING_NEW if groups else SKIPPED,
    )
