"""The map is true: docs/architecture.md and CONTRIBUTING.md name files that exist, every room, and the real path of a recall."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAP, GUIDE = ROOT / "docs" / "architecture.md", ROOT / "CONTRIBUTING.md"
_PATH = re.compile(r"`((?:memd|memctl|tui|migrations|tests|docs)(?:/[\w.-]+)+/?)`")


def named(page: Path) -> set[str]:
    """The paths that a page names."""
    return set(_PATH.findall(page.read_text("utf-8")))


@pytest.mark.parametrize("page", [MAP, GUIDE], ids=lambda page: page.name)
def test_every_path_exists(page: Path) -> None:
    assert len(named(page)) > 15
    assert [path for path in sorted(named(page)) if not (ROOT / path).exists()] == []


def test_every_room_has_its_line() -> None:
    rooms = {f"memd/{init.parent.name}" for init in (ROOT / "memd").glob("*/__init__.py")}
    assert rooms - named(MAP) == set()


def test_it_is_one_page() -> None:
    assert len(MAP.read_text("utf-8").splitlines()) <= 220
