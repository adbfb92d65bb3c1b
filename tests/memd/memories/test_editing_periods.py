"""Edits of the period of a memory, and their reason in its history (contract 6.3, 17.5)."""

import re

import pytest

from memctl.wire.base import RequestModel
from memctl.wire.memories import CaptureRequest, SupersedeRequest
from memctl.wire.updates import UpdateRequest
from tests.support.service import TestUser
from tests.support.wire import capture, memory, post, send


@pytest.mark.rule("17.5 validFrom, validUntil")
@pytest.mark.parametrize("far", [253_402_300_800_000, 8_640_000_000_000_000, -62_135_596_800_001])
async def test_a_period_lies_within_the_years_1_to_9999(user: TestUser, far: int) -> None:
    one = await capture(user)
    for side in ("validFrom", "validUntil"):
        expected = (
            f"Field {side} must be between -62135596800000 and 253402300799999, the years 1 to 9999 in milliseconds"
        )
        for name, body in (
            ("capture", {"title": "Far", "content": "Far away"}),
            ("update", {"memoryId": one}),
            ("supersede", {"oldMemoryId": one, "title": "Far", "content": "Far away"}),
        ):
            assert (await post(user, name, {**body, side: far}, status=400))["details"] == expected


@pytest.mark.rule("17.5 validFrom, validUntil")
@pytest.mark.parametrize("side", ["validFrom", "validUntil"])
@pytest.mark.parametrize("request_type", [CaptureRequest, SupersedeRequest, UpdateRequest])
async def test_the_schema_of_a_period_names_its_first_and_last_instant(
    user: TestUser, request_type: type[RequestModel], side: str
) -> None:
    number, digits = request_type.model_json_schema()["properties"][side]["anyOf"][:2]
    longest = "9" * (digits["maxLength"] - 1)
    assert re.fullmatch(digits["pattern"], f"-{longest}")
    assert not re.fullmatch(digits["pattern"], f"{longest}9")
    for sent in (number["minimum"], number["maximum"], longest, f"-{longest}"):
        await capture(user, **{side: sent})
    for beyond in (number["minimum"] - 1, number["maximum"] + 1):
        await post(user, "capture", {"title": "t", "content": "c", side: beyond}, status=400)


@pytest.mark.rule("17.5 validFrom, validUntil")
async def test_a_year_means_its_first_or_last_day(user: TestUser) -> None:
    one = await capture(user, content="Ana leads the team.", validFrom="2020", validUntil="2021")
    whole = await capture(user, content="Ben leads the team.", validFrom="2020-01-01", validUntil="2021-12-31")
    sides = ("validFrom", "validUntil")
    years, days = [[(await memory(user, each))[side] for side in sides] for each in (one, whole)]
    assert years == days
    await post(user, "update", {"memoryId": one, "validUntil": "2022"})
    assert (await memory(user, one))["validUntil"] == 1_672_531_199_999


@pytest.mark.rule("17.5 validFrom, validUntil")
async def test_a_period_never_ends_before_it_begins(user: TestUser) -> None:
    one = await capture(user, content="Ana leads the team.", validFrom="2024-01-01", validUntil="2025-01-01")
    before = await memory(user, one)
    for late in ({"validFrom": "2026-01-01"}, {"validUntil": "2023-01-01"}):
        refused = await post(user, "update", {"memoryId": one, **late}, status=400)
        assert refused["details"] == "Field validFrom must be at or before validUntil"
    await post(user, "update", {"memoryId": one, "content": "Ana leads the team since 2026."})
    after = await memory(user, one)
    assert [after[side] for side in ("validFrom", "validUntil")] == [
        before[side] for side in ("validFrom", "validUntil")
    ]
    await post(user, "update", {"memoryId": one, "validFrom": "2026-01-01", "validUntil": "2027-01-01"})


@pytest.mark.rule("17.5 history")
async def test_the_reason_of_an_edit_is_in_the_history(user: TestUser) -> None:
    one = await capture(user)
    await post(user, "update", {"memoryId": one, "title": "Changed", "reason": "a typo"})
    versions = (await send(user, "GET", f"/api/memories/{one}/history"))["versions"]
    assert [version.get("reason") for version in versions] == [None, "a typo"]
    assert (await post(user, "update", {"memoryId": one, "reason": "nothing"}, status=400))["error"]
