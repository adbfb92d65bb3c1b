"""Colours of the terminal that mean something: the store of a memory, how good a score is, a state."""

import os
import re
from collections.abc import Mapping
from typing import Final

STORES: Final[Mapping[str, str]] = {
    "sensory": "bright_black",
    "episodic": "blue",
    "semantic": "green",
    "procedural": "magenta",
    "prospective": "cyan",
}
_STATES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("ok", "live", "done", "delivered", "yes", "active"), "green"),
    **dict.fromkeys(("waiting", "running", "pending", "open", "never", "proposed"), "yellow"),
    **dict.fromkeys(("failed", "error", "dead", "revoked", "expired", "refused", "blocked"), "red"),
}
_SCORED: Final = frozenset({"score", "strength", "relevance", "certainty"})
_ID: Final = re.compile(r"[a-z]+_[0-9a-z]{26}")
GOOD, FAIR = 0.6, 0.35


def enabled() -> bool:
    """Whether the user wants colours at all (NO_COLOR, https://no-color.org), and the terminal has them."""
    return not (os.environ.get("NO_COLOR") or is_dumb())


def is_dumb() -> bool:
    """Whether the terminal shows control sequences as they are (TERM=dumb), such as the shell of an editor."""
    return os.environ.get("TERM") == "dumb"


def of_score(value: float) -> str:
    """Green for a good score of 0 to 1, yellow for a fair one, grey below that."""
    return "green" if value >= GOOD else "yellow" if value >= FAIR else "bright_black"


def of_cell(heading: str, cell: str) -> str | None:
    """The colour of a cell of a table, by its column and what it says; None for the ordinary one."""
    if heading == "store":
        return STORES.get(cell)
    if heading in _SCORED and re.fullmatch(r"\d\.\d+", cell):
        return of_score(float(cell))
    if _ID.fullmatch(cell):
        return "bright_black"
    return _STATES.get(cell)
