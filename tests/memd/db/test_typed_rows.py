"""A statement and its row type have the same columns in the same order, and the values are of the declared types."""

from typing import Any, NamedTuple
from uuid import UUID

import pytest
from pydantic import ValidationError

from memd.context import Services
from memd.db.typed_rows import ColumnsError, Query
from tests.support.service import TestUser


class Tool(NamedTuple):
    id: UUID
    name: str
    uses: int
    tags: list[str]
    meta: dict[str, Any] | None


TOOL = """
SELECT '5f0c5f4e-6c1b-4d83-9d8c-64a0a8c0f0a1'::uuid AS id, 'mill'::text AS name, 3::int8 AS uses,
       ARRAY['a', 'b'] AS tags, '{"k": 1}'::json AS meta
"""
SAWMILL = Tool(UUID("5f0c5f4e-6c1b-4d83-9d8c-64a0a8c0f0a1"), "mill", 3, ["a", "b"], {"k": 1})


async def test_rows_are_read_as_their_type(services: Services, user: TestUser) -> None:
    async with services.database.read(user.id) as session:
        assert await session.rows(Tool, TOOL) == [SAWMILL]
        assert await session.row(Tool, TOOL) == SAWMILL
        assert await session.row(Tool, TOOL + " WHERE false") is None
        tools, more = await session.rows_of(Query(Tool, TOOL, {}), Query(Tool, f"{TOOL} UNION ALL {TOOL}", {}))
        assert (tools, more) == ([SAWMILL], [SAWMILL, SAWMILL])
        assert await session.values("SELECT unnest(ARRAY['x', 'y'])") == ["x", "y"]


@pytest.mark.parametrize(
    "columns",
    [
        "name, id, uses, tags, meta",
        "id, name, uses, tags",
        "id, name, uses, tags, meta, 1",
        "id, name, uses, tags, meta x",
    ],
    ids=["order", "missing", "more", "name"],
)
async def test_other_columns_than_the_fields_are_an_error(services: Services, user: TestUser, columns: str) -> None:
    async with services.database.read(user.id) as session:
        with pytest.raises(ColumnsError, match="Tool has the fields"):
            await session.rows(Tool, f"SELECT {columns} FROM ({TOOL}) t")
        with pytest.raises(ColumnsError):
            await session.rows_of(Query(Tool, f"SELECT {columns} FROM ({TOOL}) t", {}), Query(Tool, TOOL, {}))
        assert await session.rows(Tool, TOOL) == [SAWMILL]  # the connection works as before


@pytest.mark.parametrize(
    "column", ["NULL::text AS name, uses", "name, 3::numeric AS uses", "name, uses::text AS uses"], ids=str
)
async def test_under_test_values_are_of_the_declared_types(services: Services, user: TestUser, column: str) -> None:
    async with services.database.read(user.id) as session:
        with pytest.raises(ValidationError):
            await session.rows(Tool, f"SELECT id, {column}, tags, meta FROM ({TOOL}) t")
