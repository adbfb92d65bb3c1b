"""Adds an entry to the settings file of another program; everything else stays, byte for byte, and a copy is kept."""

import os
import tempfile
import time
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError

from memctl import json_edit
from memctl.settings_diff import MEMD_KEY

PRIVATE = 0o600


class UnknownSettings(Exception):
    """The file cannot be read as settings; the text says why. Nothing was changed."""


def text_of(path: Path) -> str:
    """The text of a file with the line ends that it has; empty when there is no file. OSError, UnicodeDecodeError."""
    return path.read_bytes().decode() if path.exists() else ""


def with_entry(path: Path, text: str, table: str, name: str, entry: dict[str, Any]) -> str:
    """The file's text with the entry under `table`; TOML or JSON by the file's suffix."""
    return (_with_toml if path.suffix == ".toml" else _with_json)(text, table, name, entry)


def without_entry(path: Path, text: str, table: str, name: str) -> str:
    """The file's text without the entry, and without `table` when it held nothing else; the same text without one."""
    if entry_in(path, text, table, name) is None:
        return text
    if path.suffix == ".toml":
        document = tomlkit.parse(text)
        _drop(document, table, name)
        return tomlkit.dumps(document)
    return json_edit.without_entry(text, table, name)


def entry_in(path: Path, text: str, table: str, name: str) -> dict[str, Any] | None:
    """The entry of a file; None without one. `UnknownSettings` when the file cannot be read."""
    try:
        read: Any = tomlkit.parse(text).unwrap() if path.suffix == ".toml" else json_edit.parsed(text or "{}")
    except (TOMLKitError, ValueError) as error:
        raise UnknownSettings(f"it cannot be read ({error})") from error
    servers = cast("dict[str, Any]", read).get(table) if isinstance(read, dict) else None
    entry = cast("dict[str, Any]", servers).get(name) if isinstance(servers, dict) else None
    return cast("dict[str, Any]", entry) if isinstance(entry, dict) else None


def _drop(document: MutableMapping[str, Any], table: str, name: str) -> None:
    servers = document[table]
    del servers[name]
    if not servers:
        del document[table]


def _with_json(text: str, table: str, name: str, entry: dict[str, Any]) -> str:
    text = text if text.strip() else "{}\n"
    try:
        read: Any = json_edit.parsed(text)
    except ValueError as error:
        raise UnknownSettings(f"it is not JSON ({error})") from error
    if not isinstance(read, dict) or not isinstance(cast("dict[str, Any]", read).get(table, {}), dict):
        raise UnknownSettings(f"it holds something else than an object with {table}")
    return json_edit.with_entry(text, table, name, entry)


def _with_toml(text: str, table: str, name: str, entry: dict[str, Any]) -> str:
    try:
        document = tomlkit.parse(text)
        servers = document.setdefault(table, tomlkit.table(is_super_table=True))
        servers[name] = tomlkit.item(entry)
        return tomlkit.dumps(document)
    except (TOMLKitError, TypeError) as error:
        raise UnknownSettings(f"it is not TOML as expected ({error})") from error


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
        copy = path.with_name(f"{path.name}.{time.strftime('%Y%m%d-%H%M%S')}.bak")
        _write(copy, before, mode)
    _write(path, text.encode(), mode)
    return copy


def _write(path: Path, content: bytes, mode: int) -> None:
    """Replace a file; no other user can read it before it has its mode."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(draft).chmod(mode & PRIVATE if MEMD_KEY.search(content.decode("utf-8", "replace")) else mode)
    Path(draft).replace(path)
