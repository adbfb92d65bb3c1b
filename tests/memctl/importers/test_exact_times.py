"""Times of an export come back to the millisecond, also those that look like seconds."""

import json
from pathlib import Path
from typing import Any

import pytest

from memctl.importers.jsonl import read_jsonl
from memctl.importers.pieces import Refusal
from memctl.importers.records import Memory, Message, memory, message
from tests.memctl.conftest import Terminal
from tests.support.service import MakeUser

LIKE_SECONDS = 1_795_762_000
"""20 January 1970 in milliseconds, 27 November 2026 in seconds."""
EXPORTED: dict[str, Any] = {
    "id": "mem_01jc3v7q2m8x5t9zc4r6w0y1ab",
    "title": "Old",
    "content": "An old note",
    "createdAt": LIKE_SECONDS,
    "lastAccessedAt": 946_684_800,
}


def record(tmp_path: Path, row: dict[str, Any]) -> Any:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n")
    (found,) = read_jsonl(path, None)
    return found


def test_a_row_of_an_export_keeps_its_milliseconds(tmp_path: Path) -> None:
    found = record(tmp_path, EXPORTED)
    assert isinstance(found, Memory)
    assert (found.request.created_at, found.request.last_accessed_at) == (LIKE_SECONDS, 946_684_800)
    sent = found.request.to_request()
    assert (sent["createdAt"], sent["lastAccessedAt"]) == (
        "1970-01-21T18:49:22.000+00:00",
        "1970-01-11T22:58:04.800+00:00",
    )
    assert type(found.request).from_body(sent) == found.request


@pytest.mark.parametrize("old", [0, 86_400_000, 31_536_000_000, 99_999_999_999, 1_772_323_200_123])
def test_other_times_are_sent_as_numbers(tmp_path: Path, old: int) -> None:
    found = record(tmp_path, EXPORTED | {"createdAt": old})
    assert found.request.to_request()["createdAt"] == old


def test_seconds_of_a_foreign_file_are_refused(tmp_path: Path) -> None:
    foreign = {name: value for name, value in EXPORTED.items() if name != "id"}
    found = record(tmp_path, foreign)
    assert isinstance(found, Refusal)
    assert "createdAt is in seconds" in str(found)
    found = record(tmp_path, foreign | {"createdAt": "2026-11-27", "lastAccessedAt": "2026-11-28"})
    assert (found.request.created_at, found.request.last_accessed_at) == (1_795_737_600_000, 1_795_824_000_000)


def test_what_importers_have_read_as_milliseconds_is_taken_as_such() -> None:
    old = memory({"content": "x", "createdAt": LIKE_SECONDS}, "here")
    record = message({"content": "x", "role": "user", "timestamp": LIKE_SECONDS}, "here")
    assert isinstance(old, Memory)
    assert isinstance(record, Message)
    assert (old.request.created_at, record.request.timestamp) == (LIKE_SECONDS, LIKE_SECONDS)


async def test_a_period_of_the_early_seventies_comes_back(terminal: Terminal, make_user: MakeUser) -> None:
    """Its milliseconds, sent as a number, would be read as seconds of a later century (contract 7.0)."""
    here, there = await make_user(), await make_user()
    period = ("--valid-from", "1971-05-01", "--valid-until", "1972-06-30")
    await terminal(here, "capture", "Studies", "Ana studied in Graz.", *period)
    exported = await terminal(here, "export", "--memories-only")
    await terminal(there, "import", "jsonl", "-", stdin=exported.stdout)
    rows = [json.loads((await terminal(user, "export", "--memories-only")).stdout) for user in (here, there)]
    first, second = ([row[side] for side in ("validFrom", "validUntil")] for row in rows)
    assert first == second == [41_904_000_000, 78_796_799_999]


def test_periods_of_other_programs_may_be_in_seconds(tmp_path: Path) -> None:
    found = record(tmp_path, {"title": "Move", "content": "Ana moved.", "valid_at": 1_577_836_800})
    assert isinstance(found, Memory)
    assert found.request.to_request()["validFrom"] == 1_577_836_800
