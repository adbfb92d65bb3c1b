"""A memd west and one east of UTC, with its worker: what is said, asked and briefed there is by the days there."""

import time
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import httpx
import pytest

from tests.support.daemon import Daemon
from tests.support.wire import Json
from tests.support.zones import moment

pytestmark = [pytest.mark.e2e, pytest.mark.rule("11.7 time zone")]
EXTRACTED_S = 60


def called(client: httpx.Client, path: str, **body: object) -> Json:
    reply = client.post(f"/api/mcp/{path}", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def remembered(client: httpx.Client) -> list[str]:
    """What the worker has made of the conversation; waits for it."""
    end = time.monotonic() + EXTRACTED_S
    while time.monotonic() < end:
        rows = client.get("/api/memories").json()["memories"]
        if found := [row["content"] for row in rows if row["source"] == "conversation"]:
            return found
        time.sleep(0.2)
    return []


@pytest.mark.parametrize(
    ("zone", "said_at", "tomorrow"),
    [
        ("America/Los_Angeles", "2026-07-01T18:00", "2 July 2026"),
        ("Pacific/Kiritimati", "2026-07-01T08:00", "2 July 2026"),
    ],
)
def test_days_are_those_of_the_zone(daemon: Daemon, zone: str, said_at: str, tomorrow: str) -> None:
    daemon.environment |= {"MEMD_TIME_ZONE": zone, "MEMD_EXTRACTION_DELAY_S": "0"}
    with daemon.start().http() as client:
        turn = {
            "channel": "cli",
            "sessionKey": "s1",
            "turnId": "t1",
            "userMessage": "My dentist appointment is tomorrow at 9.",
        }
        called(client, "turn", **turn, assistantMessage="Noted.", timestamp=moment(zone, said_at))
        assert remembered(client) == [f"The user's dentist appointment is on {tomorrow} at 9."]
        today = datetime.now(ZoneInfo(zone)).date()
        first, last = day(zone, today - timedelta(days=1))
        called(client, "log", role="user", content="The boiler makes a noise.", timestamp=first)
        called(client, "log", role="user", content="Order a new valve.", timestamp=last)
        found = called(client, "search-messages", query="what did we talk about yesterday?")
        briefing = called(client, "wake")["briefing"]
        if datetime.now(ZoneInfo(zone)).date() > today:
            return  # midnight came in between
        assert (found["temporalHint"]["fromMs"], found["temporalHint"]["toMs"]) == (first, last)
        assert {row["content"] for row in found["messages"][:2]} == {"The boiler makes a noise.", "Order a new valve."}
        assert (
            f"Recent talk ({zone}):\n{today - timedelta(days=1)}:\n[00:00] user: The boiler makes a noise." in briefing
        )
        assert "[23:59] user: Order a new valve." in briefing


def day(zone: str, one: date) -> tuple[int, int]:
    """The first and the last millisecond of a day there."""
    return moment(zone, one.isoformat()), moment(zone, (one + timedelta(days=1)).isoformat()) - 1
