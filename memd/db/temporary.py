"""Failures of the database after which the same write may succeed."""

from psycopg import OperationalError
from psycopg.errors import ProgramLimitExceeded


def is_temporary(error: Exception) -> bool:
    """Whether a connection was lost, a statement or lock took too long, or two writers waited for each other.

    A statement that is too large for Postgres stays so.
    """
    return isinstance(error, TimeoutError | OperationalError) and not isinstance(error, ProgramLimitExceeded)
