"""Transient failures of the database: the same write may succeed when it is retried."""

from psycopg import OperationalError
from psycopg.errors import ProgramLimitExceeded


def is_transient(error: Exception) -> bool:
    """Whether a connection was lost, a statement or lock timed out, or two writers deadlocked.

    A statement that is too large for Postgres will fail again.
    """
    return isinstance(error, TimeoutError | OperationalError) and not isinstance(error, ProgramLimitExceeded)
