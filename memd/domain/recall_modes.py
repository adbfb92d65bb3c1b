"""What a recall mode stands for: a preset of stores and categories that explicit lists override (contract 6.2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from memd.domain.types import Category, RecallMode, Store


@dataclass(frozen=True, slots=True)
class RowFilter:
    """The stores and the categories a row may have, any of each; None = all."""

    stores: frozenset[Store] | None = None
    categories: frozenset[Category] | None = None

    def accepts(self, store: Store, category: Category) -> bool:
        """Whether a row of this store and category passes both lists."""
        return (self.stores is None or store in self.stores) and (
            self.categories is None or category in self.categories
        )


PRESETS: Final[Mapping[RecallMode, RowFilter]] = {
    RecallMode.GENERAL: RowFilter(),
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
    mode: RecallMode | None, *, stores: Iterable[Store] = (), categories: Iterable[Category] = ()
) -> RowFilter:
    """The filter of a request: the preset of its mode (none = general), each explicit non-empty list in its place."""
    preset = PRESETS[mode or RecallMode.GENERAL]
    return RowFilter(
        stores=frozenset(stores) or preset.stores,
        categories=frozenset(categories) or preset.categories,
    )
