"""When a memory is true: tools take its period, and answers show it where a memory has one (contract 17.4, 17.5)."""

import pytest

from tests.support.mcp import call, structured
from tests.support.service import TestUser

SILENT = "The deployment of the Ledger is done by the team of Anna."


async def test_a_capture_names_the_days_of_its_period(user: TestUser) -> None:
    text = "The pool was closed from 3 March 2021 to 9 March 2021."
    stored = await structured(user, "capture", title="Pool", content=text)
    assert stored["period"] == "from 2021-03-03 until 2021-03-09; recall leaves it out: it ended on 2021-03-09"
    assert "period" not in await structured(user, "capture", title="Deploys", content=SILENT)


FREEZE = {"validFrom": "2021-12-18", "validUntil": "2095-01-06"}


@pytest.mark.rule("17.5 validFrom, validUntil")
async def test_a_period_is_given_and_shown_wherever_a_memory_is(user: TestUser) -> None:
    text = "The change freeze of the Ledger is approved by Helen."
    stored = await structured(user, "capture", title="Freeze", content=text, **FREEZE)
    assert stored["period"] == "from 2021-12-18 until 2095-01-06"
    await structured(user, "capture", title="Deploys", content=SILENT)
    found = (await structured(user, "recall", query="freeze of the Ledger"))["memories"]
    assert {row["id"] == stored["id"]: row.get("period") for row in found}[True] == stored["period"]
    assert all("period" not in row for row in found if row["id"] != stored["id"])
    read = await structured(user, "get_memory", memoryId=stored["id"])
    assert (read["period"], read["content"]) == (stored["period"], text)


@pytest.mark.rule("7.0 value")
async def test_a_period_of_years_is_from_the_first_day_to_the_last(user: TestUser) -> None:
    years = {"validFrom": "2021", "validUntil": "2095"}
    stored = await structured(user, "capture", title="Lease", content="The office lease is with Hofer.", **years)
    assert stored["period"] == "from 2021-01-01 until 2095-12-31"
    for year, found in (("2020", []), ("2021", [stored["id"]])):
        answer = await structured(user, "recall", query="Who leases the office?", validAt=year)
        assert [row["id"] for row in answer["memories"]] == found, year


async def test_an_edit_moves_and_removes_a_side_of_the_period(user: TestUser) -> None:
    memory_id = (await structured(user, "capture", title="Freeze", content="Only hotfixes.", **FREEZE))["id"]
    moved = await structured(user, "update", memoryId=memory_id, validUntil="2095-01-10T15:00:00Z")
    assert moved["period"] == "from 2021-12-18 until 2095-01-10 15:00"
    assert (await structured(user, "update", memoryId=memory_id, validUntil=None))["period"] == "from 2021-12-18"
    assert "period" not in await structured(user, "update", memoryId=memory_id, validFrom=None)
    assert "period" not in await structured(user, "get_memory", memoryId=memory_id)
    refused = await call(user.http, "update", memoryId=memory_id, title=None)
    assert refused["structuredContent"]["details"] == "At least one editable field is required"


async def test_a_superseding_memory_has_the_period_of_its_text(user: TestUser) -> None:
    old = (await structured(user, "capture", title="Gym", content="The gym annex is open."))["id"]
    text = "The gym annex is closed until 4 December 2095."
    new = await structured(user, "supersede", oldMemoryId=old, title="Gym", content=text)
    assert (new["replaces"], new["period"]) == (old, "until 2095-12-04")
    sent = {"title": "Gym", "content": "The gym annex is open again.", "validFrom": "2021-05-01"}
    again = await structured(user, "supersede", oldMemoryId=new["id"], **sent)
    assert again["period"] == "from 2021-05-01"
    last = await structured(user, "supersede", oldMemoryId=again["id"], title="Gym", content="The annex is gone.")
    assert "period" not in last


async def test_a_period_to_come_is_told_to_be_left_out_before(user: TestUser) -> None:
    stored = await structured(user, "capture", title="Freeze", content="No deploys then.", validFrom="2095-12-18")
    assert stored["period"] == "from 2095-12-18; recall leaves it out before 2095-12-18"
    moved = await structured(user, "update", memoryId=stored["id"], validFrom="2096-01-01")
    assert moved["period"] == "from 2096-01-01; recall leaves it out before 2096-01-01"


async def test_a_period_that_is_over_is_told_to_be_left_out(user: TestUser) -> None:
    stored = await structured(user, "capture", title="Freeze", content="No deploys then.", validUntil="2021-01-03")
    assert stored["period"] == "until 2021-01-03; recall leaves it out: it ended on 2021-01-03"


async def test_a_memory_that_is_true_since_it_was_stored_needs_no_period(user: TestUser) -> None:
    old = (await structured(user, "capture", title="Gym", content="The gym annex is open."))["id"]
    await structured(user, "supersede", oldMemoryId=old, title="Gym", content="The gym annex is gone.")
    (row,) = (await structured(user, "recall", query="Is the gym annex open?"))["memories"]
    assert (row["text"].split()[-1], "period" in row) == ("gone.", False)
