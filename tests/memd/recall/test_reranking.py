"""The optional cross-encoder of recall: its score joins the rankScore of the first rows, and it never fails a recall."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from memd.app import build
from memd.context import Services
from memd.embed.providers.choose import load_cross_encoder
from memd.embed.providers.cross_encoder import CrossEncoder
from memd.embed.providers.provider import EmbeddingUnavailableError
from memd.embed.reranker import Reranker
from tests.support.model_folders import write_cross_encoder
from tests.support.service import BASE, TestUser

TEXTS = ("green apple on the platform", "red apple and green pear", "the train leaves the station", "red red red")
QUERY = {"query": "red apple green pear"}


class Failing(CrossEncoder):
    """A cross-encoder whose graph fails after it was loaded."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        if query == "query":
            return super().score(query, texts)
        raise EmbeddingUnavailableError("the graph failed")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> CrossEncoder:
    return load_cross_encoder(write_cross_encoder(tmp_path_factory.mktemp("judge")))


async def asked(services: Services, user: TestUser, encoder: CrossEncoder | None, **body: Any) -> dict[str, Any]:
    reranker = None if encoder is None else Reranker(encoder, timeout_s=10)
    transport = httpx.ASGITransport(build(replace(services, reranker=reranker)))
    headers = {"Authorization": f"Bearer {user.key}"}
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
        reply = await http.post("/api/mcp/recall", json=QUERY | body)
    if reranker is not None:
        await reranker.close()
    assert reply.status_code == 200, reply.text
    return reply.json()


@pytest_asyncio.fixture(loop_scope="session")
async def stored(user: TestUser) -> AsyncGenerator[TestUser]:
    for number, text in enumerate(TEXTS):
        await user.http.post("/api/mcp/capture", json={"title": f"Note {number}", "content": text})
    yield user


async def test_without_a_model_no_signal_mentions_it(services: Services, stored: TestUser) -> None:
    reply = await asked(services, stored, None)
    assert "rerankWeight" not in reply["diagnostics"]
    assert all("rerankScore" not in row["rankingSignals"] for row in reply["memories"])


async def test_the_score_is_a_part_of_the_relevance(
    services: Services, stored: TestUser, encoder: CrossEncoder
) -> None:
    reply = await asked(services, stored, encoder)
    weights = reply["diagnostics"]
    whole = 1 + weights["evidenceWeight"] + weights["rerankWeight"]
    assert len(reply["memories"]) == len(TEXTS)
    for row in reply["memories"]:
        signals = row["rankingSignals"]
        total = signals["baseScore"] + signals["graphBoost"] + signals["projectBoost"]
        total += weights["evidenceWeight"] * signals["evidenceScore"] + weights["rerankWeight"] * signals["rerankScore"]
        assert row["relevance"] == pytest.approx(min(1, max(0, total / whole)), abs=1e-6)
    assert [row["relevance"] for row in reply["memories"]] == sorted(
        (row["relevance"] for row in reply["memories"]), reverse=True
    )


async def test_the_rows_come_in_the_order_that_follows(
    services: Services, stored: TestUser, encoder: CrossEncoder
) -> None:
    heavy = replace(services, settings=services.settings.model_copy(update={"recall_rerank_weight": 100.0}))
    rows = (await asked(heavy, stored, encoder))["memories"]
    scores = [row["rankingSignals"]["rerankScore"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert rows[0]["content"] == TEXTS[1]
    limited = (await asked(heavy, stored, encoder, limit=2))["memories"]
    assert [row["id"] for row in limited] == [row["id"] for row in rows[:2]]


async def test_a_failing_model_leaves_the_order_as_it_was(services: Services, stored: TestUser, tmp_path: Path) -> None:
    failing = Failing(load_cross_encoder(write_cross_encoder(tmp_path / "judge")).folder)
    without, with_failure = await asked(services, stored, None), await asked(services, stored, failing)
    assert [row["id"] for row in with_failure["memories"]] == [row["id"] for row in without["memories"]]
    assert "rerankWeight" not in with_failure["diagnostics"]
