"""Background work over kill -9 (contract 13): each slot runs once, no job is lost, none is done twice in effect."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from memd.db.embedded.server import EmbeddedPostgres, running_conninfo
from memd.db.schema.migrate import migrate
from memd.schedule.registry import SCHEDULE
from memd.settings import Settings
from tests.support.daemon import Daemon
from tests.support.fork_server import ForkedProgram, fork_server
from tests.support.service import add_user, serving
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e
TICK_S = 1
OTHERS_OFF = {entry.name: "off" for entry in SCHEDULE} | {"stats_cache": str(TICK_S)}
WAITING = "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND task_name <> 'stats_cache'"
FAILED = "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('failed', 'aborted')"
RUNS = "SELECT count(*) FROM schedule_run WHERE name = 'stats_cache'"
SLOT = "SELECT (value->>'slot')::bigint / 1000 FROM service_fact WHERE name = 'slot:stats_cache'"
SLOTS = "SELECT count(*) FROM service_fact WHERE name = 'slot:stats_cache'"


def value(conninfo: str, query: str) -> Any:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        row = connection.execute(query).fetchone()  # pyrefly: ignore[no-matching-overload]
        assert row is not None
        return row[0]


@pytest.fixture
def replicas(new_database: str, enterable_folder: Path) -> Iterator[list[Daemon]]:
    """Two memd on one Postgres that is not theirs."""
    environment = {
        "MEMD_DATABASE_URL": new_database,
        "MEMD_EMBED_MODEL": "wordllama",
        "MEMD_EXTRACTION_DELAY_S": "0",
        "MEMD_SCHEDULE": json.dumps(OTHERS_OFF),
    }
    both = [Daemon(enterable_folder / f"replica-{number}", environment, forked=True) for number in range(2)]
    yield both
    for one in both:
        if one.runs:
            one.stop()
        shutil.rmtree(one.data_dir, ignore_errors=True)


def leads(daemon: Daemon) -> bool:
    return any("schedule.leading" in line for line in daemon.said)


def deliver(http: httpx.Client, number: int) -> None:
    turn = {"turnId": f"turn {number}", "sessionKey": "s1", "channel": "slack", "assistantMessage": "Noted."}
    text = f"We decided to give project number {number} a budget of {number} thousand euros."
    assert http.post("/api/mcp/turn", json=turn | {"userMessage": text}).status_code == 200


@pytest.mark.long
def test_the_leader_is_killed_and_the_other_takes_over(replicas: list[Daemon], new_database: str) -> None:
    first, second = replicas
    first.start()
    second.start()
    wait_until(lambda: leads(first), 15)
    wait_until(lambda: value(new_database, SLOTS) == 1, 15)
    started, begun = value(new_database, RUNS), value(new_database, SLOT)
    wait_until(lambda: value(new_database, RUNS) >= started + 3, 30)
    assert not leads(second)
    with httpx.Client(base_url=second.url, headers={"Authorization": f"Bearer {first.key}"}, timeout=30) as http:
        for number in range(20):
            deliver(http, number)
        first.kill()
        taken_over = wait_until(lambda: leads(second), 30)
        wait_until(lambda: value(new_database, WAITING) == 0, 40)
    slots, ran = value(new_database, SLOT) - begun, value(new_database, RUNS) - started
    assert ran <= slots + 1, "a slot ran twice"
    assert taken_over < 30
    assert_every_turn_is_extracted_once(new_database)
    after = value(new_database, RUNS)
    wait_until(lambda: value(new_database, RUNS) > after, 10)


class Worker:
    """A `memd worker` on the database of a memd, forked or as the script; what it prints goes to a file."""

    def __init__(self, daemon: Daemon, output: Path, *, forked: bool) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MEMD_")}
        environment, words = clean | daemon.environment, ["worker", "--data-dir", str(daemon.data_dir)]
        self.process: ForkedProgram | subprocess.Popen[bytes]
        with output.open("w") as file:
            if forked:
                self.process = fork_server().start(words, environment, file.fileno())
            else:
                command = [sys.executable, "-m", "memd", *words]
                self.process = subprocess.Popen(command, env=environment, stdout=file, stderr=subprocess.STDOUT)
        self._output = output

    def says(self, words: str) -> bool:
        return words in self._output.read_text()

    def works(self) -> bool:
        return self.says("memd works on background jobs")

    def leads(self) -> bool:
        return self.says("schedule.leading")


@pytest.fixture
def start_worker(daemon: Daemon, tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Start a worker for `daemon`, forked unless `forked=False`; it ends with the test."""
    started: list[Worker] = []

    def start(*, forked: bool = True) -> Worker:
        started.append(Worker(daemon, tmp_path / f"worker-{len(started)}", forked=forked))
        return started[-1]

    yield start
    for worker in started:
        worker.process.kill()
        worker.process.wait()


def test_of_two_workers_the_leading_one_is_killed_and_the_other_takes_over_and_stops_gracefully(
    daemon: Daemon, start_worker: Callable[..., Worker]
) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.environment |= {"MEMD_EXTRACTION_DELAY_S": "0", "MEMD_SCHEDULE": json.dumps(OTHERS_OFF)}
    daemon.start()
    database = running_conninfo(daemon.data_dir)
    with daemon.http() as http:
        deliver(http, 0)
        time.sleep(1)
        assert http.get("/api/jobs").json()["queue"]["byKind"]["extract_turn"]["queued"] == 1
        assert http.get("/api/memories").json()["memories"] == []
        first = start_worker()
        wait_until(first.leads)
        second = start_worker()
        wait_until(second.works)
        wait_until(lambda: value(database, SLOTS) == 1)
        started, begun = value(database, RUNS), value(database, SLOT)
        wait_until(lambda: value(database, RUNS) >= started + 3)
        assert not second.leads()
        for number in range(1, 20):
            deliver(http, number)
        first.process.kill()
        wait_until(second.leads)
        wait_until(lambda: value(database, WAITING) == 0)
        queued = {kind: of["queued"] for kind, of in http.get("/api/jobs").json()["queue"]["byKind"].items()}
        assert not any(queued[kind] for kind in queued if kind != "stats_cache")  # which runs every second
    slots, ran = value(database, SLOT) - begun, value(database, RUNS) - started
    assert ran <= slots + 1, "a slot ran twice"
    assert_every_turn_is_extracted_once(database)
    after = value(database, RUNS)
    wait_until(lambda: value(database, RUNS) > after)
    second.process.send_signal(signal.SIGTERM)
    assert second.process.wait(60) == 0


def assert_every_turn_is_extracted_once(conninfo: str) -> None:
    """Of 20 turns that were delivered."""
    assert value(conninfo, FAILED) == 0
    assert value(conninfo, "SELECT count(*) FROM memory WHERE source = 'conversation'") == 20
    assert value(conninfo, "SELECT sum(cardinality(source_message_ids)) FROM memory") == 20


@pytest.mark.long_form
async def test_jobs_survive_kills_between_defer_and_run(
    embedded_postgres: EmbeddedPostgres,
    new_database: str,
    service_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    of_size: Callable[[int, int], int],
) -> None:
    rounds = of_size(4, 50)
    monkeypatch.setattr("memd.jobs.worker.HEARTBEAT_S", 1)  # how soon the jobs of the dead are taken up
    monkeypatch.setattr("memd.jobs.worker.SILENCE_S", 3)
    migrate(new_database)
    settings = service_settings.model_copy(update={"workers_off": True})
    async with serving(settings, new_database) as services:
        user_id, _ = await add_user(services)
    arguments = [new_database, str(settings.data_dir), str(user_id), str(rounds), "7"]
    root = str(Path(__file__).parents[2])
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-m", "tests.support.killing", *arguments], env={"PYTHONPATH": root}, check=False,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    turns = "SELECT count(*) FROM turn"
    assert value(new_database, turns) == rounds
    async with serving(service_settings, new_database):
        for _ in range(600):
            if value(new_database, WAITING) == 0:
                break
            await asyncio.sleep(0.1)
    assert (value(new_database, WAITING), value(new_database, FAILED)) == (0, 0)
    assert value(new_database, "SELECT count(*) FROM memory WHERE source = 'conversation'") == rounds
    assert value(new_database, "SELECT count(*) FROM message WHERE extracted_at IS NOT NULL") == rounds
    assert value(new_database, "SELECT active_memories FROM totals") == rounds
    assert value(new_database, "SELECT count(*) FROM memory WHERE NOT graph_enriched OR embedding_pending") == 0


def test_a_worker_that_starts_before_its_memd_waits_for_it(daemon: Daemon, start_worker: Callable[..., Worker]) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    daemon.stop()
    early = start_worker(forked=False)
    wait_until(lambda: early.says("memd.awaited"))
    daemon.start()
    wait_until(early.works)
    daemon.stop()
    daemon.environment |= {"MEMD_DATABASE_START_WAIT_S": "0"}
    impatient = start_worker()
    assert impatient.process.wait(60) == 1
    assert impatient.says(f"No memd serves {daemon.data_dir}; start one there with: memd serve --workers-off")
