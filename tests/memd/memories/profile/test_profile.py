"""GET /api/profile: what is known about a subject (contract 17.5)."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, post, send


async def profile(services: Services, user: TestUser, **query: Any) -> list[dict[str, Any]]:
    await done(services, user)
    return (await send(user, "GET", "/api/profile", **query))["profiles"]


@pytest.mark.rule("17.5 profile")
async def test_the_facts_of_a_subject_name_their_evidence(services: Services, user: TestUser) -> None:
    first = await capture(user, content="Ana lives in Oslo.", createdAt=1_000_000_000_000)
    second = await capture(user, content="As ever, the mill is closed. Ana lives in Oslo. Nice.")
    await capture(user, content="Ben's phone number is 555-1234.")
    (ana,) = await profile(services, user, subject="ana")
    (fact,) = ana["facts"]
    assert (ana["subject"], fact["attribute"], fact["value"]) == ("Ana", "residence", "Oslo")
    assert (fact["evidence"], fact["proofs"]) == ([second, first], 2)
    assert fact["firstSeen"] == 1_000_000_000_000
    assert fact["lastSeen"] > fact["firstSeen"]
    assert fact["staleDays"] == 0
    assert [one["subject"] for one in await profile(services, user)] == ["Ben", "Ana"]


@pytest.mark.rule("17.5 profile")
async def test_a_profile_has_the_role_and_the_manager_of_one_sentence(services: Services, user: TestUser) -> None:
    await capture(user, content="Ben Okafor is the tech lead of Kestrel and reports to Ana.")
    (ben,) = await profile(services, user, subject="Ben Okafor")
    assert [(fact["attribute"], fact["value"]) for fact in ben["facts"]] == [
        ("manager", "Ana"),
        ("role", "tech lead of Kestrel"),
    ]


@pytest.mark.rule("17.5 profile")
@pytest.mark.parametrize(
    ("content", "residence", "is_new"),
    [("Ana lives in Oslo. Really.", "Oslo", False), ("Ana lives in Rome.", "Rome", True)],
)
async def test_whoever_edits_the_text_has_seen_its_facts_again(
    services: Services, user: TestUser, content: str, residence: str, is_new: bool
) -> None:
    memory_id = await capture(user, content="Ana lives in Oslo.", createdAt=1_000_000_000_000)
    edited = (await post(user, "update", {"memoryId": memory_id, "content": content}))["updatedAt"]
    await post(user, "update", {"memoryId": memory_id, "tags": ["home"]})
    (ana,) = await profile(services, user, subject="ana")
    (fact,) = ana["facts"]
    assert (fact["value"], fact["lastSeen"], fact["staleDays"]) == (residence, edited, 0)
    assert fact["firstSeen"] == (edited if is_new else 1_000_000_000_000)
    assert ana["lastSeen"] == edited


@pytest.mark.rule("17.5 profile")
async def test_whoever_edits_tags_or_title_has_not(services: Services, user: TestUser) -> None:
    memory_id = await capture(user, content="Ana lives in Oslo.", createdAt=1_000_000_000_000)
    await post(user, "update", {"memoryId": memory_id, "tags": ["home"], "title": "Where Ana lives"})
    (ana,) = await profile(services, user, subject="ana")
    assert (ana["facts"][0]["firstSeen"], ana["lastSeen"]) == (1_000_000_000_000, 1_000_000_000_000)


@pytest.mark.rule("17.5 profile")
async def test_an_edit_does_not_overrule_a_later_denial(services: Services, user: TestUser) -> None:
    old = await capture(user, content="Ana works at Acme. Ana likes tea.", createdAt=1_000_000_000_000)
    await capture(user, content="Ana no longer works at Acme.", createdAt=1_100_000_000_000)
    await post(user, "update", {"memoryId": old, "content": "Ana works at Acme. Ana likes coffee."})
    (ana,) = await profile(services, user, subject="ana")
    assert [(fact["attribute"], fact["value"]) for fact in ana["facts"]] == [("likes", "coffee")]


@pytest.mark.rule("17.5 profile")
@pytest.mark.parametrize("subject", ["", "  "])
async def test_a_blank_subject_is_refused(user: TestUser, subject: str) -> None:
    refused = await send(user, "GET", "/api/profile", status=400, subject=subject)
    assert refused["details"] == "Missing required field: subject"


@pytest.mark.rule("17.5 profile")
async def test_only_what_is_true_now_is_in_a_profile(services: Services, user: TestUser) -> None:
    old = await capture(user, content="Ana lives in Oslo.")
    await capture(user, content="Ana works at Acme.")
    await done(services, user)
    await post(user, "supersede", {"oldMemoryId": old, "title": "Ana", "content": "Ana lives in Rome."})
    await capture(user, content="Ana no longer works at Acme.")
    (ana,) = await profile(services, user)
    assert [(fact["attribute"], fact["value"]) for fact in ana["facts"]] == [("residence", "Rome")]


@pytest.mark.rule("17.5 profile")
async def test_two_values_of_one_attribute_are_contested(services: Services, user: TestUser) -> None:
    await capture(user, content="The mill is owned by Ben.")
    await capture(user, content="The mill is owned by Cleo.")
    (mill,) = await profile(services, user, subject="the mill")
    assert {fact["value"]: fact["contested"] for fact in mill["facts"]} == {"Ben": True, "Cleo": True}


@pytest.mark.rule("17.5 profile")
async def test_a_profile_obeys_the_channel(services: Services, user: TestUser) -> None:
    await capture(user, content="Ana lives in Oslo.", channel="telegram:11")
    assert await profile(services, user, channel="telegram:12") == []
    assert len(await profile(services, user, channel="telegram:11")) == 1


async def decide(services: Services, user: TestUser, decision: str, **query: Any) -> int:
    """Decide about all open conflicts; how many there were."""
    await done(services, user)
    found = (await send(user, "GET", "/api/conflicts", **query))["conflicts"]
    for row in found:
        await send(user, "POST", f"/api/conflicts/{row['id']}", {"decision": decision})
    return len(found)


async def contested(services: Services, user: TestUser, subject: str) -> dict[str, bool]:
    """Which values of a subject are contested."""
    (found,) = await profile(services, user, subject=subject)
    return {fact["value"]: fact.get("contested", False) for fact in found["facts"]}


@pytest.mark.rule("17.5 profile", "17.5 decisions")
@pytest.mark.parametrize("decision", ["keep_both", "reject"])
async def test_values_that_the_user_lets_stand_side_by_side_are_contested_no_longer(
    services: Services, user: TestUser, decision: str
) -> None:
    await capture(user, content="The mill is owned by Ben.")
    await capture(user, content="The mill is owned by Cleo.")
    assert "owner Cleo (contested)" in await briefing(services, user)
    assert await decide(services, user, decision) == 1
    assert await contested(services, user, "the mill") == {"Ben": False, "Cleo": False}
    assert "mill: owner Cleo; owner Ben\n" in await briefing(services, user)
    packed = await post(user, "context", {"query": "who is the owner of the mill?"})
    assert "Cleo" in packed["text"]
    assert "say otherwise" not in packed["text"]


async def briefing(services: Services, user: TestUser) -> str:
    await done(services, user)
    return (await post(user, "wake", {}))["briefing"]


@pytest.mark.rule("17.5 profile", "17.5 decisions")
async def test_two_employers_are_contested_while_their_conflict_is_open(services: Services, user: TestUser) -> None:
    await capture(user, content="Tomasz Kowalski works at Acme.")
    await capture(user, content="Tomasz Kowalski works at Bolt.")
    assert await contested(services, user, "Tomasz Kowalski") == {"Acme": True, "Bolt": True}
    assert await decide(services, user, "keep_both") == 1
    assert await contested(services, user, "Tomasz Kowalski") == {"Acme": False, "Bolt": False}


@pytest.mark.rule("17.5 profile", "17.5 decisions")
async def test_a_value_with_an_open_conflict_stays_contested(services: Services, user: TestUser) -> None:
    await capture(user, content="The mill is owned by Ben.")
    await capture(user, content="The mill is owned by Cleo.")
    await decide(services, user, "keep_both")
    await capture(user, content="The mill is owned by Dora.")
    assert await contested(services, user, "the mill") == {"Ben": True, "Cleo": True, "Dora": True}
    (with_ben, *_) = [
        row
        for row in (await send(user, "GET", "/api/conflicts"))["conflicts"]
        if {row["oldValue"], row["newValue"]} == {"Ben", "Dora"}
    ]
    await send(user, "POST", f"/api/conflicts/{with_ben['id']}", {"decision": "keep_both"})
    assert await contested(services, user, "the mill") == {"Ben": False, "Cleo": True, "Dora": True}
    assert await decide(services, user, "keep_both") == 1
    assert await contested(services, user, "the mill") == {"Ben": False, "Cleo": False, "Dora": False}


@pytest.mark.rule("17.5 profile", "17.5 decisions")
async def test_a_decision_about_one_thing_is_none_about_another(services: Services, user: TestUser) -> None:
    await capture(user, content="The mill is owned by Ben. The barn belongs to nobody yet.")
    await capture(user, content="The mill is owned by Cleo.")
    await decide(services, user, "keep_both")
    await capture(user, content="The barn is owned by Ben.")
    await capture(user, content="The barn is owned by Cleo.")
    assert await contested(services, user, "the barn") == {"Ben": True, "Cleo": True}
    assert await contested(services, user, "the mill") == {"Ben": False, "Cleo": False}


@pytest.mark.rule("17.5 profile", "17.5 decisions")
async def test_what_another_user_decided_settles_nothing(services: Services, make_user: MakeUser) -> None:
    first, second = await make_user(), await make_user()
    for user in (first, second):
        await capture(user, content="The mill is owned by Ben.")
        await capture(user, content="The mill is owned by Cleo.")
        await done(services, user)
    await decide(services, first, "keep_both")
    assert await contested(services, first, "the mill") == {"Ben": False, "Cleo": False}
    assert await contested(services, second, "the mill") == {"Ben": True, "Cleo": True}


@pytest.mark.rule("17.5 profile")
async def test_a_thing_has_a_location_and_no_residence(services: Services, user: TestUser) -> None:
    await capture(user, content="Our passwords live in Bitwarden.")
    await capture(user, content="My mother lives in Cork.")
    found = await profile(services, user)
    facts = {(one["subject"], fact["attribute"], fact["value"]) for one in found for fact in one["facts"]}
    assert facts == {("passwords", "location", "Bitwarden"), ("mother", "residence", "Cork")}
    wake = await post(user, "wake", {})
    assert "passwords: location Bitwarden" in wake["briefing"]


@pytest.mark.rule("17.5 profile")
async def test_somebody_named_by_their_role_is_found_by_their_name(services: Services, user: TestUser) -> None:
    role = await capture(user, content="The user's sister Lena is a nurse.")
    home = await capture(user, content="My sister Lena lives in Bonn.")
    (lena,) = await profile(services, user, subject="Lena")
    facts = {(fact["attribute"], fact["value"]): set(fact["evidence"]) for fact in lena["facts"]}
    assert facts == {("relation", "the user's sister"): {role, home}, ("residence", "Bonn"): {home}}
    assert (await send(user, "GET", "/api/conflicts"))["conflicts"] == []


def homes(found: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(one["subject"], fact["value"]) for one in found for fact in one["facts"]}


@pytest.mark.rule("17.5 profile")
async def test_a_first_name_has_the_profile_of_the_full_name(services: Services, user: TestUser) -> None:
    await capture(user, content="Tomasz Kowalski lives in Gdansk.")
    await capture(user, content="Tomasz speaks Polish.")
    for subject in ("Tomasz", "tomasz kowalski"):
        (found,) = await profile(services, user, subject=subject)
        assert homes([found]) == {("Tomasz Kowalski", "Gdansk"), ("Tomasz Kowalski", "Polish")}
    packed = await post(user, "context", {"query": "what does Tomasz know?"})
    assert "Polish" in packed["text"]


@pytest.mark.rule("17.5 profile")
async def test_a_first_name_of_several_has_the_profiles_of_all(services: Services, user: TestUser) -> None:
    for content in ("Ana Ruiz lives in Oslo.", "Ana Kovac lives in Rome.", "Ana lives in Bonn."):
        await capture(user, content=content)
    assert homes(await profile(services, user, subject="Ana")) == {
        ("Ana Ruiz", "Oslo"),
        ("Ana Kovac", "Rome"),
        ("Ana", "Bonn"),
    }
    assert homes(await profile(services, user, subject="Ana Ruiz")) == {("Ana Ruiz", "Oslo")}
    assert (await send(user, "GET", "/api/conflicts"))["conflicts"] == []
    assert len(await profile(services, user)) == 3


@pytest.mark.rule("7.1 reply: profiles")
async def test_a_briefing_and_a_context_write_attributes_as_their_memories_do(
    services: Services, user: TestUser
) -> None:
    for content in ("Ana's Tesla is blue.", "Ana's GitHub handle is annk.", "Tesla of Ana: none. Ana lives in Oslo."):
        await capture(user, content=content)
    (ana,) = await profile(services, user, subject="Ana")
    assert {"tesla", "github-handle"} <= {fact["attribute"] for fact in ana["facts"]}
    briefing = (await post(user, "wake", {}))["briefing"]
    assert "- Ana: residence Oslo; GitHub handle annk; Tesla blue\n" in briefing
    text = (await post(user, "context", {"query": "what is Ana's GitHub handle?"}))["text"]
    assert "Ana, GitHub handle: annk" in text


@pytest.mark.rule("17.5 profile")
async def test_a_proposal_is_no_subject(services: Services, user: TestUser) -> None:
    await capture(user, content="Let's use buildx cache with the registry backend.")
    assert await profile(services, user) == []
