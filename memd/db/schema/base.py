"""The metadata of all tables: naming convention, column types and the base of every table.

SQLAlchemy takes half a second to load, so only the first start of memd waits for it: code that makes a row imports the
table when it does.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from sqlalchemy import BigInteger, Boolean, Column, MetaData, bindparam, insert
from sqlalchemy.dialects.postgresql import ARRAY, JSON, TEXT, UUID
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlmodel import SQLModel

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
_DIALECT = dialect()


class Table(SQLModel):
    """The base of every table; rows never cross the wire."""

    metadata = MetaData(naming_convention=NAMING)
    if TYPE_CHECKING:
        __tablename__: ClassVar[str]  # pyrefly: ignore[bad-override] - a plain name everywhere

    def insertion(self, **values: Any) -> tuple[str, dict[str, Any]]:
        """The statement that adds this row, and its parameters; `values` replace those of the row."""
        row = self.model_dump() | values
        return self._insertion(*row), row

    @classmethod
    @cache
    def _insertion(cls, *columns: str) -> str:
        """The statement that adds a row with these columns; rendering it takes longer than running it."""
        return str(insert(cls).values({name: bindparam(name) for name in columns}).compile(dialect=_DIALECT))


def user_column() -> Any:
    """The owner, the first column of every primary key."""
    return Column("user_id", UUID(as_uuid=True), primary_key=True, nullable=False)


def id_column(name: str = "id") -> Any:
    """A UUIDv7 that is part of the primary key, after the owner."""
    return Column(name, UUID(as_uuid=True), primary_key=True, nullable=False)


def uuid_column(name: str, *, nullable: bool = True) -> Any:
    """A reference to another row of the same user."""
    return Column(name, UUID(as_uuid=True), nullable=nullable)


def ms_column(name: str, *, nullable: bool = False) -> Any:
    """A moment in epoch milliseconds."""
    return Column(name, BigInteger, nullable=nullable)


def flag_column(name: str, *, default: bool) -> Any:
    """A yes or no."""
    return Column(name, Boolean, nullable=False, server_default="true" if default else "false")


def texts_column(name: str) -> Any:
    """A list of strings; empty by default."""
    return Column(name, ARRAY(TEXT), nullable=False, server_default="{}")


def uuids_column(name: str) -> Any:
    """A list of row ids; empty by default."""
    return Column(name, ARRAY(UUID(as_uuid=True)), nullable=False, server_default="{}")


def json_column(name: str) -> Any:
    """JSON kept as text, so that it is returned in the form given (key order included)."""
    return Column(name, JSON, nullable=True)
