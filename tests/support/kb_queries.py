"""Filled knowledge bases, and queries of them."""

from typing import Any

from tests.support.service import TestUser
from tests.support.wire import Json, chunk, fill, make_base, post

TEXTS = [
    "The boiler has two valves and a pump.",
    "Plums ripen in August.",
    "The cello has four strings.",
    "The boiler must be serviced by an expert once in every year, before the winter and before the plums.",
]


async def query(user: TestUser, base: str, text: str = "boiler", status: int = 200, **fields: Any) -> Json:
    return await post(user, f"/api/knowledge-bases/{base}/query", {"query": text} | fields, status=status)


async def contents(user: TestUser, base: str, text: str = "boiler", **fields: Any) -> list[str]:
    return [row["content"] for row in (await query(user, base, text, **fields))["results"]]


async def stocked(user: TestUser, *texts: str, **fields: Any) -> str:
    base = await make_base(user, **fields)
    await fill(user, base, *(chunk(text) for text in texts or TEXTS))
    return base
