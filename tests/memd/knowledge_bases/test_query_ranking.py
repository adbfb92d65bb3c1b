"""The parts of a chunk's relevance: words, meaning, pairs of words and neighbours (contract 8.8)."""

from typing import Any

import pytest

from tests.support.kb_queries import TEXTS, contents, query, stocked
from tests.support.service import TestUser
from tests.support.wire import Json, fill, make_base


def placed(text: str, index: int, source: str | None = "https://a.example", **fields: Any) -> Json:
    """A chunk with its place in a source."""
    url = fields.pop("sourceUrl", source)
    return {
        "content": text,
        "metadata": {"title": "Talk", "chunkIndex": index} | ({"sourceUrl": url} if url else {}),
    } | fields


@pytest.mark.rule("8.8 relevance", "8.8 neighbours")
async def test_relevance_can_be_recomputed_from_the_parts_of_a_hit(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, *(placed(text, index) for index, text in enumerate(TEXTS)))
    hits = (await query(user, base, "the boiler must be serviced by an expert"))["results"]
    assert {bool(hit["neighbourLift"]) for hit in hits} == {bool(hit["pairScore"]) for hit in hits} == {False, True}
    for hit in hits:
        own = 0.5 * hit["similarity"] + 0.5 * hit["textScore"] + 0.1 * hit["pairScore"]
        assert hit["relevance"] == pytest.approx(min(1, max(0, own) + hit["neighbourLift"]), abs=1e-6)


@pytest.mark.rule("8.8 relevance")
async def test_of_chunks_with_the_same_words_the_one_with_the_pair_of_the_query_comes_first(user: TestUser) -> None:
    texts = [f"The blue valve of unit {number} closes at {other} bar." for number, other in ((12, 17), (17, 12))]
    base = await stocked(user, *texts)
    for number, text in zip((12, 17), texts, strict=True):
        assert (await contents(user, base, f"at how many bar does the blue valve of unit {number} close?"))[0] == text


TALK = ["Which pressure does the boiler want?", "One point five, I think.", "Shall we eat plums afterwards?"]


@pytest.mark.rule("8.8 neighbours")
@pytest.mark.parametrize("url", [{"sourceUrl": "https://a.example/" + "x-y." * 470}, {}])
async def test_a_chunk_beside_a_good_one_is_found_for_its_sake(user: TestUser, url: Json) -> None:
    base = await make_base(user)
    noise = [
        placed(f"The boiler of house {number} has its pressure checked.", 7, f"n{number}") for number in range(120)
    ]
    await fill(user, base, *noise)
    await fill(user, base, *(placed(text, index, **url) for index, text in enumerate(TALK)))
    hits = {hit["content"]: hit for hit in (await query(user, base, TALK[0], limit=50))["results"]}
    lift = 0.4 * (hits[TALK[0]]["relevance"] - (hits[TALK[1]]["relevance"] - hits[TALK[1]]["neighbourLift"]))
    assert hits[TALK[1]]["neighbourLift"] == pytest.approx(lift)
    assert all(hit["neighbourLift"] == 0 for text, hit in hits.items() if text != TALK[1])


@pytest.mark.rule("8.8 neighbours")
async def test_only_a_visible_neighbour_of_the_same_source_lifts(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, placed(TALK[1], 1, "b"), placed(TALK[0], 3, "b"), placed(TALK[2], 1, "c"))
    await fill(user, base, placed(f"{TALK[0]} Tell me.", 0, "b", channel="peer-coach:7"))
    await fill(user, base, placed("An answer of another import.", 2, None), placed("None", 9, None))
    await fill(user, base, placed(f"{TALK[0]} Really.", 1, None))
    hits = (await query(user, base, TALK[0]))["results"]
    assert len(hits) == 6
    assert all(hit["neighbourLift"] == 0 for hit in hits)
    seen = (await query(user, base, TALK[0], channel="peer-coach:7"))["results"]
    assert [hit["content"] for hit in seen if hit["neighbourLift"]] == [TALK[1]]


@pytest.mark.rule("8.8 neighbours", "8.4.1")
async def test_a_chunk_that_moves_to_another_place_has_its_neighbours_there(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, placed(TALK[0], 0, "a"), placed(TALK[1], 5, "a", dedupeKey="k"))
    assert not any(hit["neighbourLift"] for hit in (await query(user, base, TALK[0]))["results"])
    await fill(user, base, placed(TALK[1], 1, "a", dedupeKey="k"))
    assert (await query(user, base, TALK[0]))["results"][1]["neighbourLift"] > 0
