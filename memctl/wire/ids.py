"""Identifiers of the wire: a prefix and the 26 lower-case Crockford base32 characters of a UUIDv7 (contract 1.2)."""

from uuid import UUID

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 26
_PAIRS = [first + second for first in ALPHABET for second in ALPHABET]
_SHIFTS = range(5 * (LENGTH - 2), -1, -10)
_VALUE = {char: value for value, char in enumerate(ALPHABET)}


class MalformedIdentifierError(ValueError):
    """The text is not an identifier of the wanted kind."""


def made_at(value: UUID) -> int:
    """When a UUIDv7 was made (epoch ms)."""
    return value.int >> 80


def encode(prefix: str, value: UUID) -> str:
    """The wire form of `value`, e.g. `encode("mem", u)` → `mem_01j…`."""
    number = value.int
    return f"{prefix}_{''.join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])}"


def decode(prefix: str, text: str) -> UUID:
    """The UUID behind a wire identifier; `MalformedIdentifierError` for another prefix, case, length or alphabet."""
    head, _, body = text.partition("_")
    if head != prefix or len(body) != LENGTH or body[0] not in "01234567":
        raise MalformedIdentifierError(text)
    number = 0
    for char in body:
        value = _VALUE.get(char)
        if value is None:
            raise MalformedIdentifierError(text)
        number = number << 5 | value
    return UUID(int=number)
