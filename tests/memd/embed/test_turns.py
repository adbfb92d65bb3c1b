"""Single texts wait for the embedder in turn: what one caller sends does not delay the queries of another."""

import asyncio

import pytest

from memd.db.connections.fair_queue import CALLER
from tests.support.held_embedder import HeldEmbedder, batcher_of
from tests.support.waiting import until


@pytest.mark.parametrize("kind", ["query", "text"])
async def test_single_texts_of_callers_take_turns(kind: str) -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        embed = batcher.embed_query if kind == "query" else batcher.embed_text
        CALLER.set("greedy")
        first = asyncio.create_task(embed("held"))
        await until(lambda: len(embedder.calls) == 1)
        greedy = [asyncio.create_task(embed(f"greedy {number}")) for number in range(20)]
        await asyncio.sleep(0)
        CALLER.set("other")
        other = asyncio.create_task(embed("other"))
        await asyncio.sleep(0)
        embedder.let_go(1)
        await asyncio.gather(first, other, *greedy)
    texts = [text for call in embedder.calls for text in call]
    assert len(texts) == 22
    assert texts.index("other") <= 2


async def test_a_query_that_another_caller_has_waiting_too_keeps_its_turn_and_is_embedded_once() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        CALLER.set("greedy")
        first = asyncio.create_task(batcher.embed_query("held"))
        await until(lambda: len(embedder.calls) == 1)
        greedy = [asyncio.create_task(batcher.embed_query(f"greedy {number}")) for number in range(20)]
        greedy.append(asyncio.create_task(batcher.embed_query("continue")))
        await asyncio.sleep(0)
        CALLER.set("other")
        other = asyncio.create_task(batcher.embed_query("continue"))
        await asyncio.sleep(0)
        embedder.let_go(1)
        *_, found, same = await asyncio.gather(first, other, *greedy, other)
    texts = [text for call in embedder.calls for text in call]
    assert len(texts) == 22
    assert texts.index("continue") <= 2
    assert found is same
