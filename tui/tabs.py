"""The tabs of memtui as a table: the key that opens each, its names, and the class of its screen.

A screen is imported when it is opened first, so that the first one is there at once.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.screen import Screen


class TabEntry(NamedTuple):
    """A tab: `name` is its mode, `word` what one types to open it, `target` is `module:class`.

    `short` and `brief` are its title where space is scarce: the same noun, cut short.
    """

    name: str
    word: str
    title: str
    short: str
    brief: str
    target: str


TABS = (
    TabEntry("stats", "overview", "Overview", "Overview", "Overview", "screens.stats:StatsScreen"),
    TabEntry("memories", "memories", "Memories", "Memories", "Mem", "screens.memories:MemoriesScreen"),
    TabEntry("messages", "messages", "Messages", "Messages", "Msg", "screens.messages:MessagesScreen"),
    TabEntry(
        "knowledge_bases",
        "knowledge-bases",
        "Knowledge bases",
        "KBs",
        "KBs",
        "screens.knowledge_bases:KnowledgeBasesScreen",
    ),
    TabEntry("recall", "recall", "Recall bench", "Recall", "Recall", "screens.recall:RecallScreen"),
    TabEntry("accounts", "keys", "Keys and devices", "Keys", "Keys", "screens.accounts:AccountsScreen"),
    TabEntry("jobs", "jobs", "Jobs", "Jobs", "Jobs", "screens.jobs:JobsScreen"),
    TabEntry("conflicts", "conflicts", "Conflicts", "Conflicts", "Conf", "screens.conflicts:ConflictsScreen"),
    TabEntry("snapshots", "snapshots", "Snapshots", "Snapshots", "Snap", "screens.snapshots:SnapshotsScreen"),
)
"""The order is that of the number keys, beginning with 1."""

FORMER_WORDS = {"stats": "overview", "accounts": "keys"}
"""Earlier names of tabs, which `memtui` still accepts."""


def mode_of(word: str) -> str:
    """The mode of the tab that this word opens."""
    return next(entry.name for entry in TABS if entry.word == word)


def screen_of(target: str) -> "Screen[None]":
    """A new screen of the class that `module:class` names."""
    module, _, name = target.partition(":")
    return getattr(import_module(f".{module}", __package__), name)()


def factories() -> "dict[str, str | Callable[[], Screen[None]]]":
    """How each tab's screen is made, by mode."""
    return {entry.name: partial(screen_of, entry.target) for entry in TABS}
