"""Adds an entry to the settings file of another program; everything else stays, byte for byte, and a copy is kept."""

import time
from collections.abc import Mapping, MutableMapping
from itertools import chain, count
from pathlib import Path
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError

from memctl import json_edit
from memctl.json_edit import UnknownSettingsError
from memctl.json_values import fields
from memctl.new_file import replace_file
from memctl.settings_diff import MEMD_KEY

PRIVATE = 0o600


def text_of(path: Path) -> str:
    """The text of a file with the line ends that it has; empty when there is no file. OSError, UnicodeDecodeError."""
    return path.read_bytes().decode() if path.exists() else ""


def with_entry(path: Path, text: str, table: str, name: str, entry: dict[str, Any]) -> str:
    """The file's text with the entry under `table`; TOML or JSON by the file's suffix. `UnknownSettingsError`."""
    document = _document(path, text)
    servers = document.setdefault(table, tomlkit.table(is_super_table=True) if _is_toml(path) else {})
    if not isinstance(servers, MutableMapping):
        raise UnknownSettingsError(f"its {table} is something else than a table of servers")
    cast("MutableMapping[str, Any]", servers)[name] = tomlkit.item(entry) if _is_toml(path) else entry
    return _written(path, text, document)


def without_entry(path: Path, text: str, table: str, name: str) -> str:
    """The file's text without the entry, and without `table` when it held nothing else; the same text without one."""
    document = _document(path, text)
    if _entry(document, table, name) is None:
        return text
    servers = document[table]
    del servers[name]
    if not servers:
        del document[table]
    return _written(path, text, document)


def entry_in(path: Path, text: str, table: str, name: str) -> dict[str, Any] | None:
    """The entry of a file; None without one. `UnknownSettingsError` when the file cannot be read."""
    document = _document(path, text)
    return _entry(document.unwrap() if isinstance(document, tomlkit.TOMLDocument) else document, table, name)


def _entry(document: Mapping[str, Any], table: str, name: str) -> dict[str, Any] | None:
    entry = fields(document.get(table)).get(name)
    return cast("dict[str, Any]", entry) if isinstance(entry, dict) else None


def _is_toml(path: Path) -> bool:
    return path.suffix == ".toml"


def _document(path: Path, text: str) -> MutableMapping[str, Any]:
    """The settings in the text of a file."""
    if not _is_toml(path):
        return json_edit.parsed_object(text)
    try:
        return tomlkit.parse(text)
    except (TOMLKitError, RecursionError) as error:
        raise UnknownSettingsError(f"it is not TOML ({error})") from error


def _written(path: Path, text: str, document: MutableMapping[str, Any]) -> str:
    """The text of a file with changed settings."""
    return tomlkit.dumps(document) if _is_toml(path) else json_edit.rewritten(text, dict(document))


def snippet(path: Path, table: str, name: str, entry: dict[str, Any]) -> str:
    """The entry alone, as it would be in an empty file."""
    return with_entry(path, "", table, name, entry)


def replace(path: Path, text: str) -> Path | None:
    """Write the file in one step; the copy of an old one, if any.

    A new file, and one with a key in it, can be read by its owner alone; another keeps its mode. The same holds for the
    copy.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    copy = None
    mode = PRIVATE
    if path.exists():
        before = path.read_bytes()
        mode = path.stat().st_mode & 0o777
        copy = _free_name(path)
        _write(copy, before, mode)
    _write(path, text.encode(), mode)
    return copy


def _free_name(path: Path) -> Path:
    """Where a copy of a file goes; a second one within the same second gets a number."""
    stamped = f"{path.name}.{time.strftime('%Y%m%d-%H%M%S')}"
    names = chain([f"{stamped}.bak"], (f"{stamped}-{number}.bak" for number in count(2)))
    return next(copy for name in names if not (copy := path.with_name(name)).exists())


def _write(path: Path, content: bytes, mode: int) -> None:
    """Replace a file; one with a key in it becomes private."""
    replace_file(path, content, mode & PRIVATE if MEMD_KEY.search(content.decode("utf-8", "replace")) else mode)
