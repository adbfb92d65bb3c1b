"""The assignments of an UPDATE whose columns depend on a request."""

from collections.abc import Mapping
from typing import Any

from psycopg.types.json import Json


def assigned(columns: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """`, name = %(name)s` for each column, and the parameters by name; `metadata` is JSON.

    The names go into the statement: they are those of memd's own callers, never of a client.
    """
    values = {
        name: Json(value) if name == "metadata" and value is not None else value for name, value in columns.items()
    }
    return "".join(f", {name} = %({name})s" for name in values), values
