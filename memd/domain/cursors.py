"""Opaque cursors: a position in one list of one owner, which no other list accepts (contract 1.1.9)."""

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence

_SEAL_BYTES = 6


class MalformedCursorError(ValueError):
    """The text is not a cursor, or one of another list, user or knowledge base."""


def encode_cursor(listing: str, position: Sequence[str | float]) -> str:
    """A cursor for `listing` (its name and whose it is); the next page begins after `position`."""
    payload = json.dumps(list(position), separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_seal(listing, payload) + payload).decode().rstrip("=")


def decode_cursor(listing: str, cursor: str) -> list[str | float]:
    """The position behind a cursor of `listing`; `MalformedCursorError` for anything else."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        seal, payload = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
        if seal != _seal(listing, payload):
            raise MalformedCursorError(listing)
        return json.loads(payload)
    except (binascii.Error, ValueError, RecursionError) as error:
        raise MalformedCursorError(listing) from error


def _seal(listing: str, payload: bytes) -> bytes:
    return hashlib.sha256(listing.encode() + b"\n" + payload).digest()[:_SEAL_BYTES]
