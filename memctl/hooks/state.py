"""The folder of the hooks: the log, the queue of each connection, and the prompts that wait for their answers.

Only the owner can read it. `environment.json` keeps where memd and memctl's settings were at installation, so that a
hook does not have to look for them.
"""

import hashlib
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from memctl.hooks.events import Payload, digest
from memctl.settings import Connection, local_key_path, state_dir

LOG_BYTES: Final = 256 * 1024
"""The log is moved to `log.1` when it is larger, which replaces the one before."""
STALE_S: Final = 7 * 86_400
"""Prompts of sessions that never ended are removed after this time."""


class State(NamedTuple):
    """The folder with its content."""

    folder: Path

    @property
    def log(self) -> Path:
        """A line for each event."""
        return self.folder / "log"

    @property
    def queues(self) -> Path:
        """A folder for each connection."""
        return self.folder / "queues"

    @property
    def prompts(self) -> Path:
        """A file for each session."""
        return self.folder / "prompts"

    @property
    def installed(self) -> Path:
        """A file for each settings file that holds hooks."""
        return self.folder / "installed"


class Prompt(NamedTuple):
    """The last prompt of a session.

    `answer` is the digest of the answer stored with it, if any; `transcript` is where the session is, for an agent that
    does not say so at its end.
    """

    id: str
    text: str
    answer: str = ""
    transcript: str = ""


def default_state() -> State:
    """The folder of this user."""
    return State(state_dir() / "hooks")


def environment(state: State, process: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables of this process, with those of the installation that it does not set itself."""
    with suppress(OSError, ValueError):
        return {**cast("dict[str, str]", json.loads((state.folder / "environment.json").read_text("utf-8"))), **process}
    return dict(process)


def queue_of(state: State, target: Connection, variables: Mapping[str, str]) -> Path:
    """The folder of the entries to be delivered to this server, for this end user and with this key, and to no other.

    The memd of a data directory is the same one while it does not run. A key of a profile or of the data directory may
    be replaced while entries wait; a key from the command line or the environment is its own identity.
    """
    folder = str(local_key_path(variables).parent)
    address = folder if target.is_of_data_directory else target.url
    key = folder
    if target.key_source.startswith("profile "):
        key = target.key_source
    elif target.key_file is None and target.api_key:
        key = hashlib.sha256(target.api_key.encode()).hexdigest()
    return state.queues / digest(address, key, target.end_user or "")


def note(state: State, client: str, event: str, text: str) -> None:
    """Add a line to the log; neither prompts nor answers belong in it."""
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {client} {event} {' '.join(text.split())}\n"
    with suppress(OSError):
        private_folder(state.folder)
        with suppress(FileNotFoundError):
            if state.log.stat().st_size > LOG_BYTES:
                state.log.replace(state.log.with_suffix(".1"))
        descriptor = os.open(state.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(line)


def save_prompt(state: State, client: str, payload: Payload, prompt: Prompt) -> None:
    """Keep the prompt of a session until its answer is there."""
    write_private(_prompt_file(state, client, payload), json.dumps(prompt._asdict()))


def saved_prompt(state: State, client: str, payload: Payload) -> Prompt | None:
    """The last prompt of a session, unless it is another one than the event is about."""
    try:
        read = cast("dict[str, Any]", json.loads(_prompt_file(state, client, payload).read_text("utf-8")))
        prompt = Prompt(str(read["id"]), str(read["text"]), str(read["answer"]), str(read.get("transcript", "")))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return prompt if payload.prompt_id in {"", prompt.id} else None


def forget_prompts(state: State, client: str, payload: Payload) -> None:
    """Remove the prompt of a session that has ended, and those that are no longer waited for."""
    with suppress(OSError):
        _prompt_file(state, client, payload).unlink(missing_ok=True)
        shown_file(state, client, payload).unlink(missing_ok=True)
        for path in state.prompts.iterdir():
            if path.stat().st_mtime < time.time() - STALE_S:
                path.unlink(missing_ok=True)


def _prompt_file(state: State, client: str, payload: Payload) -> Path:
    return state.prompts / f"{digest(client, payload.session)}.json"


def shown_file(state: State, client: str, payload: Payload) -> Path:
    """Where the rows of context are kept that the session has already."""
    return _prompt_file(state, client, payload).with_suffix(".shown")


def private_folder(folder: Path) -> None:
    """Make the folder and those above it that are missing, for their owner alone."""
    if not folder.is_dir():
        private_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, text: str) -> None:
    """Write a file in one step, for its owner alone: a reader finds the old text or the new one."""
    private_folder(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
