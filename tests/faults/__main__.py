"""`make faults`: kill memd, or Postgres, at every point of every write, job, migration and first start.

After each kill memd starts again; `tests.faults.rounds` says what must hold. The points are those of `points.txt`: with
`MEMD_PIN=1` a run writes it and kills nowhere, every other run compares. `--sample 4 --seed 7` kills at four of them.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

import psycopg

from tests.faults import upgrade
from tests.faults.calls import CALLS
from tests.faults.cluster import Cluster, clustered
from tests.faults.lives import Maker, maker
from tests.faults.preparing import START, migrated, prepare
from tests.faults.rounds import Lost, Rounds
from tests.faults.scenario import Scenario
from tests.faults.work import WORK

SHOWN: Final = 20_000
"""Characters of the last output of memd that are printed after a failure."""
POINTS: Final = Path(__file__).with_name("points.txt")
SCENARIOS: Final = (Scenario(START), *CALLS, *WORK)


class Run:
    """One run: the kills that are wanted (None: all of them), those that were made, and what they broke."""

    def __init__(self, wanted: Collection[str] | None, seed: int, *, scenarios: Collection[str] = ()) -> None:
        """With `scenarios`, only those whose names begin so."""
        self.names: list[str] = []
        self.killed = 0
        self.failures: list[str] = []
        self._wanted = wanted
        self._scenarios = tuple(scenarios)
        self._chance = random.Random(seed)

    def everything(self, cluster: Cluster, folder: Path) -> None:
        """Every scenario, then the migrations."""
        data = folder / "data"
        data.mkdir()
        made = maker(data)
        rounds = Rounds(made, cluster, self._chance)
        empty = migrated(made, cluster)
        for scenario in SCENARIOS:
            if self._concerned(scenario.name):
                self._guarded(scenario.name, self._scenario, rounds, cluster, empty, scenario)
        if any(self._concerned(f"migrate {start}") for start in upgrade.STARTS):
            for start, database in upgrade.starts(cluster).items():
                self._guarded(f"migrate {start}", self._upgrade, made, cluster, start, database)

    def _concerned(self, scenario: str) -> bool:
        if self._scenarios:
            return scenario.startswith(self._scenarios)
        return not self._wanted or any(name.startswith(f"{scenario}: ") for name in self._wanted)

    def _kills(self, name: str) -> bool:
        return self._wanted is None or name in self._wanted

    def _guarded(self, name: str, work: Callable[..., None], *arguments: object) -> None:
        begun, before = time.monotonic(), self.killed
        try:
            work(*arguments)
        except (AssertionError, OSError, psycopg.Error) as error:
            self.fail(f"{name}: {error}")
        print(f"{name}: {self.killed - before} kills, {time.monotonic() - begun:.0f} s", flush=True)

    def _scenario(self, rounds: Rounds, cluster: Cluster, empty: str, scenario: Scenario) -> None:
        prepared = prepare(rounds.maker, cluster, empty, scenario)
        recording = rounds.record(prepared)
        for kill in recording.kills():
            name = f"{scenario.name}: {kill.name}"
            self.names.append(name)
            if not self._kills(name):
                continue
            self.killed += 1
            try:
                rounds.kill(recording, kill)
            except Lost as error:
                self.fail(f"{name}: {error}")
        cluster.drop(prepared.database)

    def _upgrade(self, made: Maker, cluster: Cluster, start: str, database: str) -> None:
        for name in upgrade.rounds(made, cluster, start, database, self._kills):
            self.names.append(name)
            self.killed += self._kills(name)

    def fail(self, failure: str) -> None:
        """Note and print what must not be."""
        self.failures.append(failure)
        print(f"FAILED {failure}", flush=True)


def pinned() -> list[str]:
    """The kills of the list, in its order."""
    return POINTS.read_text("utf-8").splitlines() if POINTS.exists() else []


def _differences(run: Run, *, complete: bool, wanted: Collection[str]) -> Iterator[str]:
    """How the list and the code differ."""
    known = pinned()
    yield from (f"points.txt lacks {name}" for name in run.names if name not in known)
    expected = known if complete else wanted
    yield from (f"{name} of points.txt was not reached" for name in expected if name not in run.names)


def main() -> int:
    """Run; the exit code is 1 when a kill broke something, or points.txt is not what the code does."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("--sample", type=int, help="kill at so many points of the list instead of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("scenarios", nargs="*", help="the beginnings of their names; all of them without")
    options = parser.parse_args()
    pin = bool(os.environ.get("MEMD_PIN"))
    wanted: list[str] | None = [] if pin else None
    if options.sample:
        wanted = random.Random(options.seed).sample(pinned(), options.sample)
    run = Run(wanted, options.seed, scenarios=options.scenarios)
    with clustered() as (cluster, folder):
        run.everything(cluster, folder)
        log = folder / "data" / "lives.log"
        if run.failures and log.exists():
            print(log.read_text("utf-8", "replace")[-SHOWN:])
    if pin:
        POINTS.write_text("".join(f"{name}\n" for name in run.names), "utf-8")
    complete = not options.sample and not options.scenarios
    for difference in _differences(run, complete=complete, wanted=wanted or []):
        run.fail(difference)
    print(f"{len(run.names)} points, {run.killed} kills, {len(run.failures)} failures")
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
