"""Lists of ids and numbers as parameters: without psycopg's costly search for characters to escape."""

from typing import Any
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.types.array import ListDumper


class PlainListDumper(ListDumper):
    """Dumps a list as an array in text form; UUIDs and integers hold nothing to escape."""

    def dump(self, obj: list[Any]) -> Any:
        """The array; one of other elements, NULLs or nested lists is left to psycopg."""
        kinds = set(map(type, obj))
        if kinds == {UUID}:
            return f"{{{','.join([each.hex for each in obj])}}}".encode()
        if kinds == {int}:
            return f"{{{','.join(map(str, obj))}}}".encode()
        return super().dump(obj)


def register_lists(connection: AsyncConnection[Any]) -> None:
    """Use it for the lists of a connection."""
    connection.adapters.register_dumper(list, PlainListDumper)
