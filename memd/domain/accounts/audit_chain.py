"""The hash chain of the audit log (contract 17.6): the fields that an entry's hash covers, and the check of a chain.

An entry's hash is SHA-256 over a JSON array of its fields, the hash of the entry before it included. Postgres computes
it when the entry is written (`memd_audit_append`); this module computes it again, independently.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias, cast
from uuid import UUID

GENESIS: Final = bytes(32)
"""The hash before the first entry."""

EXPIRE: Final = "audit.expire"
"""The action under which retention records what it removed; its entry anchors the rest of the chain."""

Values: TypeAlias = dict[str, Any]


class Outcome(StrEnum):
    """How an action ended."""

    OK = "ok"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An action to be recorded: when (epoch ms), by whom and from where, what, to which object, and how it ended.

    `before` and `after` hold settings and counts, never contents: no text, name, label, tag or session key.
    """

    at: int
    action: str
    user_id: UUID | None = None
    key_id: UUID | None = None
    address: str | None = None
    request_id: UUID | None = None
    target: str | None = None
    outcome: Outcome = Outcome.OK
    before: Values | None = None
    after: Values | None = None


class ChainedEntry(NamedTuple):
    """An entry as it is stored; `before` and `after` are the stored JSON texts."""

    seq: int
    at: int
    user_id: UUID | None
    key_id: UUID | None
    address: str | None
    action: str
    target: str | None
    outcome: str
    before: str | None
    after: str | None
    request_id: UUID | None
    previous_hash: bytes
    hash: bytes


def json_text(values: Values | None) -> str | None:
    """The stored form of `before` and `after`."""
    return None if values is None else json.dumps(values, ensure_ascii=False, sort_keys=True)


def hash_of(entry: ChainedEntry) -> bytes:
    """The SHA-256 that the entry must have, from its fields and the hash of the entry before it."""
    texts = [str(value) if isinstance(value, UUID) else value for value in entry[:-2]]
    covered = json.dumps([*texts, entry.previous_hash.hex()], ensure_ascii=False)
    return hashlib.sha256(covered.encode()).digest()


class Link(NamedTuple):
    """A position in the chain: a sequence number and the hash of the entry that has it."""

    seq: int
    hash: bytes

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash.hex()}"


def parse_link(text: str) -> Link:
    """A link from its form `SEQ:HASH`; ValueError for anything else."""
    seq, _, digest = text.partition(":")
    link = Link(int(seq), bytes.fromhex(digest))
    if link.seq < 0 or len(link.hash) != len(GENESIS):
        raise ValueError(text)
    return link


class BrokenChainError(Exception):
    """The stored entries are not the ones that were written; the text says where the chain breaks."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A chain that holds: the number of its entries, its first sequence number, its head, and what retention removed."""

    entries: int
    first: int | None
    head: Link
    removed_through: int


def verify(entries: Iterable[ChainedEntry], head: Link, expected: Link | None = None) -> Verified:
    """Check a whole chain, in ascending order, against its recorded head; BrokenChainError at the first fault.

    A chain that retention has shortened must begin where one of its own `audit.expire` entries says. `expected` is a
    head that was recorded earlier, outside the database: it must still be part of the chain.
    """
    count, first, last = 0, None, Link(0, GENESIS)
    start = last
    anchors = {0: GENESIS}
    found = False
    for entry in entries:
        if first is None:
            first, start = entry.seq, Link(entry.seq - 1, entry.previous_hash)
            last = start
        _check_entry(entry, last)
        last = Link(entry.seq, entry.hash)
        found = found or expected in {last, start}
        count += 1
        if entry.action == EXPIRE:
            anchors |= _anchor(entry)
    if anchors.get(start.seq) != start.hash:
        raise BrokenChainError(f"the entries up to {start.seq} are missing, and no retention run has removed them")
    if last != head:
        raise BrokenChainError(f"the chain ends at entry {last.seq}, but its recorded head is entry {head.seq}")
    if expected is not None and expected.seq >= start.seq and not found:
        raise BrokenChainError(f"entry {expected.seq} does not match the recorded one")
    return Verified(count, first, head, start.seq)


def _check_entry(entry: ChainedEntry, last: Link) -> None:
    if entry.seq != last.seq + 1:
        raise BrokenChainError(f"entry {last.seq + 1} is missing")
    if entry.previous_hash != last.hash:
        raise BrokenChainError(f"entry {entry.seq} does not follow entry {last.seq}")
    if entry.hash != hash_of(entry):
        raise BrokenChainError(f"entry {entry.seq} was changed after it was written")


def _anchor(entry: ChainedEntry) -> dict[int, bytes]:
    """The anchor that a retention run noted for the last entry it removed, as number and hash; empty when malformed."""
    try:
        values = cast("Values", json.loads(entry.after or "{}"))
        return {int(values["removedThrough"]): bytes.fromhex(values["hash"])}
    except (KeyError, TypeError, ValueError):
        return {}
