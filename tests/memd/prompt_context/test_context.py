"""POST /api/mcp/context (contract 17.3): one text for a prompt that never exceeds its token budget."""

import random
import re
from typing import Any

import pytest

from memd.context import Services
from memd.domain.prompts.context_packing import NOTICE
from memd.domain.text.token_estimate import estimate_tokens
from memd.embed.providers.token_counter import wordpiece_counter
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser
from tests.support.talk import embed, talk
from tests.support.wire import Json, capture, post, send

FACTS = (
    "Bob drinks Assam tea in the morning and never coffee.",
    "The tea in the office kitchen comes from a shop in Leeds.",
    "Bob prefers his tea without milk since his trip to Japan.",
    "Tea for the meeting on Friday is ordered by Ann.",
)
UNRELATED = ("The boiler was serviced in March.", "Invoices are sent on the first of the month.")
SAID = ("I only drink green tea now.", "Which tea does Bob want?", "The parking garage closes at nine.")


async def context(user: TestUser, query: str = "what tea does Bob drink?", status: int = 200, **fields: Any) -> Json:
    return await post(user, "context", {"query": query} | fields, status=status)


async def fill(user: TestUser) -> None:
    for fact in (*FACTS, *UNRELATED):
        await capture(user, title=fact[:30], content=fact)


async def base_of(user: TestUser, name: str, *texts: str) -> str:
    base = (await send(user, "POST", "/api/knowledge-bases", {"name": name}, status=201))["id"]
    chunks = [{"content": text, "metadata": {"title": text[:20]}} for text in texts]
    await send(user, "POST", f"/api/knowledge-bases/{base}/import", {"chunks": chunks}, status=201)
    return base


@pytest.mark.rule("17.3 text", "17.3 included, leftOut")
async def test_the_text_has_the_notice_and_a_dated_line_with_an_id_for_each_row(user: TestUser) -> None:
    await fill(user)
    reply = await context(user)
    assert reply["text"].startswith(NOTICE)
    lines = [line for line in reply["text"].splitlines() if line.startswith("- ")]
    assert all(re.match(r"- \d{4}-\d\d-\d\d .+ \[mem_[0-9a-z]{26}\]$", line) for line in lines)
    assert [row["id"] for row in reply["included"]] == [line[-31:-1] for line in lines]
    assert {row["kind"] for row in reply["included"]} == {"memory"}
    assert reply["tokens"] == estimate_tokens(reply["text"])
    assert (reply["counter"], reply["leftOut"], reply["nothingRelevant"]) == ("estimate", [], False)
    assert "Assam" in lines[0]


@pytest.mark.rule("17.3 text")
async def test_equal_input_gives_equal_text(user: TestUser) -> None:
    await fill(user)
    assert len({(await context(user, tokenBudget=120))["text"] for _ in range(3)}) == 1


@pytest.mark.rule("17.3 tokenBudget", "17.3 included, leftOut")
@pytest.mark.parametrize("counter", ["estimate", "wordpiece"])
async def test_no_budget_is_exceeded_and_each_row_is_packed_or_left_out(
    user: TestUser, counter: str, services: Any
) -> None:
    await fill(user)
    count = estimate_tokens if counter == "estimate" else wordpiece_counter(services.settings.data_dir)
    known = {row["id"] for row in (await context(user))["included"]}
    for budget in [50, 51, *random.Random(7).sample(range(52, 400), 8)]:
        reply = await context(user, tokenBudget=budget, counter=counter)
        assert reply["tokens"] == count(reply["text"]) <= budget
        packed = [row["id"] for row in reply["included"] + reply["leftOut"]]
        assert (len(packed), set(packed)) == (len(known), known)
        assert all(0 <= row["relevance"] <= 1 for row in reply["leftOut"])


@pytest.mark.rule("17.3 tokenBudget")
@pytest.mark.parametrize("budget", [49, 0, -1, 8_001, "many", 99.5])
async def test_a_budget_outside_its_bounds_is_refused(user: TestUser, budget: Any) -> None:
    assert "tokenBudget" in (await context(user, status=400, tokenBudget=budget))["details"]


@pytest.mark.rule("17.3 weak")
async def test_weak_rows_are_left_out_and_nothing_relevant_is_said(user: TestUser) -> None:
    await fill(user)
    text = (await context(user))["text"]
    assert not any(fact in text for fact in UNRELATED)
    reply = await context(user, "the capital of Mongolia")
    assert (reply["included"], reply["leftOut"], reply["nothingRelevant"]) == ([], [], True)
    assert reply["tokens"] <= 50


@pytest.mark.rule("17.3 weak")
async def test_a_query_that_hardly_fits_gets_no_whole_session(user: TestUser, services: Any) -> None:
    await talk(
        user,
        "We need a checkout page with Stripe, since the refunds of PayPal are too slow.",
        "I'll add a checkout page in src/checkout.ts.",
        "Ok, and remember: never push to main directly, always open a PR.",
        "I'll always open a pull request.",
        "The staging database is at db-staging.internal, user shop_ro.",
        "Noted: the staging database and its read-only user.",
        "The launch moved from March 3 to March 17, because the legal review of the terms is late.",
        "The launch is on March 17, after the legal review.",
    )
    await embed(services, user)
    text = (await context(user, "commit this and push", allChannels=True))["text"]
    assert "never push to main" in text
    assert "PayPal" not in text
    assert "March" not in text


@pytest.mark.rule("17.3 sections, knowledgeBaseIds", "17.3 included, leftOut")
async def test_messages_memories_and_chunks_are_grouped_and_sections_choose(make_user: MakeUser, services: Any) -> None:
    user = await make_user()
    await fill(user)
    await talk(user, *SAID)
    await embed(services, user)
    tea = await base_of(user, "Tea book", "Assam tea is a black tea from India that Bob would drink.")
    other = await base_of(user, "Other book", "Bob drinks tea with his neighbours on Sundays.")
    whole = await context(user, allChannels=True)
    assert {row["kind"] for row in whole["included"]} == {"memory", "message", "chunk"}
    headings = [line for line in whole["text"].splitlines() if line.endswith(":")]
    assert (headings[0], headings[-1]) == ("Memories:", "Messages:")
    assert set(headings[1:-1]) == {"Knowledge base Tea book:", "Knowledge base Other book:"}
    for section, kind in (("memories", "memory"), ("messages", "message"), ("knowledge", "chunk")):
        reply = await context(user, allChannels=True, sections=[section])
        assert {row["kind"] for row in reply["included"]} == {kind}, section
    assert (await context(user, allChannels=True, sections=[]))["text"] == whole["text"]
    named = await context(user, allChannels=True, knowledgeBaseIds=[tea])
    assert "Knowledge base Tea book:" in named["text"]
    assert "Other book" not in named["text"]
    assert {row["kind"] for row in named["included"]} == {"memory", "message", "chunk"}
    await context(user, knowledgeBaseIds=[other.replace(other[-3:], "zzz")], status=404)


@pytest.mark.rule("17.3 exceptSessionKey")
async def test_the_messages_of_a_session_can_be_left_out(user: TestUser, services: Any) -> None:
    first, *_ = await talk(user, *SAID)
    second = await talk(user, "Green tea is what I drink.", sessionKey="s2")
    await embed(services, user)
    everything = await context(user, "who drinks green tea?", allChannels=True)
    assert {first, *second} <= {row["id"] for row in everything["included"]}
    elsewhere = await context(user, "who drinks green tea?", allChannels=True, exceptSessionKey="s1")
    assert [row["id"] for row in elsewhere["included"] + elsewhere["leftOut"]] == second


async def test_what_is_packed_counts_as_no_access(user: TestUser) -> None:
    await fill(user)
    row = (await context(user))["included"][0]["id"]
    assert (await post(user, "memory", {"memoryId": row}))["memory"]["accessCount"] == 1  # the look just now


@pytest.mark.rule("17.3 profile")
async def test_current_facts_about_the_subjects_of_the_query_are_a_section(services: Services, user: TestUser) -> None:
    old = await capture(user, title="Bob", content="Bob lives in Leeds.")
    await post(user, "supersede", {"oldMemoryId": old, "title": "Bob", "content": "Bob lives in Oslo."})
    number = await capture(user, title="Number", content="Bob's phone number is 555-1234.")
    await capture(user, title="Ann", content="Ann lives in Bergen.")
    await done(services, user)
    reply = await context(user, "what is Bob's phone number?")
    facts = reply["text"].split("Facts:\n")[1].split("\n\n")[0].splitlines()
    assert [line.split(": ", 1)[1].split(" [")[0] for line in facts] == ["555-1234", "Oslo"]
    assert next(row["id"] for row in reply["included"] if row["kind"] == "fact") == number
    only = await context(user, "where does Bob live?", sections=["profile"])
    assert {row["kind"] for row in only["included"]} == {"fact"}
    without = await context(user, "where does Bob live?", sections=["memories"])
    assert {row["kind"] for row in without["included"]} == {"memory"}
    earlier = await context(user, "where does Bob live?", asOf="2020-01-01", sections=["profile"])
    assert earlier["included"] == []


@pytest.mark.rule("17.3 profile")
async def test_facts_of_another_channel_are_not_among_them(services: Services, user: TestUser) -> None:
    await capture(user, title="Bob", content="Bob lives in Oslo.", channel="private")
    await done(services, user)
    request = {"sections": ["profile"], "query": "where does Bob live?"}
    assert (await context(user, **request, channel="other"))["included"] == []
    assert len((await context(user, **request, channel="private"))["included"]) == 1


@pytest.mark.rule("17.3 text")
@pytest.mark.parametrize("budget", [150, 1_000])
async def test_a_memory_that_a_newer_one_contradicts_says_so(services: Services, user: TestUser, budget: int) -> None:
    older = await capture(user, content="The board meeting is on 10 December 2031.")
    newer = await capture(user, content="The board meeting was moved to 8 December 2031.")
    await done(services, user)
    text = (await context(user, query="when is the board meeting?", sections=["memories"], tokenBudget=budget))["text"]
    lines = {line[-31:-1]: line for line in text.splitlines() if line.startswith("- ")}
    assert " (a newer memory says otherwise) [" in lines[older]
    assert "otherwise" not in lines[newer]


@pytest.mark.rule("17.3 text")
async def test_before_a_contradicted_memory_stands_the_newer_one(services: Services, user: TestUser) -> None:
    content = "The board meeting is on 10 December 2031. Bring the harvest figures and the pruning shears."
    older = await capture(user, content=content)
    newer = await capture(user, content="The board meeting was moved to 8 December 2031.")
    await done(services, user)
    text = (await context(user, query="harvest figures, pruning shears", sections=["memories"]))["text"]
    assert [line[-31:-1] for line in text.splitlines() if line.startswith("- ")] == [newer, older]
