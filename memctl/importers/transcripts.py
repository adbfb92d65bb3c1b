"""Sessions of coding agents from before their hooks were installed, from the transcripts that the agents keep.

What the user and the agent said is read as the hooks read it. A session gets the channel of its project, as with hooks.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from memctl.diagnostics import CommandError, ExitCode
from memctl.hooks.events import digest, project_channel, session_key
from memctl.hooks.transcripts import messages_in, records
from memctl.importers.pieces import Refusal
from memctl.importers.records import LeftOut, Record, message, turns
from memctl.json_values import fields

_SUFFIXES: Final = {".jsonl", ".json"}


class _Session(NamedTuple):
    """Whose session a transcript holds, its id, and the folder that it ran in, if the agent names it."""

    agent: str
    id: str
    folder: str

    def channel(self, template: str | None) -> str:
        """The channel of its project, as hooks with this `--channel` use it; with the name of the agent where the folder is unknown."""
        return project_channel(
            self.folder or self.agent, self.agent, template if self.folder else template or self.agent
        )


def read_transcripts(path: Path, channel: str | None) -> Iterator[Record]:
    """The messages of a transcript, or of all in a folder; `channel` is for all of them, with `{folder}` for that of each.

    CommandError when a file is no transcript; in a folder it is left out. A file that cannot be read is refused.
    """
    for file in _files_in(path) if path.is_dir() else [path]:
        try:
            found = [*records(file.read_bytes())]
        except OSError as error:
            yield Refusal(str(file), error.strerror or str(error))
            continue
        session = next((known for record in found if (known := session_of(record)) is not None), None)
        if session is not None:
            yield from _messages(found, session, channel, file)
        elif path.is_dir():
            yield LeftOut("file that is no transcript")
        else:
            known = "Claude Code, Codex, Gemini CLI or Copilot CLI"
            raise CommandError(f"{file} is not a transcript of {known}", ExitCode.USAGE)


def _files_in(folder: Path) -> list[Path]:
    """The files that may be transcripts, by name; no pipe, which would never end, and no link to nothing."""
    return sorted(file for file in folder.rglob("*") if file.suffix in _SUFFIXES and file.is_file())


def session_of(record: Mapping[str, Any]) -> _Session | None:
    """The session that a record of a transcript names."""
    payload, data = fields(record.get("payload")), fields(record.get("data"))
    if record.get("type") == "session_meta":
        return _named("codex", payload.get("id"), payload.get("cwd"))
    if record.get("type") == "session.start":
        return _named("copilot", data.get("sessionId"), fields(data.get("context")).get("cwd"))
    if "projectHash" in record:
        return _named("gemini-cli", record.get("sessionId"), None)
    return _named("claude-code", record.get("sessionId"), record.get("cwd")) if record.get("cwd") else None


def _named(agent: str, session: Any, folder: Any) -> _Session | None:
    if not isinstance(session, str) or not session:
        return None
    return _Session(agent, session_key(session), folder if isinstance(folder, str) else "")


def _messages(
    found: Sequence[Mapping[str, Any]], session: _Session, channel: str | None, file: Path
) -> Iterator[Record]:
    """The messages as memd logs them; one without a time has that of the message before it."""
    rows: list[tuple[str, dict[str, Any]]] = []
    moment: int | None = None
    for number, said in enumerate(messages_in(found), 1):
        moment = said.timestamp or moment
        row = {
            "role": said.role,
            "content": said.content,
            "channel": session.channel(channel),
            "sessionKey": session.id,
            "timestamp": moment,
        }
        rows.append((f"{session.agent}:{digest(session.id)}:{number}", row))
    for row in turns(rows):
        yield message(row, f"{file}: {row['turnId']}")
