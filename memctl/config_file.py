"""Writes the config file: comments and order stay, the file is readable by its owner only."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from memctl.settings import ConfigError


def set_profile(path: Path, name: str, url: str | None, api_key: str | None) -> None:
    """Make or change a profile; None leaves a value as it is. The first profile becomes the one in use."""

    def change(document: tomlkit.TOMLDocument) -> None:
        profiles = document.setdefault("profiles", tomlkit.table(is_super_table=True))
        entry = profiles.setdefault(name, tomlkit.table())
        if url is not None:
            entry["url"] = url
        if api_key is not None:
            entry["api_key"] = api_key
        if "url" not in entry:
            raise ConfigError(f"profile {name} is new: give it an address with --url")
        document.setdefault("profile", name)

    _edit(path, change)


def use_profile(path: Path, name: str) -> None:
    """Choose the profile that commands use when none is named."""

    def change(document: tomlkit.TOMLDocument) -> None:
        document["profile"] = name

    _edit(path, change)


def _edit(path: Path, change: Callable[[tomlkit.TOMLDocument], None]) -> None:
    """Read, change, and replace the file in one step."""
    try:
        text = path.read_text("utf-8") if path.exists() else ""
        document = tomlkit.parse(text)
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise ConfigError(f"{path}: {error}") from error
    change(document)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".config-")  # mkstemp makes the file 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(tomlkit.dumps(document))
    Path(draft).replace(path)
