"""Recall modes: presets of stores and categories that explicit lists override (contract 6.2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from memd.domain.search.drop_reason import DropReason
from memd.domain.search.metadata_filter import Condition, Namespace
from memd.domain.types import Category, RecallMode, Store


@dataclass(frozen=True, slots=True)
class RowFilter:
    """The stores and the categories a row may have, any of each; None = all.

    Every one of `tags` (lower case) must be on the row; rows of another project than `project_id` do not pass.
    `namespace` and `where` (contract 17.2) are applied in SQL only: the narrow rows do not hold what they compare.
    """

    stores: frozenset[Store] | None = None
    categories: frozenset[Category] | None = None
    tags: frozenset[str] = frozenset()
    project_id: str | None = None
    namespace: Namespace | None = None
    where: tuple[Condition, ...] = ()

    def mismatch(
        self, store: Store, category: Category, tags: Iterable[str], project_id: str | None
    ) -> DropReason | None:
        """Why a row of this store, category, tags and project does not pass the filter; None when it does."""
        if self.project_id is not None and project_id not in {None, self.project_id}:
            return DropReason.PROJECT
        if self.stores is not None and store not in self.stores:
            return DropReason.STORE
        if self.categories is not None and category not in self.categories:
            return DropReason.CATEGORY
        return None if self.tags <= {tag.lower() for tag in tags} else DropReason.TAGS


NO_FILTER: Final = RowFilter()
PRESETS: Final[Mapping[RecallMode, RowFilter]] = {
    RecallMode.GENERAL: NO_FILTER,
    RecallMode.DECISION: RowFilter(
        stores=frozenset((Store.SEMANTIC, Store.EPISODIC)),
        categories=frozenset((Category.DECISION, Category.LESSON, Category.RULE)),
    ),
    RecallMode.PROJECT: RowFilter(
        stores=frozenset((Store.SEMANTIC, Store.EPISODIC, Store.PROCEDURAL)),
        categories=frozenset((Category.GOAL, Category.WORKFLOW, Category.SKILL, Category.DECISION, Category.FACT)),
    ),
    RecallMode.PEOPLE: RowFilter(
        stores=frozenset((Store.SEMANTIC, Store.EPISODIC)),
        categories=frozenset((Category.PERSON, Category.DECISION, Category.EVENT)),
    ),
    RecallMode.WORKFLOW: RowFilter(
        stores=frozenset((Store.PROCEDURAL, Store.SEMANTIC)),
        categories=frozenset((Category.WORKFLOW, Category.SKILL, Category.RULE, Category.LESSON)),
    ),
    RecallMode.CONVERSATION: RowFilter(
        stores=frozenset((Store.SENSORY, Store.EPISODIC)),
        categories=frozenset((Category.CONVERSATION, Category.EVENT)),
    ),
}


def row_filter(
    mode: RecallMode | None,
    *,
    stores: Iterable[Store] = (),
    categories: Iterable[Category] = (),
    tags: Iterable[str] = (),
    project_id: str | None = None,
    namespace: Namespace | None = None,
    where: tuple[Condition, ...] = (),
) -> RowFilter:
    """The filter of a request: the preset of its mode (none = general), each explicit non-empty list in its place."""
    preset = PRESETS[mode or RecallMode.GENERAL]
    return RowFilter(
        stores=frozenset(stores) or preset.stores,
        categories=frozenset(categories) or preset.categories,
        tags=frozenset(tags),
        project_id=project_id,
        namespace=namespace,
        where=where,
    )
