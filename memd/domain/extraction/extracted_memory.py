"""The result of extraction, by whichever method: a memory within the limits of contract 11.6."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memd.domain.text.sentences import cut_words
from memd.domain.types import Category, Store

MAX_MEMORIES: Final = 6
MAX_TITLE: Final = 200
MAX_CONTENT: Final = 4_000
MAX_TAGS: Final = 12
MAX_TAG: Final = 64
MIN_IMPORTANCE, MAX_IMPORTANCE = 0.5, 0.9
AUTO_TAG: Final = "auto-extracted"
STORE_OF: Final = {
    Category.DECISION: Store.EPISODIC,
    Category.EVENT: Store.EPISODIC,
    Category.LESSON: Store.SEMANTIC,
    Category.FACT: Store.SEMANTIC,
    Category.RULE: Store.SEMANTIC,
    Category.PERSON: Store.SEMANTIC,
    Category.WORKFLOW: Store.PROCEDURAL,
    Category.SKILL: Store.PROCEDURAL,
    Category.GOAL: Store.PROSPECTIVE,
}


@dataclass(frozen=True, slots=True)
class ExtractedMemory:
    """A memory to be written; `importance` (.5–.9) becomes its strength.

    `source_indexes` are the positions, in the window, of the messages it was made from, the one that states it first: one
    at least. `corrects` are the contents of memories that it takes the place of: what the same messages say without their
    correction.
    """

    title: str
    content: str
    category: Category
    store: Store
    tags: tuple[str, ...]
    importance: float
    source_indexes: tuple[int, ...]
    corrects: tuple[str, ...] = ()


def extracted(
    *,
    title: str,
    content: str,
    category: Category,
    tags: Iterable[str],
    importance: float,
    source_indexes: Iterable[int],
) -> ExtractedMemory:
    """A memory cut to the limits, in the store of its category; KeyError for `conversation`, which is not extracted."""
    return ExtractedMemory(
        title=cut_words(" ".join(title.split()), MAX_TITLE),
        content=cut_words(content.strip(), MAX_CONTENT),
        category=category,
        store=STORE_OF[category],
        tags=_clean_tags(tags),
        importance=round(min(MAX_IMPORTANCE, max(MIN_IMPORTANCE, importance)), 3),
        source_indexes=tuple(dict.fromkeys(source_indexes)),
    )


def _clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Lower case, trimmed, distinct, at most 12 of at most 64 characters; `auto-extracted` is always the first."""
    wanted = (" ".join(tag.lower().split()) for tag in tags)
    return tuple(dict.fromkeys((AUTO_TAG, *(tag for tag in wanted if 0 < len(tag) <= MAX_TAG))))[:MAX_TAGS]
