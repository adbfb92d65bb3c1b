"""Contract 17.1: credits and quotas are the end user's own and the account's sum; other users pay nothing for it."""

import asyncio
from typing import Any

import pytest
from starlette.types import ASGIApp

from memd.accounts.service import job_context
from memd.context import Services
from memd.domain.accounts.credits import ALLOWANCES, Allowance, narrowest
from memd.domain.ids import encode, new_id
from memd.domain.types import Policy, Tier
from memd.embed import service as embedding
from memd.errors import RateLimitExceeded
from memd.llm.chat_model import ChatModel
from memd.llm.prompts import GRAPH, Prompt
from tests.support.applications import Application, application
from tests.support.limits import numbers, principal_of
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, post, send

pytestmark = pytest.mark.rule("17.1 limits")


async def set_totals(services: Services, user: TestUser, **counts: int) -> None:
    """Let a user have stored so much."""
    columns = ", ".join(f"{name} = {count}" for name, count in counts.items())
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO totals (user_id, updated_at) VALUES (%(user)s, 0) ON CONFLICT DO NOTHING", {"user": user.id}
        )
        await session.execute(f"UPDATE totals SET {columns} WHERE user_id = %(user)s", {"user": user.id})


async def change(one: Application, user: TestUser, **fields: Any) -> None:
    await send(one.owner, "PATCH", f"/api/admin/users/{encode('usr', user.id)}", fields)


async def test_the_account_pays_with_its_end_users(app: ASGIApp, make_user: MakeUser) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        ann, bob, service = await one.end_user("ann"), await one.end_user("bob"), await one.service()
        start = numbers(await service.http.post("/api/mcp/rate-limit-check"))[1]
        await post(ann, "recall", {"query": "q"})
        await post(bob, "recall", {"query": "q"})
        assert numbers(await service.http.post("/api/mcp/rate-limit-check")) == (100, start - 20)
        await post(service, "recall", {"query": "q"})
        assert numbers(await ann.http.post("/api/mcp/rate-limit-check")) == (100, start - 30)


async def test_what_is_given_back_is_given_to_the_end_user_and_to_its_account(
    services: Services, app: ASGIApp, make_user: MakeUser
) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        ann, account = await principal_of(services, await one.end_user("ann")), await principal_of(services, one.owner)
        limiter = services.rate_limiter
        before = [(await limiter._view(each.user_id, each.allowance)).remaining for each in (ann, account)]
        taken = (await limiter.debit(ann, 30, 5)).taken
        await limiter.give_back(ann, taken)
        after = [(await limiter._view(each.user_id, each.allowance)).remaining for each in (ann, account)]
    assert (taken, after) == (30, before)


async def test_an_end_user_is_refused_when_either_bucket_is_empty_and_then_neither_pays(
    services: Services, app: ASGIApp, make_user: MakeUser
) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        ann, bob = await one.end_user("ann"), await one.end_user("bob")
        limiter = services.rate_limiter
        ann_now, account = await principal_of(services, ann), await principal_of(services, one.owner)
        await change(one, ann, policy="managed_starter")
        ann_now = await principal_of(services, ann)
        left = (await limiter.view(account)).remaining
        await limiter.debit(ann_now, left)
        assert (await limiter.view(account)).remaining == 0
        own = (await limiter._view(ann_now.user_id, ann_now.allowance)).remaining
        with pytest.raises(RateLimitExceeded):
            await limiter.debit(ann_now, 1)
        assert (await limiter._view(ann_now.user_id, ann_now.allowance)).remaining == own
        refused = await bob.http.post("/api/mcp/wake")
        assert (refused.status_code, refused.json()["error"]) == (429, "Rate limit exceeded")
        assert numbers(refused) == (100, 0)


async def test_one_end_user_cannot_use_up_more_than_its_own(
    services: Services, app: ASGIApp, make_user: MakeUser
) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_PRO) as one:
        ann, bob = await one.end_user("ann"), await one.end_user("bob")
        await change(one, ann, policy="managed_free")
        principal = await principal_of(services, ann)
        await services.rate_limiter.debit(principal, (await services.rate_limiter.view(principal)).remaining)
        assert (await ann.http.post("/api/mcp/wake")).status_code == 429
        assert (await bob.http.post("/api/mcp/wake")).status_code == 200


async def test_a_cost_of_at_most_the_remainder_is_what_both_have_left(
    services: Services, app: ASGIApp, make_user: MakeUser
) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        ann, bob = await one.end_user("ann"), await one.end_user("bob")
        limiter = services.rate_limiter
        first, second = await principal_of(services, ann), await principal_of(services, bob)
        await limiter.debit(second, (await limiter.view(second)).remaining - 7)
        before = (await limiter._view(first.user_id, first.allowance)).remaining
        assert (await limiter.debit(first, 50, 5)).remaining == 0
        assert (await limiter._view(first.user_id, first.allowance)).remaining == before - 7


@pytest.mark.parametrize(
    ("resource", "column", "path", "body"),
    [
        ("memories", "active_memories", "capture", {"title": "t", "content": "one more"}),
        ("messages", "total_messages", "log", {"content": "one more"}),
    ],
)
async def test_storage_is_bounded_for_the_account_and_all_its_end_users_together(
    services: Services, app: ASGIApp, make_user: MakeUser, resource: str, column: str, path: str, body: dict[str, Any]
) -> None:
    full = {"error": "Storage limit reached", "limit": 500, "resource": resource}
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        ann, bob, service = await one.end_user("ann"), await one.end_user("bob"), await one.service()
        await services.principals.wait_ttl()  # until then the account may be cached as one without end users
        await set_totals(services, bob, **{column: 300})
        await set_totals(services, one.owner, **{column: 199})
        await post(ann, path, body)
        assert await post(ann, path, body | {"content": "two more"}, status=403) == full
        assert await post(service, path, body | {"content": "for itself"}, status=403) == full
        await set_totals(services, bob, **{column: 299})
        await post(service, path, body | {"content": "for itself"})
        await set_totals(services, ann, **{column: 500})
        await set_totals(services, one.owner, **{column: 0})
        await set_totals(services, bob, **{column: 0})
        assert await post(ann, path, body | {"content": "over its own"}, status=403) == full


async def test_end_users_at_once_do_not_share_the_last_place(
    services: Services, app: ASGIApp, make_user: MakeUser
) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        people = [await one.end_user(name) for name in ("ann", "bob", "cleo")]
        await set_totals(services, one.owner, active_memories=498)

        async def try_one(user: TestUser, number: int) -> int:
            reply = await user.http.post("/api/mcp/capture", json={"title": "t", "content": f"note {number}"})
            return reply.status_code

        found = await asyncio.gather(*(try_one(user, number) for user in people for number in range(2)))
        assert sorted(found) == [200, 200, 403, 403, 403, 403]


async def test_checkpoints_are_bounded_together(app: ASGIApp, make_user: MakeUser) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        ann, bob = await one.end_user("ann"), await one.end_user("bob")
        await post(ann, "checkpoint", {"label": "first"})
        refused = await post(bob, "checkpoint", {"label": "second"}, status=403)
        assert refused == {"error": "Storage limit reached", "limit": 1, "resource": "checkpoints"}


async def test_embedding_calls_are_spent_by_both(services: Services, app: ASGIApp, make_user: MakeUser) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        ann, bob = await one.end_user("ann"), await one.end_user("bob")
        first, second = await job_context(services, ann.id), await job_context(services, bob.id)
        account = await job_context(services, one.owner.id)
        assert first is not None
        assert second is not None
        assert account is not None
        assert await embedding.take_allowance(first, 30) == 30
        assert await embedding.take_allowance(second, 30, background=True) == 20
        assert await embedding.take_allowance(first, 30) == 0
        assert await embedding.take_allowance(account, 1) == 0
        refused = await post(ann, "capture", {"title": "t", "content": "no vector left"}, status=429)
        assert (refused["code"], refused["dailyLimit"]) == ("embedding_cap_exceeded", 50)


async def test_model_questions_are_spent_by_both_or_by_neither(services: Services) -> None:
    class Agreeable:
        async def answer(self, _prompt: Prompt, _timeout_s: float) -> object:
            return 1

    model = ChatModel(Agreeable(), services.rate_limiter.ledgers)
    ann, bob, account = [(new_id(), limit) for limit in (2, 9, 3)]
    prompt = Prompt(GRAPH, "", "", {})
    asked = [await model.ask(prompt, lambda value: value, [who, account], 5) for who in (ann, ann, ann, bob, bob)]
    assert asked == [1, 1, None, 1, None]
    assert await model.ask(prompt, lambda value: value, [bob], 5) == 1


async def test_places_at_the_same_time_are_the_accounts_too(
    services: Services, app: ASGIApp, make_user: MakeUser
) -> None:
    async with application(app, make_user, policy=Policy.MANAGED_FREE) as one:
        people = [await principal_of(services, await one.end_user(name)) for name in ("ann", "bob", "cleo")]
        slots = [services.rate_limiter.slot(person) for person in people]
        await slots[0].__aenter__()
        await slots[1].__aenter__()
        third = asyncio.ensure_future(slots[2].__aenter__())
        await asyncio.sleep(0)
        assert not third.done()
        await slots[0].__aexit__(None, None, None)
        await third
        for slot in slots[1:]:
            await slot.__aexit__(None, None, None)


async def test_a_crowd_named_by_the_body_holds_no_place_of_the_others(app: ASGIApp, make_user: MakeUser) -> None:
    async with application(app, make_user, tier=Tier.STARTER) as one:
        service = await one.service()
        calls = [post(service, "wake", {"userId": name}) for _ in range(10) for name in ("ann", "bob", "cleo")]
        assert len(await asyncio.gather(*calls)) == 30


async def test_a_user_without_end_users_asks_for_no_sum(services: Services, make_user: MakeUser) -> None:
    plain = await make_user(policy=Policy.MANAGED_FREE)
    principal = await principal_of(services, plain)
    assert (principal.shared_limits, principal.limits is principal.allowance) == (None, True)
    await capture(plain)


def test_the_narrowest_of_two_allowances_is_the_smaller_of_each() -> None:
    free, pro = ALLOWANCES[Policy.MANAGED_FREE], ALLOWANCES[Policy.MANAGED_PRO]
    unlimited = ALLOWANCES[Policy.MANAGED_UNLIMITED]
    assert narrowest(free, pro) == narrowest(pro, free) == Allowance(100, 2, 50, 500, 500, 7, 1, 50, 0)
    assert narrowest(pro, pro) == pro
    assert narrowest(unlimited, unlimited).memories is None
    assert narrowest(unlimited, pro).credits_per_minute == 500
