"""The two themes of memtui, and what each colour of the rows and texts means.

Presenters name a role (`store.semantic`, `score.high`), never a colour; rich looks the role up in the styles of the theme.
"""

from typing import Final

from rich.theme import Theme as Styles
from textual.theme import Theme

DARK, LIGHT = "memd-dark", "memd-light"

THEMES: Final = (
    Theme(
        name=DARK,
        primary="#4f8fd9",
        secondary="#c3a6ff",
        accent="#7ee0c6",
        foreground="#d9dee8",
        background="#0f1218",
        surface="#151a22",
        panel="#1d242f",
        success="#79d58c",
        warning="#f2c14e",
        error="#d9505f",
        variables={"border-blurred": "#36404f", "border": "#7ee0c6"},
    ),
    Theme(
        name=LIGHT,
        primary="#2f6fd0",
        secondary="#7a4fd0",
        accent="#0b7a66",
        foreground="#20242c",
        background="#fcfbf8",
        surface="#f4f2ec",
        panel="#e8e5dc",
        success="#2c7a3f",
        warning="#8a5a00",
        error="#b3263a",
        dark=False,
        variables={"border-blurred": "#c9c4b6", "border": "#0b7a66"},
    ),
)

_ROLES: Final[dict[str, tuple[str, str]]] = {
    "ok": ("#79d58c", "#2c7a3f"),
    "warn": ("#f2c14e", "#8a5a00"),
    "bad": ("bold #f0616d", "bold #b3263a"),
    "mark": ("bold #7ee0c6", "bold #0b7a66"),
    "bar": ("#7ee0c6", "#0b7a66"),
    "store.sensory": ("#f28fb1", "#b0316a"),
    "store.episodic": ("#6cb6ff", "#1f66b8"),
    "store.semantic": ("#8bd49c", "#2c7a3f"),
    "store.procedural": ("#f2c14e", "#8a5a00"),
    "store.prospective": ("#c3a6ff", "#6b3fc4"),
    "score.high": ("#79d58c", "#2c7a3f"),
    "score.middle": ("#f2c14e", "#8a5a00"),
    "score.low": ("#e58a72", "#a4432b"),
    "age.day": ("bold #7ee0c6", "bold #0b7a66"),
    "age.week": ("#d9dee8", "#20242c"),
    "age.month": ("#98a2b3", "#5f6673"),
    "age.older": ("#6d7687", "#868c97"),
    "part.meaning": ("#6cb6ff", "#1f66b8"),
    "part.words": ("#7ee0c6", "#0b7a66"),
    "part.pairs": ("#8bd49c", "#2c7a3f"),
    "part.names": ("#b9e07e", "#557a12"),
    "part.context": ("#98a2b3", "#5f6673"),
    "part.reranker": ("#e59b5f", "#9a5412"),
    "part.vector": ("#4f7fd9", "#3d52b8"),
    "part.strength": ("#f2c14e", "#8a5a00"),
    "part.recency": ("#c3a6ff", "#6b3fc4"),
    "part.access": ("#f28fb1", "#b0316a"),
    "part.keyword": ("#5fc4d6", "#136f80"),
    "part.graph": ("#e59b5f", "#9a5412"),
    "part.project": ("#d98fe0", "#8b2f94"),
    "part.kb role": ("#a7a4f0", "#4b48b0"),
    "diff.added": ("#79d58c", "#2c7a3f"),
    "diff.removed": ("#f0616d", "#b3263a"),
    "diff.added.word": ("bold #0f1218 on #79d58c", "bold #fcfbf8 on #2c7a3f"),
    "diff.removed.word": ("bold #0f1218 on #f0616d", "bold #fcfbf8 on #b3263a"),
    "heat.0": ("#232b37", "#e4e0d5"),
    "heat.1": ("#1d5348", "#b6ded5"),
    "heat.2": ("#227b6a", "#79c2b2"),
    "heat.3": ("#3fb399", "#2f9581"),
    "heat.4": ("#8ff0d6", "#0b6152"),
}
HEAT_LEVELS: Final = 4
HIGH, MIDDLE = 0.7, 0.4
_DAY_MS: Final = 86_400_000


def styles(*, dark: bool) -> Styles:
    """The style of each role in the dark or the light theme."""
    return Styles({role: pair[0 if dark else 1] for role, pair in _ROLES.items()})


def of_part(name: str) -> str:
    """The role of a part of a score."""
    role = f"part.{name}"
    return role if role in _ROLES else "bar"


def of_score(value: float) -> str:
    """The role of a score within 0 and 1."""
    return "score.high" if value >= HIGH else "score.middle" if value >= MIDDLE else "score.low"


def of_age(then: int, now: int) -> str:
    """The role of a moment by its age; epoch ms."""
    days = (now - then) / _DAY_MS
    return "age.day" if days < 1 else "age.week" if days < 7 else "age.month" if days < 30 else "age.older"
