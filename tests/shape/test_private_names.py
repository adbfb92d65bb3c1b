"""A name with an underscore belongs to its module: no other one imports it. Of attributes, ruff says so (SLF001)."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for package in ("memd", "memctl", "tui", "migrations") for path in (ROOT / package).rglob("*.py"))
IMPORT = re.compile(r"^ *from (?:memd|memctl|tui|migrations|\.)\S* import (\([^)]*\)|.*)", re.MULTILINE)


def private_names(source: str) -> Iterator[str]:
    """The private names that a module imports from modules of ours."""
    for names in IMPORT.findall(source):
        yield from re.findall(r"(?:^|[(,])\s*(_(?!_)\w*)", names)


def test_a_private_name_is_noticed() -> None:
    source = "from memd.a import b, _c\nif x:\n    from .d import (\n        E as _e,\n        _F,\n    )\nfrom os import _exit\n"
    assert [*private_names(source)] == ["_c", "_F"]


def test_no_module_imports_a_private_name() -> None:
    assert len(MODULES) > 700
    found = [f"{path.relative_to(ROOT)}: {name}" for path in MODULES for name in private_names(path.read_text())]
    assert found == []
