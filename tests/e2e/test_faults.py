"""Kills at named points of every write (`make faults`): the list of the points is complete, and a few are killed at."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from memd.app import endpoints, open_endpoints
from memd.devices import pages
from memd.domain.types import KeyScope
from memd.jobs.worker import HANDLERS
from memd.schedule.registry import SCHEDULE
from tests.faults.__main__ import SCENARIOS, pinned
from tests.faults.calls import CALLS, READS
from tests.faults.points import CLAIMED, COMMITTED, COMMITTING, DONE, READ, REPLY
from tests.faults.upgrade import STARTS
from tests.faults.work import WORK
from tests.support.old_release import OLD, newer

pytestmark = pytest.mark.e2e
KILLS, SEED = 2, 28
WRITING_GETS = {"GET /api/device/status"}
"""The poll that makes the key of a device."""


def test_every_endpoint_that_writes_has_a_scenario() -> None:
    known = [(endpoint.name, endpoint.method) for endpoint in (*endpoints(), *open_endpoints())]
    known += [(f"{method} {path}", method) for method, path in pages.PAGES]
    names = {name for name, method in known if method != "GET"} | WRITING_GETS
    assert {scenario.target for scenario in CALLS} == names - READS
    assert names >= READS


def test_what_needs_no_scenario_is_for_keys_that_only_read() -> None:
    assert {endpoint.name for endpoint in endpoints() if endpoint.name in READS} == READS
    assert {endpoint.scope for endpoint in endpoints() if endpoint.name in READS} == {KeyScope.READ}


def test_every_job_has_a_scenario() -> None:
    kinds = {*HANDLERS, *(entry.name for entry in SCHEDULE)}
    assert {scenario.target for scenario in WORK} == {f"job {kind}" for kind in kinds}


def test_the_list_names_points_of_every_scenario_and_no_other() -> None:
    points: dict[str, set[str]] = defaultdict(set)
    for line in pinned():
        name, _, point = line.partition(": ")
        points[name].add(point)
    assert set(points) == {scenario.name for scenario in SCENARIOS} | {f"migrate {start}" for start in STARTS}
    for scenario in CALLS:
        found = points[scenario.name]
        assert {f"{READ} (memd)", f"{REPLY} (memd)", "acknowledged (memd, after the reply)"} <= found, scenario.name
        assert {
            f"transaction 1: {at} ({what})" for at in (COMMITTING, COMMITTED) for what in ("memd", "postgres")
        } <= found
    for scenario in WORK:
        assert {f"{CLAIMED} (memd)", f"{DONE} (memd)"} <= points[scenario.name], scenario.name


def test_the_list_names_every_migration() -> None:
    revisions = re.findall(r"^migrate an empty database: (\S+): number written$", "\n".join(pinned()), re.MULTILINE)
    assert revisions == [OLD, *newer()]
    assert (
        re.findall(r"^migrate the first release: (\S+): number written$", "\n".join(pinned()), re.MULTILINE) == newer()
    )


@pytest.mark.timeout(240)
def test_some_kills_lose_nothing() -> None:
    """A few points of the list, the same in every run; `make faults` kills at all of them."""
    command = [sys.executable, "-m", "tests.faults", "--sample", str(KILLS), "--seed", str(SEED)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, check=False, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{KILLS} kills, 0 failures" in done.stdout
