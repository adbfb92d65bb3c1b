"""Lists of every kind reach Postgres as they are."""

from uuid import UUID, uuid4

import pytest
from psycopg import DataError

from memd.context import Services
from tests.support.service import TestUser

IDS = [uuid4(), UUID(int=0), UUID(int=2**128 - 1)]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (IDS, "uuid[]"),
        ([*IDS, None], "uuid[]"),
        ([], "uuid[]"),
        ([None, None], "uuid[]"),
        ([IDS, IDS[::-1]], "uuid[]"),
        ([0, -1, 2**15, 2**31, 2**63 - 1, -(2**63)], "bigint[]"),
        ([1, None], "bigint[]"),
        ([1, 2], "numeric[]"),
        ([True, False], "boolean[]"),
        ([0.5, float("inf")], "float8[]"),
        (["\\", '"', '\\"', "two\nlines", "\ttab", "👋", ","], "text[]"),
        (["a", None, "b"], "text[]"),
        ([["a", '"'], ["b", "\\"]], "text[]"),
        (["a", 'with "quotes", {braces} and \\', "", "NULL", "ein Wort", "\u2003"], "text[]"),
    ],
)
async def test_a_list_comes_back_as_it_was_sent(
    services: Services, user: TestUser, values: list[object], kind: str
) -> None:
    async with services.database.read(user.id) as session:
        for _ in ("parsed", "prepared"):
            assert await session.values(f"SELECT %(values)s::{kind}", {"values": values}) == [values]


async def test_a_text_with_nul_is_refused_before_it_is_sent(services: Services, user: TestUser) -> None:
    async with services.database.read(user.id) as session:
        with pytest.raises(DataError, match="NUL"):
            await session.values("SELECT %(values)s::text[]", {"values": ["a", "b\0c"]})
