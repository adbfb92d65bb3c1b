"""A model that knows Latin script only: a query in another one is answered by words, and the reply says why."""

from collections.abc import AsyncGenerator
from dataclasses import replace

import httpx
import pytest
import pytest_asyncio

from memd.app import build
from memd.context import Services
from memd.domain.text_analysis.scripts import is_mostly_latin
from memd.embed.batcher import Batcher
from memd.embed.models import CurrentModel
from memd.embed.providers.minilm import MiniLmEmbedder
from memd.embed.providers.wordllama import WordLlamaEmbedder
from memd.embed.reading import reads, rows_note
from tests.support.service import BASE, TestUser


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("", True),
        ("12 + 7", True),
        ("Größe des Tals", True),
        ("Где ключи?", False),
        ("钥匙在哪里", False),
        ("Postgres 的版本是什么", True),
    ],
)
def test_the_script_of_most_letters_decides(text: str, latin: bool) -> None:
    assert is_mostly_latin(text) is latin


def test_a_model_for_any_language_reads_any_script(minilm: MiniLmEmbedder, wordllama: WordLlamaEmbedder) -> None:
    assert (reads(minilm, "Где ключи?"), reads(wordllama, "Где ключи?"), reads(minilm, "Where?")) == (False, True, True)


@pytest_asyncio.fixture(loop_scope="session")
async def http(services: Services, user: TestUser, minilm: MiniLmEmbedder) -> AsyncGenerator[httpx.AsyncClient]:
    """The user at a service with the default model; rows written through the shared one have no vector of it."""
    batcher = Batcher(minilm, threads=1)
    transport = httpx.ASGITransport(
        build(replace(services, batcher=batcher, current_model=CurrentModel(services.model + 100)))
    )
    headers = {"Authorization": f"Bearer {user.key}"}
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
        yield client


async def test_a_recall_in_another_script_says_which_command_helps(user: TestUser, http: httpx.AsyncClient) -> None:
    await user.http.post("/api/mcp/capture", json={"title": "Ключи", "content": "Ключи от офиса лежат у Анны."})
    reply = (await http.post("/api/mcp/recall", json={"query": "где лежат ключи от офиса?"})).json()
    assert [row["title"] for row in reply["memories"]] == ["Ключи"]
    assert "memd reembed" in reply["diagnostics"]["embeddingNote"]
    assert reply["degraded"] is False
    latin = (await http.post("/api/mcp/recall", json={"query": "where are the keys?"})).json()
    assert "embeddingNote" not in latin["diagnostics"]


async def test_a_recall_in_another_language_than_english_says_what_helps(http: httpx.AsyncClient) -> None:
    await http.post("/api/mcp/capture", json={"title": "Heating", "content": "Meyer repaired the heating in January."})
    for query, is_noted in (("Wer hat die Heizung repariert?", True), ("Meyer heating", False)):
        reply = (await http.post("/api/mcp/recall", json={"query": query})).json()
        note = reply["diagnostics"].get("embeddingNote", "")
        assert ("ask in the language of what is stored" in note) is is_noted


async def test_stats_say_that_most_rows_are_in_languages_that_the_model_does_not_read(
    http: httpx.AsyncClient,
) -> None:
    for number in range(2):
        await http.post(
            "/api/mcp/capture", json={"title": f"Note {number}", "content": f"The blue boat is number {number}."}
        )
    stats = (await http.get("/api/mcp/stats")).json()
    assert (stats["languages"], "embeddingNote" in stats) == ({"english": 2}, False)
    for number in range(3):
        body = {"title": f"Заметка {number}", "content": f"Лодка стоит у старого моста {number}."}
        await http.post("/api/mcp/capture", json=body)
    stats = (await http.get("/api/mcp/stats")).json()
    assert stats["languages"] == {"russian": 3, "english": 2}
    assert stats["embeddingNote"].startswith(
        "60 % of the rows are in Russian, but the embedding model all-MiniLM-L6-v2 "
    )
    assert "MEMD_EMBED_MODEL=wordllama memd reembed" in stats["embeddingNote"]


def test_languages_in_latin_script_and_unknown_ones_need_no_note(
    minilm: MiniLmEmbedder, wordllama: WordLlamaEmbedder
) -> None:
    assert rows_note(minilm, {}) is None
    assert rows_note(minilm, {"german": 9, "simple": 3, "russian": 12}) is None
    assert rows_note(wordllama, {"russian": 9}) is None
    note = rows_note(minilm, {"russian": 9, "chinese": 12, "english": 1})
    assert note is not None
    assert note.startswith("95 % of the rows are in Chinese, Russian, ")
