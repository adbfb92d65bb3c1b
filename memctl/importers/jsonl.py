"""JSON lines: memories, messages, and the chunks and knowledge bases of an export, each line recognized by its fields.

`role` makes a message, `knowledgeBase` the description of a knowledge base, `knowledgeBaseId` a chunk of one; every
other line is a memory. Fields may have the names that other systems give them: `created_at`, `text` or `fact` for the
content, `valid_at` and `invalid_at` for the period.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from memctl.diagnostics import CommandError, ExitCode
from memctl.importers.decoding import lines_of
from memctl.importers.pieces import Piece, Refusal, json_lines
from memctl.importers.records import (
    TIMES,
    Base,
    Chunk,
    Exported,
    LeftOut,
    Memory,
    Message,
    Record,
    checked,
    memory,
    message,
)
from memctl.importers.transcripts import session_of
from memctl.json_values import fields
from memctl.wire.enums import MemorySource
from memctl.wire.imports import ImportChunk
from memctl.wire.instants import exact_bound, looks_like_seconds
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest

_EXPORTED: Final = re.compile(r"(?:mem|msg)_[0-7][0-9a-hjkmnp-tv-z]{25}$")
"""The id of a row of an export, whose times are milliseconds whatever they look like."""

_PERIOD: Final = ("validFrom", "validUntil")

_UNDERSCORE: Final = re.compile(r"_([a-z])")
_OTHER_NAMES: Final = {"text": "content", "fact": "content", "validAt": "validFrom", "invalidAt": "validUntil"}


def read_jsonl(path: Path, channel: str | None) -> Iterator[Record]:
    """A record for each line that is not blank; `channel` replaces the one of memories and messages.

    The path `-` is standard input.
    """
    counts: Counter[str] = Counter()
    copies: Counter[int] = Counter()
    for origin, read, _ in json_lines(str(path), lines_of(None if str(path) == "-" else path)):
        if isinstance(read, Refusal):
            yield read
            continue
        if not isinstance(read, dict):
            yield Refusal(origin, "not a JSON object")
            continue
        _check_not_of_agent(cast("dict[str, Any]", read), path)
        row = _wire_names(cast("dict[str, Any]", read))
        record = record_of_row(_placed(row, counts, path.stem) if "role" in row else row, origin, channel)
        yield _numbered(record, copies) if isinstance(record, Message) and _was_without_place(row) else record


def _check_not_of_agent(read: Mapping[str, Any], path: Path) -> None:
    """CommandError for a line of a transcript, whose notes would become memories."""
    if "content" not in read and session_of(read) is not None:
        hint = f"use: memctl import transcripts {shlex.quote(str(path))}"
        raise CommandError(f"{path} looks like the transcript of a coding agent; {hint}", ExitCode.USAGE)


def _wire_names(row: dict[str, Any]) -> dict[str, Any]:
    """The fields under the names of the wire, if the row does not have these as well; the time of a message is its timestamp."""
    named = {_wire_name(name): value for name, value in row.items()} | row
    return {"timestamp": named["createdAt"], **named} if "role" in row and "createdAt" in named else named


def _wire_name(name: str) -> str:
    camel = _UNDERSCORE.sub(lambda letter: letter[1].upper(), name)
    return _OTHER_NAMES.get(camel, camel)


def _placed(row: dict[str, Any], counts: Counter[str], stem: str) -> dict[str, Any]:
    """A message with session and place: so a second import knows it again (contract 7.5, rule 3)."""
    session = row.get("sessionKey") or f"import:{stem}"
    index = counts[str(session)]
    counts[str(session)] += 1
    named = {name: value for name, value in row.items() if value is not None}
    return {"turnMessageIndex": index, **named, "sessionKey": session}


def _was_without_place(row: Mapping[str, Any]) -> bool:
    """Whether memd exported this message without the session and place by which the log endpoint knows it again."""
    is_placed = row.get("turnMessageIndex") is not None and row.get("sessionKey") is not None
    return not is_placed and _EXPORTED.match(str(row.get("id"))) is not None


def _numbered(record: Message, copies: Counter[int]) -> Message:
    """The message with its number among those that say the same at the same instant; `copies` counts them by hash."""
    copies[record.said] += 1
    return replace(record, copy=copies[record.said])


def record_of_row(row: Mapping[str, Any], origin: str, channel: str | None) -> Record:
    """The record for a row in the wire shape of its kind."""
    if isinstance(row.get("knowledgeBase"), dict):
        return _base(cast("dict[str, Any]", row["knowledgeBase"]), origin)
    if row.get("knowledgeBaseId"):
        return _chunk(row, origin)
    seconds = next((name for name in TIMES if looks_like_seconds(row.get(name))), None)
    is_exported = _EXPORTED.match(str(row.get("id"))) is not None
    if seconds and not is_exported:
        return Refusal(origin, f"{seconds} is in seconds; write milliseconds or an ISO datetime")
    placed = {**row, "channel": channel} if channel else row
    if "role" in row:
        return message(placed, origin)
    return _memory(placed, origin, _exported(row) if is_exported else None)


def _memory(row: Mapping[str, Any], origin: str, exported: Exported | None) -> Memory | Refusal:
    """Only memd itself makes memories from conversations; they come back as what it inferred. Periods of an export are in ms."""
    inferred = row.get("source") == MemorySource.CONVERSATION
    if exported is not None:
        row = {**row, **{name: exact_bound(row[name]) for name in _PERIOD if isinstance(row.get(name), int)}}
    return memory({**row, "source": MemorySource.INFERENCE} if inferred else row, origin, exported)


def _exported(row: Mapping[str, Any]) -> Exported:
    changed_at = row.get("updatedAt")
    return Exported(str(row.get("id", "")), changed_at if isinstance(changed_at, int) else None)


def _base(row: Mapping[str, Any], origin: str) -> Base | Refusal:
    request = checked(CreateKnowledgeBaseRequest, row, origin)
    if isinstance(request, Refusal):
        return request
    return Base(request, str(row.get("id", "")), _exported(row))


def _chunk(row: Mapping[str, Any], origin: str) -> Chunk | LeftOut | Refusal:
    """A chunk of an export; one that was true only until then is left out: the import of chunks takes no periods."""
    if row.get("ended"):
        return LeftOut("chunk that has ended")
    names = ("content", "dedupeKey", "chunkKind", "channel", "tags")
    given = {name: row[name] for name in names if row.get(name) is not None}
    source = {**fields(row.get("chunk")), "title": row.get("title")}
    chunk = checked(ImportChunk, {**given, "metadata": source}, origin)
    return chunk if isinstance(chunk, Refusal) else Chunk(Piece(chunk, origin), str(row["knowledgeBaseId"]))
