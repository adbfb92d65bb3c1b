"""Writes the config file: comments and order stay, the file is readable by its owner only."""

import fcntl
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError

from memctl.new_file import replace_file
from memctl.settings import ConfigError, check_address


def _check_name(name: str) -> None:
    if not name.strip():
        raise ConfigError("a profile needs a name")


def set_profile(path: Path, name: str, url: str | None, api_key: str | None) -> bool:
    """Make or change a profile; None leaves a value as it is. Whether it became the one in use, as the first one does."""
    _check_name(name)
    if url is not None:
        check_address(url, "--url")
    is_first = False

    def change(document: tomlkit.TOMLDocument) -> None:
        nonlocal is_first
        profiles = document.setdefault("profiles", tomlkit.table(is_super_table=True))
        entry = profiles.setdefault(name, tomlkit.table())
        if url is not None:
            entry["url"] = url
        if api_key is not None:
            entry["api_key"] = api_key
        if "url" not in entry:
            raise ConfigError(f"profile {name} is new: give it an address with --url")
        is_first = "profile" not in document
        document.setdefault("profile", name)

    _edit(path, change)
    return is_first


def use_profile(path: Path, name: str) -> None:
    """Choose the profile that commands use when none is named."""
    _check_name(name)

    def change(document: tomlkit.TOMLDocument) -> None:
        document["profile"] = name

    _edit(path, change)


def delete_profile(path: Path, name: str) -> None:
    """Remove a profile; when it was the one in use, none is."""
    _check_name(name)

    def change(document: tomlkit.TOMLDocument) -> None:
        table = cast("dict[str, Any]", document)
        table.get("profiles", {}).pop(name, None)
        if table.get("profile") == name:
            del table["profile"]

    _edit(path, change)


def forget_key(path: Path, name: str) -> None:
    """Remove the key of a profile; its address stays."""

    def change(document: tomlkit.TOMLDocument) -> None:
        table = cast("dict[str, Any]", document)
        table.get("profiles", {}).get(name, {}).pop("api_key", None)

    _edit(path, change)


def _edit(path: Path, change: Callable[[tomlkit.TOMLDocument], None]) -> None:
    """Read, change, and replace the file in one step; another program that does so at the same time waits."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(path.parent):
        try:
            text = path.read_text("utf-8") if path.exists() else ""
            document = tomlkit.parse(text)
        except (OSError, UnicodeDecodeError, TOMLKitError) as error:
            raise ConfigError(f"{path}: {error}") from error
        change(document)
        replace_file(path, tomlkit.dumps(document).encode(), 0o600)


@contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Hold an exclusive lock on the folder of a file: the file itself is replaced. A file system without locks has none."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
