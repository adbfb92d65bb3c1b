"""The values of a metadata filter are parsed once, not for every row (contract 17.2 where)."""

from typing import Any

import pytest

from memd.context import Services
from memd.db.sql.metadata import metadata_condition
from memd.domain.search.metadata_filter import parse_where
from tests.support.service import TestUser

VALUES: dict[str, Any] = {
    "eq": [1, 2],
    "ne": [1, 2],
    "in": ["red", 2],
    "gt": 3,
    "lte": 3,
}


@pytest.mark.rule("17.2 where")
@pytest.mark.parametrize("operator", VALUES)
async def test_a_value_is_computed_before_the_rows_are_looked_at(
    services: Services, user: TestUser, operator: str
) -> None:
    params: dict[str, Any] = {"user": user.id}
    where = {"field": {operator: VALUES[operator]}}
    condition = metadata_condition(parse_where(where), "memory", params)
    async with services.database.read(user.id) as session:
        plan = await session.values(f"EXPLAIN SELECT id FROM memory WHERE user_id = %(user)s AND {condition}", params)
    assert sum(line.strip().startswith("InitPlan") for line in plan) == 1, "\n".join(plan)
