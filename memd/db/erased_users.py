"""Writes on behalf of an erased user are refused by the database."""

from collections.abc import Generator
from contextlib import contextmanager

from psycopg import Error

from memd.errors import Unauthorized

ERASED = "MD401"
"""The SQLSTATE with which `memd_admit_writer` refuses."""


@contextmanager
def refuse_erased_users() -> Generator[None]:
    """Raise `Unauthorized` where the database refuses a write because its user is erased."""
    try:
        yield
    except Error as error:
        if error.sqlstate == ERASED:
            raise Unauthorized from error
        raise
