"""No function, method, class or import of the programs is without a caller; what only a test calls counts as dead.

Fields and constants are not looked at: the wire, tables and named tuples hold many that are read by position or by name.
"""

import re
from pathlib import Path

import pytest

vulture = pytest.importorskip("vulture", reason="vulture came with a newer requirements.lock: run make setup")

ROOT = Path(__file__).parents[2]
LOOKED_AT = {"function", "method", "class", "property", "import", "unreachable_code"}
DECORATORS = {
    "@room.*": "an endpoint is called through its route",
    "@*.command": "a subcommand of memctl",
    "@computed_field": "a field of the wire",
    "@field_validator": "called by pydantic",
    "@model_validator": "called by pydantic",
    "@model_serializer": "called by pydantic",
    "@on": "called by Textual",
}
NAMES = {
    "on_*": "message handlers, called by Textual",
    "action_*": "key bindings, called by Textual",
    "check_action": "asked by Textual whether a key works now",
    "*Screen": "loaded by name in tui/tabs.py",
    "watch_*": "called by Textual when a reactive changes",
    "render_line": "called by Textual",
    "reparse": "called by Textual",
    "get_system_commands": "called by Textual",
    "format_commands": "called by click",
    "get_error_hint": "called by click",
    "shell_complete": "called by click",
    "get_completion_args": "called by click",
    "format_completion": "called by click",
    "get_retry_decision": "called by procrastinate",
    "capture_signals": "called by uvicorn",
    "send_400_response": "called by uvicorn",
    "settings_customise_sources": "called by pydantic-settings",
    "Signal": "an annotation in a string (tui/widgets/key_line.py)",
    "metric": "the client covers every endpoint (memctl/client/compat.py)",
}
BY_NAME = {"tables.py": "read by the migrations' tests", "memctl/client": "parts of the client, loaded by name"}
"""Where classes are found without being named in code."""


def is_loaded_by_name(file: Path) -> bool:
    return file.name in BY_NAME or str(file.relative_to(ROOT).parent) in BY_NAME


PAGES = {"memctl/client": "python.md", "memctl/integrations": "integrations.md"}
PUBLIC = {
    folder: frozenset(re.findall(r"`(\w+)`", (ROOT / "docs" / page).read_text())) for folder, page in PAGES.items()
}
"""The names of the libraries that applications and frameworks call, as their pages list them."""


def is_public(file: Path, name: str) -> bool:
    return name in PUBLIC.get(str(file.relative_to(ROOT).parent), ())


@pytest.mark.slow
def test_every_definition_has_a_caller() -> None:
    search = vulture.Vulture(ignore_names=[*NAMES], ignore_decorators=[*DECORATORS])
    search.scavenge([str(ROOT / package) for package in ("memd", "memctl", "tui")])
    found = [item for item in search.get_unused_code() if item.typ in LOOKED_AT]
    unused = [item for item in found if item.typ != "class" or not is_loaded_by_name(item.filename)]
    unused = [item for item in unused if not is_public(item.filename, item.name)]
    assert [f"{item.filename.relative_to(ROOT)}: {item.typ} {item.name}" for item in unused] == []
