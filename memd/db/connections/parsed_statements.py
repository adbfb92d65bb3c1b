"""psycopg's cache of parsed statements, for statements as long as those of a search.

psycopg finds the parameters of a statement by parsing its text, and caches the result only for texts up to 4,096 bytes.
The statements of a recall are a little longer and took half a millisecond each; it has no public setting for that.
"""

from typing import Final

from psycopg import _queries

MAX_LENGTH: Final = 16_384
"""The longest statement that is parsed once, in bytes; imports send longer ones."""


def cache_long_statements() -> None:
    """Cache what psycopg parses of statements up to `MAX_LENGTH`, for all connections of this process."""
    _queries.MAX_CACHED_STATEMENT_LENGTH = MAX_LENGTH  # pyrefly: ignore[bad-assignment] - a constant of psycopg
