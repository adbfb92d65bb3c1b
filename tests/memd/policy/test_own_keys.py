"""The caller's own keys in texts of any length (contract 12, secret_api_token)."""

import asyncio

import pytest

from memd.context import Services
from memd.memories.own_keys import detect_own_keys
from tests.support.jobs import context_of
from tests.support.service import TestUser
from tests.support.wire import send


@pytest.mark.rule("12 secret_api_token")
async def test_long_texts_are_read_while_others_are_served(services: Services, user: TestUser) -> None:
    key = (await send(user, "POST", "/api/keys", {}, status=201))["apiKey"]
    context = await context_of(services, user)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0.001)
            turns += 1

    running = asyncio.create_task(others())
    texts = ["word " * 40_000] * 10
    assert await detect_own_keys(context, texts) == [False] * 10
    assert turns > 0
    running.cancel()
    assert await detect_own_keys(context, [*texts, f"Log in with {key}"]) == [False] * 10 + [True]
