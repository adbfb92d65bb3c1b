"""The batcher: single texts overtake bulk work, equal queries are one call, a cancelled caller's work is dropped."""

import asyncio
import threading

import numpy as np
import pytest

from memd.db.connections.fair_queue import CALLER
from memd.embed.batcher import Batcher
from memd.embed.providers.minilm import MiniLmEmbedder
from memd.embed.providers.provider import EmbeddingTimeoutError, EmbeddingUnavailableError
from memd.embed.providers.wordllama import WordLlamaEmbedder
from tests.support.held_embedder import HeldEmbedder, batcher_of
from tests.support.waiting import until


async def test_a_query_and_a_written_text_overtake_bulk_work() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        bulk = asyncio.create_task(batcher.embed_many(["held"] * 10))
        await until(lambda: len(embedder.calls) == 1)
        assert (await batcher.embed_query("query")).tolist() == [5, 1]
        assert (await batcher.embed_text("text")).tolist() == [4, 1]
        assert not bulk.done()
        embedder.let_go(5)
        assert (await bulk).tolist() == [[4, 1]] * 10


async def test_texts_that_wait_for_a_thread_are_embedded_together_and_a_query_goes_before_the_rest() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        first = asyncio.create_task(batcher.embed_text("held"))
        await until(lambda: len(embedder.calls) == 1)
        texts = [asyncio.create_task(batcher.embed_text("text" * length)) for length in range(1, 7)]
        await asyncio.sleep(0)
        query = asyncio.create_task(batcher.embed_query("query"))
        await asyncio.sleep(0)
        embedder.let_go(1)
        assert [(await text)[0] for text in texts] == [4, 8, 12, 16, 20, 24]
        assert ((await first)[0], (await query)[0]) == (4, 5)
    assert embedder.calls[1] == ["query"]
    assert [len(call) for call in embedder.calls[2:]] == [4, 2]


async def test_a_text_of_a_micro_batch_fails_for_its_own_reason_only() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        first = asyncio.create_task(batcher.embed_text("held"))
        await until(lambda: len(embedder.calls) == 1)
        texts = [asyncio.create_task(batcher.embed_text(text)) for text in ("one", "refused", "three")]
        left = asyncio.create_task(batcher.embed_text("left"))
        await asyncio.sleep(0)
        left.cancel()
        embedder.let_go(1)
        await first
        found = await asyncio.gather(*texts, return_exceptions=True)
    assert [isinstance(each, EmbeddingUnavailableError) for each in found] == [False, True, False]
    assert "left" not in [text for call in embedder.calls for text in call]


@pytest.mark.parametrize("pages", [1, 3])
async def test_a_small_bulk_call_takes_turns_with_the_large_ones_of_another_caller(pages: int) -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        CALLER.set("large")
        large = [asyncio.create_task(batcher.embed_many(["held large"] * 20)) for _ in range(pages)]
        await until(lambda: len(embedder.calls) == 1)
        CALLER.set("small")
        small = asyncio.create_task(batcher.embed_many(["held small"] * 2))
        await asyncio.sleep(0)
        embedder.let_go(3)
        assert len(await small) == 2
        assert not any(page.done() for page in large)
        assert embedder.calls.index(["held small"] * 2) <= 2
        embedder.let_go(10 * pages)
        await asyncio.gather(*large)


async def test_an_import_overtakes_the_background() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        background = asyncio.create_task(batcher.embed_many(["held"] * 10, background=True))
        await until(lambda: len(embedder.calls) == 1)
        assert (await batcher.embed_many(["imported"] * 3)).tolist() == [[8, 1]] * 3
        assert not background.done()
        embedder.let_go(5)
        assert (await background).tolist() == [[4, 1]] * 10


@pytest.mark.parametrize(("parallelism", "threads"), [(1, 1), (2, 1), (4, 2)])
async def test_the_background_has_half_of_the_threads(parallelism: int, threads: int) -> None:
    embedder = HeldEmbedder(parallelism=parallelism)
    async with batcher_of(embedder) as batcher:
        background = asyncio.create_task(batcher.embed_many(["held"] * 16, background=True))
        await until(lambda: len(embedder.calls) == threads)
        embedder.let_go(16)
        await background
    assert len(embedder.threads) <= threads


async def test_bulk_work_keeps_every_thread_busy_and_the_order_of_the_texts() -> None:
    embedder = HeldEmbedder(parallelism=2)
    texts = [f"held {'x' * i}" for i in range(9)]
    async with batcher_of(embedder) as batcher:
        bulk = asyncio.create_task(batcher.embed_many(texts))
        await until(lambda: len(embedder.calls) == 2)
        embedder.let_go(6)
        assert (await bulk)[:, 0].tolist() == [len(text) for text in texts]
    assert sorted(len(call) for call in embedder.calls) == [1, 1, 1, 2, 2, 2]


async def test_no_work_runs_on_the_event_loop() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        await batcher.embed_query("a")
        await batcher.embed_text("b")
        await batcher.embed_many(["c", "d", "e"])
    assert threading.get_ident() not in embedder.threads


async def test_a_repeated_query_costs_nothing_for_five_minutes() -> None:
    embedder = HeldEmbedder()
    now = [1000.0]
    async with batcher_of(embedder, clock=lambda: now[0]) as batcher:
        assert not batcher.is_cached("green tea")
        first = await batcher.embed_query("green tea")
        now[0] += 299
        assert batcher.is_cached(" green  tea ")
        second = await batcher.embed_query(" green  tea ")
        now[0] += 1
        third = await batcher.embed_query("green tea")
    assert (second is first, third is first) == (True, False)
    assert embedder.calls == [["green tea"]] * 2


@pytest.mark.parametrize(("cased", "calls"), [(True, 2), (False, 1)])
async def test_case_matters_where_the_model_sees_it(cased: bool, calls: int) -> None:
    embedder = HeldEmbedder(cased=cased)
    async with batcher_of(embedder) as batcher:
        await batcher.embed_query("Green Tea")
        await batcher.embed_query("green tea")
    assert len(embedder.calls) == calls


async def test_written_texts_are_not_cached() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        await batcher.embed_text("tea")
        await batcher.embed_text("tea")
        assert not batcher.is_cached("tea")
    assert len(embedder.calls) == 2


async def test_a_cached_vector_cannot_be_changed_by_a_reader() -> None:
    async with batcher_of(HeldEmbedder()) as batcher:
        vector = await batcher.embed_query("tea")
        with pytest.raises(ValueError, match="read-only"):
            vector[0] = 7


async def test_equal_queries_at_once_are_one_call_and_one_charge() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        queries = [asyncio.create_task(batcher.embed_query("held tea")) for _ in range(3)]
        await until(lambda: len(embedder.calls) == 1)
        embedder.let_go(1)
        answers = await asyncio.gather(*queries)
    assert [answer.tolist() for answer in answers] == [[8, 1]] * 3
    assert embedder.calls == [["held tea"]]


async def test_a_cancelled_caller_does_not_take_the_query_from_another() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        first, second = (asyncio.create_task(batcher.embed_query("held tea")) for _ in range(2))
        await until(lambda: len(embedder.calls) == 1)
        first.cancel()
        await asyncio.wait([first])
        embedder.let_go(1)
        assert (await second).tolist() == [8, 1]
    assert len(embedder.calls) == 1


async def test_a_query_whose_callers_are_all_gone_is_dropped() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        running = asyncio.create_task(batcher.embed_query("held one"))
        await until(lambda: len(embedder.calls) == 1)
        waiting = asyncio.create_task(batcher.embed_query("never run"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        embedder.let_go(1)
        await running
        await batcher.embed_query("after")
    assert embedder.calls == [["held one"], ["after"]]


async def test_a_cancelled_bulk_call_embeds_no_more_slices() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        bulk = asyncio.create_task(batcher.embed_many(["held"] * 100))
        await until(lambda: len(embedder.calls) == 1)
        bulk.cancel()
        await asyncio.wait([bulk])
        embedder.let_go(1)
        await batcher.embed_many(["next"])
    assert bulk.cancelled()
    assert embedder.calls == [["held"] * 2, ["next"]]


async def test_a_single_text_that_takes_too_long_is_a_timeout() -> None:
    async with batcher_of(HeldEmbedder(), timeout_s=0.01) as batcher:
        with pytest.raises(EmbeddingTimeoutError) as query:
            await batcher.embed_query("held query")
        with pytest.raises(EmbeddingTimeoutError):
            await batcher.embed_text("held text")
    assert query.value.retry_after_s >= 1


async def test_a_timeout_is_not_remembered() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder, timeout_s=0.01) as batcher:
        with pytest.raises(EmbeddingTimeoutError):
            await batcher.embed_query("held query")
    async with batcher_of(embedder) as batcher:
        embedder.let_go(1)
        assert not batcher.is_cached("held query")
        assert (await batcher.embed_query("held query")).tolist() == [10, 1]


async def test_a_refused_slice_fails_the_bulk_call_with_its_own_error() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        with pytest.raises(EmbeddingUnavailableError, match="refused"):
            await batcher.embed_many(["fine", "fine", "refused", *["later"] * 50])
        with pytest.raises(EmbeddingUnavailableError, match="refused"):
            await batcher.embed_query("refused")
        assert not batcher.is_cached("refused")
    assert ["later"] * 2 not in embedder.calls


async def test_close_waits_for_the_call_in_work_and_refuses_what_follows() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        bulk = asyncio.create_task(batcher.embed_many(["held"] * 4))
        await until(lambda: len(embedder.calls) == 1)
        closing = asyncio.create_task(batcher.close())
        await asyncio.sleep(0)
        with pytest.raises(EmbeddingUnavailableError, match="closed"):
            await batcher.embed_query("late")
        assert not embedder.closed
        embedder.let_go(1)
        await closing
        assert embedder.closed
        with pytest.raises(EmbeddingUnavailableError, match="closed"):
            await bulk
    assert len(embedder.calls) == 1


async def test_many_texts_come_back_in_their_order(wordllama: WordLlamaEmbedder) -> None:
    texts = [f"memory {i} about {'tea' if i % 3 else 'coffee'} in room {i % 97}" for i in range(2_000)]
    batcher = Batcher(wordllama)
    rows = await batcher.embed_many(texts)
    await batcher.close()
    for i in (0, 255, 256, 1_000, 1_999):
        np.testing.assert_allclose(rows[i], wordllama.embed([texts[i]])[0], atol=1e-6)


async def test_the_built_in_model_gives_the_same_vector_through_every_door(minilm: MiniLmEmbedder) -> None:
    batcher = Batcher(minilm)
    text = "a query in lower case"
    query, written = await batcher.embed_query(text), await batcher.embed_text(text)
    many = await batcher.embed_many(["something else entirely", text, "and more"] * 10)
    await batcher.close()
    np.testing.assert_array_equal(query, written)
    np.testing.assert_array_equal(many[1::3], np.tile(written, (10, 1)))


async def test_no_texts_are_no_work() -> None:
    embedder = HeldEmbedder()
    async with batcher_of(embedder) as batcher:
        assert (await batcher.embed_many([])).shape == (0, 2)
    assert embedder.calls == []
