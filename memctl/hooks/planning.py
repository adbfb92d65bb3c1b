"""Plans the changes to the files of an agent when hooks are installed or removed, before anything is written."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memctl.hooks.agents import Agent
from memctl.hooks.installation import FileChange, content_of, original_of, record_of
from memctl.hooks.settings_files import Commands, Form
from memctl.hooks.state import State
from memctl.json_edit import UnknownSettingsError


class UnusableFileError(Exception):
    """A file of the agent cannot be changed; the text names it and says why."""


class Planned(NamedTuple):
    """A change of a file, and its content before hooks were written to it."""

    change: FileChange
    original: bytes | None = None

    @property
    def is_needed(self) -> bool:
        """Whether the file has to be changed."""
        return self.change.before != self.change.after


def files_of(agent: Agent, home: Path, *, project: bool) -> Iterator[tuple[Path, Form]]:
    """The files of a person, or those of the project in this folder; none where the agent has no settings of a project."""
    for file in agent.files:
        if not project:
            yield file.personal(home), file.form
        elif file.shared is not None:
            yield Path.cwd() / file.shared, file.form


def installation(state: State, path: Path, form: Form, commands: Commands) -> Planned:
    """The change that writes hooks; `UnusableFileError` when the file is not understood."""
    current = _current(path)
    as_written, original = original_of(state, path, current)
    try:
        cleared = _text(original if as_written else current)
        before = cleared if as_written else form.without_hooks(cleared)
        change = FileChange(path, current, form.with_hooks(before, commands).encode())
    except (UnicodeDecodeError, UnknownSettingsError) as error:
        raise UnusableFileError(f"{path} stays as it is: {error}") from error
    if as_written or current is None:
        return Planned(change, original)
    return Planned(change, None if form.holds_nothing(before) and before.encode() != current else before.encode())


def removal(state: State, path: Path, form: Form) -> Planned:
    """The change back: the original file when it has not been edited since, else the file without our entries."""
    current = _current(path)
    as_written, original = original_of(state, path, current)
    if as_written:
        return Planned(FileChange(path, current, original))
    if current is None:
        return Planned(FileChange(path, None, None))
    try:
        text = form.without_hooks(current.decode())
        record = record_of(state, path)
        was_made_by_us = record is not None and record.original is None
        is_rest_empty = text.encode() != current and form.holds_nothing(text)
    except (UnicodeDecodeError, UnknownSettingsError) as error:
        raise UnusableFileError(f"{path} stays as it is: {error}") from error
    return Planned(FileChange(path, current, None if was_made_by_us and is_rest_empty else text.encode()))


def _current(path: Path) -> bytes | None:
    try:
        return content_of(path)
    except OSError as error:
        raise UnusableFileError(f"{path}: {error.strerror}") from error


def _text(content: bytes | None) -> str:
    return (content or b"").decode()
