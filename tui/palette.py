"""What the search of actions (Ctrl+P) finds: every tab, and everything that a key does on the screen behind it."""

from collections.abc import Callable, Iterable, Iterator

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from .tabs import TABS

_LEFT_OUT = ("open_tab", "command_line", "app.", "command_palette", "leave", "scroll", "tab", "screen.")


def commands(app: App[None], screen: Screen[object]) -> Iterable[SystemCommand]:
    """The actions to search; the words are memtui's own, never stored text."""
    for index, entry in enumerate(TABS, 1):
        yield SystemCommand(entry.title, f"Open this screen; key {index}", _runs(app, f"open_tab('{entry.name}')", app))
    for node, binding in own_bindings(app, screen):
        key = app.get_key_display(binding)
        yield SystemCommand(binding.description, f"Key {key}", _runs(app, binding.action, node))
    yield SystemCommand("Theme", "Choose a theme", app.action_change_theme)
    yield SystemCommand("Picture", "Save an SVG picture of the screen", app.deliver_screenshot)


def own_bindings(app: App[None], screen: Screen[object]) -> Iterator[tuple[DOMNode, Binding]]:
    """The bindings of a screen and of the application."""
    for node, binding, enabled, _ in screen.active_bindings.values():
        own = (node is screen or node is app) and not binding.action.startswith(_LEFT_OUT)
        if own and enabled and binding.description:
            yield node, binding


def _runs(app: App[None], action: str, node: DOMNode) -> Callable[[], None]:
    def run() -> None:
        app.call_later(app.run_action, action, node)

    return run
