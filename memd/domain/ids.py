"""Identifiers: a fresh one, and the form on the wire, under one name in every layer (contract 1.2)."""

from uuid import UUID

from uuid_utils.compat import uuid7

from memctl.wire.ids import MalformedIdentifierError, decode, encode, made_at

__all__ = ["MalformedIdentifierError", "decode", "encode", "made_at", "new_id"]


def new_id() -> UUID:
    """A fresh UUIDv7; later calls sort after earlier ones."""
    return uuid7()
