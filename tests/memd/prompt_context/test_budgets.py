"""No text of `context` is over its budget, whatever is asked and stored: 10,000 cases with `--budgets 10000`."""

import random
from typing import Any

import pytest

from memd.domain.text.token_estimate import estimate_tokens
from memd.embed.providers.token_counter import wordpiece_counter
from tests.support.service import TestUser
from tests.support.talk import embed, talk
from tests.support.wire import capture, post, send

WORDS = [
    "tea",
    "Bob",
    "release",
    "Friday",
    "invoice",
    "2024-11-03",
    "№42",
    "billing\nservice",
    "λόγος",
    "東京",
    "привет",
    "मौसम",
    "🚀🚀",
    "naïve",
    "https://example.org/a?b=c",
    "mem_01jc3v7q2m8x5t9zc4r6w0y1ab",
    '{"key":',
    "[1,",
    "2]}",
    "<b>bold</b>",
    "----",
    "supercalifragilisticexpialidocious",
    "مرحبا",
    "안녕하세요",
]


def text(chance: random.Random, most: int) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, most)))


async def fill(user: TestUser, services: Any, chance: random.Random) -> None:
    for number in range(24):
        await capture(user, title=text(chance, 8), content=f"{number} {text(chance, 120)}")
    await talk(user, *(f"{number} {text(chance, 60)}" for number in range(24)))
    base = (await send(user, "POST", "/api/knowledge-bases", {"name": text(chance, 4)}, status=201))["id"]
    chunks = [{"content": f"{n} {text(chance, 200)}", "metadata": {"title": text(chance, 6)}} for n in range(12)]
    await send(user, "POST", f"/api/knowledge-bases/{base}/import", {"chunks": chunks}, status=201)
    await embed(services, user)


@pytest.mark.rule("17.3 tokenBudget")
async def test_no_random_query_gets_more_than_its_budget(
    user: TestUser, services: Any, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(17)
    await fill(user, services, chance)
    counters = {"estimate": estimate_tokens, "wordpiece": wordpiece_counter(services.settings.data_dir)}
    some = 0
    for _ in range(request.config.getoption("--budgets")):
        budget, counter = chance.randint(50, 4_000), chance.choice([*counters])
        body = {"query": text(chance, 12), "tokenBudget": budget, "counter": counter, "allChannels": True}
        reply = await post(user, "context", body)
        assert reply["tokens"] == counters[counter](reply["text"]) <= budget, body
        some += bool(reply["included"])
    assert some
