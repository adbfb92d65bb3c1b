"""The rooms of memtui as a table: the key that opens each, its names, and where its screen lives.

A screen is imported when it is opened first, so that the first one is there at once.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.screen import Screen


class RoomEntry(NamedTuple):
    """A room: `name` is its mode, `word` what one types to open it, `target` is `module:class`.

    `short` and `brief` are its title where space is scarce: the same noun, cut short.
    """

    name: str
    word: str
    title: str
    short: str
    brief: str
    target: str


ROOMS = (
    RoomEntry("stats", "overview", "Overview", "Overview", "Overview", "screens.stats:StatsScreen"),
    RoomEntry("memories", "memories", "Memories", "Memories", "Mem", "screens.memories:MemoriesScreen"),
    RoomEntry("messages", "messages", "Messages", "Messages", "Msg", "screens.messages:MessagesScreen"),
    RoomEntry(
        "knowledge_bases",
        "knowledge-bases",
        "Knowledge bases",
        "KBs",
        "KBs",
        "screens.knowledge_bases:KnowledgeBasesScreen",
    ),
    RoomEntry("recall", "recall", "Recall bench", "Recall", "Recall", "screens.recall:RecallScreen"),
    RoomEntry("accounts", "keys", "Keys and devices", "Keys", "Keys", "screens.accounts:AccountsScreen"),
    RoomEntry("jobs", "jobs", "Jobs", "Jobs", "Jobs", "screens.jobs:JobsScreen"),
    RoomEntry("conflicts", "conflicts", "Conflicts", "Conflicts", "Conf", "screens.conflicts:ConflictsScreen"),
    RoomEntry("snapshots", "snapshots", "Snapshots", "Snapshots", "Snap", "screens.snapshots:SnapshotsScreen"),
)
"""The order is that of the number keys, beginning with 1."""

FORMER_WORDS = {"stats": "overview", "accounts": "keys"}
"""Earlier names of rooms, which `memtui` still accepts."""


def mode_of(word: str) -> str:
    """The mode of the room that this word opens."""
    return next(entry.name for entry in ROOMS if entry.word == word)


def screen_of(target: str) -> "Screen[None]":
    """A new screen of the class that `module:class` names."""
    module, _, name = target.partition(":")
    return getattr(import_module(f".{module}", __package__), name)()


def factories() -> "dict[str, str | Callable[[], Screen[None]]]":
    """How each room's screen is made, by mode."""
    return {entry.name: partial(screen_of, entry.target) for entry in ROOMS}
