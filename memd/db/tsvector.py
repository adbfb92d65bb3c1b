"""A tsvector as Postgres receives it in binary: made here, so that Postgres neither parses nor stems a text."""

from collections.abc import Iterator, Sequence
from struct import Struct, pack
from typing import Final

from psycopg import AsyncConnection
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

from memd.domain.text_analysis.analysis import Lexemes

OID: Final = 3614
MAX_POSITIONS: Final = 255
"""Positions that Postgres keeps of one lexeme."""
LAST_POSITION: Final = 16_383
"""Words after it are stored with this position."""
MAX_BYTES: Final = 1_000_000
"""A tsvector ends at 1 MiB; the words of a longer text behind it are not indexed."""
MAX_UNMEASURED: Final = 1_000
"""This many lexemes, each of at most 256 bytes and 255 positions, always fit."""
_COUNT: Final = Struct(">i").pack
_NO_POSITION: Final = b"\0\0\0"
_ONE_POSITION: Final = Struct(">xHH").pack
_ENTRY: Final = 8
"""The most bytes of an entry without its text and positions."""


class TsVector(bytes):
    """The binary form: the number of lexemes, then each with a zero byte, the number of positions and the positions."""

    __slots__ = ()


class TsVectorDumper(Dumper):
    """Sends a `TsVector` to Postgres unchanged."""

    format = Format.BINARY
    oid = OID

    def dump(self, obj: TsVector) -> Buffer:
        """The bytes themselves."""
        return obj


def register_tsvector(connection: AsyncConnection) -> None:
    """Let the connection take a `TsVector` as a parameter and in a binary COPY."""
    connection.adapters.register_dumper(TsVector, TsVectorDumper)


def tsvector(lexemes: Lexemes, *tags: str) -> TsVector:
    """The lexemes with their positions, and `tags`, lexemes without any."""
    entries = [tag.encode() + _NO_POSITION for tag in tags]
    for lexeme, positions in lexemes.items() if len(lexemes) <= MAX_UNMEASURED else _within_bounds(lexemes):
        if len(positions) == 1 and positions[0] <= LAST_POSITION:
            entries.append(lexeme.encode() + _ONE_POSITION(1, positions[0]))
        else:
            entries.append(lexeme.encode() + _packed(positions))
    return TsVector(_COUNT(len(entries)) + b"".join(entries))


def _packed(positions: Sequence[int]) -> bytes:
    """As many positions as Postgres holds; the last possible one for a word that occurs only after it."""
    kept = [position for position in positions[:MAX_POSITIONS] if position <= LAST_POSITION] or [LAST_POSITION]
    return pack(f">x{len(kept) + 1}H", len(kept), *kept)


def _within_bounds(lexemes: Lexemes) -> Iterator[tuple[str, Sequence[int]]]:
    """The first lexemes, up to the limit of a tsvector."""
    room = MAX_BYTES
    for lexeme, positions in lexemes.items():
        room -= len(lexeme.encode()) + 2 * min(len(positions), MAX_POSITIONS) + _ENTRY
        if room < 0:
            return
        yield lexeme, positions
