"""A real memd whose system clock is set while it runs, by libfaketime; the uptime stays that of the machine."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.daemon import Daemon
from tests.support.waiting import PATIENCE_S, wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.long]
LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
DELETING = ("cleanup", "audit_expiry", "message_expiry")
CACHE_S = 1
"""How long a process keeps the offset before it reads the file again; without, every look at the clock is a read."""
LONG_S = 60
"""From such an outage on, as `make outages` asks for, memd is started again while the clock is ahead."""
AHEAD = "set ahead by 12000 h; nothing is deleted by age for 24 h of running time"
HELD = "waits: the system clock is ahead (see /readyz)"


@pytest.fixture
def clock(daemon: Daemon, enterable_folder: Path) -> Path:
    """A file with the offset of the clock of `daemon`, e.g. `+500d`."""
    if not LIBRARIES:
        pytest.skip("libfaketime is not installed (apt-get install libfaketime)")
    offset = enterable_folder / "clock"
    offset.write_text("+0d")
    offset.chmod(0o644)
    daemon.environment |= {
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME_TIMESTAMP_FILE": str(offset),
        "FAKETIME_CACHE_DURATION": str(CACHE_S),
        "DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # else threads that compete for Python's lock make hardly any progress
    }
    return offset


def set_clock(file: Path, offset: str) -> None:
    """Set the clock of every process of memd; all have noticed at the end."""
    file.write_text(offset)
    time.sleep(2 * CACHE_S + 0.1)


def state(http: httpx.Client) -> str | None:
    """The state of the clock, according to /readyz."""
    reply = http.get("/readyz")
    assert reply.status_code == 200, reply.text
    return reply.json().get("degraded", {}).get("clock")


def outcomes(http: httpx.Client) -> dict[str, Any]:
    """Run the jobs that delete by age; the errors of these runs."""
    before = {job["name"]: job.get("lastStartedAt") for job in http.get("/api/jobs").json()["scheduled"]}
    for name in DELETING:
        assert http.post(f"/api/jobs/{name}/run").status_code == 200

    def ended() -> dict[str, Any]:
        jobs = {job["name"]: job for job in http.get("/api/jobs").json()["scheduled"]}
        new = [jobs[name] for name in DELETING if jobs[name].get("lastStartedAt") != before[name]]
        return {job["name"]: job.get("lastError") for job in new if job.get("lastEndedAt") is not None}

    end = time.monotonic() + PATIENCE_S
    while len(found := ended()) < len(DELETING):
        assert time.monotonic() < end, "the jobs have not run"
        time.sleep(0.5)  # under libfaketime an answer takes long
    return found


def test_a_clock_that_is_set_ahead_and_back_deletes_nothing(
    daemon: Daemon, clock: Path, request: pytest.FixtureRequest
) -> None:
    daemon.start()
    with daemon.http(PATIENCE_S) as http:
        message = {"role": "user", "content": "The kiln is hot.", "channel": "slack"}
        assert http.post("/api/mcp/log", json=message).status_code == 200
        wait_until(lambda: any("schedule.leading" in line for line in daemon.said))
        assert state(http) is None
        set_clock(clock, "+500d")
        assert str(state(http)).startswith(AHEAD)
        assert outcomes(http) == dict.fromkeys(DELETING, HELD)
    if float(request.config.getoption("--outage-seconds")) >= LONG_S:
        daemon.stop()
        daemon.start()
    with daemon.http(PATIENCE_S) as http:
        assert str(state(http)).startswith(AHEAD)
        set_clock(clock, "+0d")
        assert state(http) is None
        assert outcomes(http) == dict.fromkeys(DELETING)
        assert [row["content"] for row in http.get("/api/messages?channel=slack").json()["messages"]] == [
            message["content"]
        ]
        assert http.get("/api/admin/audit").json()["entries"]
