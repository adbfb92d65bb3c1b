"""The commands of the `:` line: what can be written, what completes a beginning, what runs.

A command is a name, with one argument for some. The names are the tabs, and what a key does on the screen behind.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

from .colors import THEMES
from .palette import own_bindings
from .presenters.memories import SORTED_COLUMNS
from .tabs import TABS

_TAB_WORDS: Final = {entry.word: entry.name for entry in TABS}


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its argument; `action` is run on `node`."""

    text: str
    about: str
    node: DOMNode
    action: str


def all_commands(app: App[None], screen: Screen[object]) -> list[Command]:
    """The commands that exist on this screen: tabs, themes, sorts, and the actions of the keys."""
    tabs = (Command(word, "open this screen", app, f"open_tab('{name}')") for word, name in _TAB_WORDS.items())
    themes = (Command(f"theme {name}", "choose a theme", app, f"theme('{name}')") for name in _themes(app))
    return [*tabs, *_sorts(screen), *_keys(app, screen), *themes, Command("quit", "quit memtui", app, "quit")]


def _themes(app: App[None]) -> Iterable[str]:
    own = [theme.name for theme in THEMES]
    return [*own, *sorted(set(app.available_themes) - set(own) - {"textual-ansi", "ansi-dark", "ansi-light"})]


def _sorts(screen: Screen[object]) -> Iterable[Command]:
    if hasattr(screen, "action_sort"):
        for column in SORTED_COLUMNS:
            yield Command(f"sort {column}", "repeat to reverse the order", screen, f"sort('{column}')")


def _keys(app: App[None], screen: Screen[object]) -> Iterable[Command]:
    for node, binding in own_bindings(app, screen):
        word = binding.description.lower().replace(" ", "-")
        yield Command(word, f"key {app.get_key_display(binding)}", node, binding.action)


def matching(commands: Iterable[Command], written: str) -> list[Command]:
    """The commands that begin with what was written, then those that hold it; all for nothing."""
    words = written.strip().lower()
    begin = [command for command in commands if command.text.startswith(words)]
    return begin + [command for command in commands if words in command.text and command not in begin]


def completion(found: list[Command], written: str) -> str:
    """As much as all matches that begin with what was written have in common."""
    texts = [command.text for command in found if command.text.startswith(written.strip().lower())]
    if not texts:
        return written
    first, last = min(texts), max(texts)
    common = next(
        (index for index, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first)
    )
    return first[:common]
