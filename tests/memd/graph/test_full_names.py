"""A first name and the only full name that begins with it are one owner (contract 6.12)."""

import pytest

from memd.context import Services
from tests.support.jobs import enriched
from tests.support.service import TestUser
from tests.support.wire import Json, post

RULE = pytest.mark.rule("6.12 who-owns")


async def owners(user: TestUser, **fields: object) -> dict[str, list[str]]:
    """The labels of the owners of billing, each with the titles of its proofs."""
    reply: Json = await post(user, "graph/who-owns", {"entity": "billing service", **fields})
    return {owner["label"]: sorted(proof["title"] for proof in owner["evidence"]) for owner in reply["owners"]}


async def two_ways(services: Services, user: TestUser) -> None:
    await enriched(services, user, title="Long", content="Tomasz Kowalski owns the billing service.")
    await enriched(services, user, title="Short", content="Tomasz owns the billing service.")


@RULE
async def test_a_first_name_is_the_person_with_the_full_name(services: Services, user: TestUser) -> None:
    await two_ways(services, user)
    assert await owners(user) == {"Tomasz Kowalski": ["Long", "Short"]}
    await enriched(services, user, title="Other", content="Anna Nowak owns the billing service.")
    assert (await owners(user)).keys() == {"Tomasz Kowalski", "Anna Nowak"}


@RULE
async def test_of_two_people_with_the_first_name_nobody_knows_which_one_is_meant(
    services: Services, user: TestUser
) -> None:
    await two_ways(services, user)
    await enriched(services, user, title="Lunch", content="Tomasz Nowak works in Oslo.")
    assert (await owners(user)).keys() == {"Tomasz", "Tomasz Kowalski"}


@RULE
async def test_a_full_name_that_only_hidden_memories_know_changes_nothing(services: Services, user: TestUser) -> None:
    await two_ways(services, user)
    await enriched(services, user, title="Lunch", content="Tomasz Nowak works in Oslo.", channel="slack:7")
    assert (await owners(user, channel="desk")).keys() == {"Tomasz Kowalski"}


@RULE
async def test_a_full_name_that_does_not_own_it_leaves_the_first_name(services: Services, user: TestUser) -> None:
    await enriched(services, user, title="Lunch", content="Tomasz Kowalski works in Oslo.")
    await enriched(services, user, title="Short", content="Tomasz owns the billing service.")
    assert await owners(user) == {"Tomasz": ["Short"]}


@RULE
@pytest.mark.parametrize("other", ["Ken-Louis", "Ken's wife Mia"])
async def test_a_longer_first_name_and_a_relative_are_somebody_else(
    services: Services, user: TestUser, other: str
) -> None:
    await enriched(services, user, title="Long", content=f"{other} owns the billing service.")
    await enriched(services, user, title="Short", content="Ken owns the billing service.")
    assert await owners(user) == {other: ["Long"], "Ken": ["Short"]}
