"""Rounds: a scenario without a kill, to learn its points and states; then again for each point, with a kill there."""

import http.client
import json
import random
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import psycopg

from memd.resources import KEY_FILE
from tests.faults.cluster import Cluster
from tests.faults.lives import Life, Maker, Request, read
from tests.faults.points import COMMITTED, COMMITTING, DONE
from tests.faults.preparing import START, Prepared
from tests.faults.state import AUDIT, State, broken_rules, difference, state_of

IN_FLIGHT_S: Final = 0.003
DRAIN_S: Final = 60
_WAITING: Final = "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"


class Way(StrEnum):
    """The process that is killed, and when."""

    MEMD = "memd"
    IN_FLIGHT = "memd, commit in flight"
    ACKNOWLEDGED = "memd, after the reply"
    POSTGRES = "postgres"


@dataclass(frozen=True, slots=True)
class Kill:
    """A kill at a point, which is named by its place among those of the scenario."""

    place: int
    point: str
    way: Way

    @property
    def name(self) -> str:
        """`transaction 1: committed (postgres)`."""
        return f"{self.point} ({self.way})"


@dataclass(frozen=True, slots=True)
class Recording:
    """The points of a scenario, what was committed at each, and what it leads to."""

    prepared: Prepared
    points: list[str] = field(default_factory=list[str])
    states: list[State] = field(default_factory=list[State])
    final: State = field(default_factory=State)

    def kills(self) -> Iterator[Kill]:
        """Every kill that this scenario is put to."""
        for index, point in enumerate(self.points):
            yield Kill(index, point, Way.MEMD)
            if point.endswith(COMMITTING):
                yield Kill(index, point, Way.IN_FLIGHT)
            if point.endswith((COMMITTING, COMMITTED)):
                yield Kill(index, point, Way.POSTGRES)
        if self.prepared.scenario.request is not None:
            yield Kill(len(self.points), "acknowledged", Way.ACKNOWLEDGED)


class Lost(AssertionError):
    """A kill did what it must not."""


@dataclass(slots=True)
class Rounds:
    """Runs scenarios in copies of their databases."""

    maker: Maker
    cluster: Cluster
    chance: random.Random
    lives: list[Life] = field(default_factory=list[Life])

    def record(self, prepared: Prepared) -> Recording:
        """Run the scenario to its end."""
        found = Recording(prepared)
        database, life, reply = self._begin(prepared)
        with psycopg.connect(self.cluster.of(database), autocommit=True) as connection:
            for point in _reached(life, reply):
                found.points.append(point)
                found.states.append(state_of(connection, prepared.scenario.unstable))
                life.go_on()
        if reply is not None:
            status, body = read(reply)
            assert status < 400, f"{prepared.scenario.name}: {status} {body[:300]!r}"
        self._end(life, database)
        final = self._finish(prepared, database)
        self.cluster.drop(database)
        return Recording(prepared, found.points, found.states, final)

    def kill(self, recording: Recording, kill: Kill) -> None:
        """Run the scenario up to a point and kill there; `Lost` when something is lost, doubled or half there."""
        database, life, reply = self._begin(recording.prepared)
        self._reach(recording, kill, life, reply)
        if kill.way is Way.POSTGRES:
            self.cluster.kill()
        self._end(life, database, restart=kill.way is Way.POSTGRES)
        if reply is not None:
            reply.close()
        found = self._checked(recording, database, self._expected(recording, kill))
        if not _is_recording(recording, kill, found):
            self._again(recording, kill, found, database)
        self.cluster.drop(database)

    def _reach(self, recording: Recording, kill: Kill, life: Life, reply: http.client.HTTPConnection | None) -> None:
        """Go to where the kill is due: a point, the middle of a commit, or a reply that has been read."""
        reached: list[str] = []
        for point in _reached(life, reply):
            reached.append(point)
            if len(reached) > kill.place:
                break
            life.go_on()
        expected = recording.points[: kill.place + 1]
        if reached != expected:
            raise Lost(f"reached {reached[-1:]} instead of {expected[-1:]}")
        if kill.way is Way.ACKNOWLEDGED:
            assert reply is not None
            _answered(read(reply))
        if kill.way is Way.IN_FLIGHT:
            life.go_on()
            time.sleep(self.chance.uniform(0, IN_FLIGHT_S))

    @staticmethod
    def _expected(recording: Recording, kill: Kill) -> list[State]:
        if kill.way is Way.ACKNOWLEDGED:
            return [recording.final]
        return recording.states[kill.place : kill.place + (2 if kill.way is Way.IN_FLIGHT else 1)]

    def _again(self, recording: Recording, kill: Kill, found: State, database: str) -> None:
        """Start memd again, repeat the call or await the job, and compare where that leads with the recording."""
        scenario, absent = recording.prepared.scenario, found == recording.states[0]
        repeat = (scenario.again or absent) and kill.way is not Way.ACKNOWLEDGED
        final = self._finish(recording.prepared, database, repeat=repeat)
        without = frozenset[str]() if absent else AUDIT
        led, expected = _only(final, without), _only(recording.final, without)
        if (scenario.again or absent) and led != expected:
            raise Lost(f"the second try leads elsewhere:\n{difference(led, expected)}")

    def _begin(self, prepared: Prepared) -> tuple[str, Life, http.client.HTTPConnection | None]:
        """A copy of the database, a memd on it, and the request on its way."""
        scenario = prepared.scenario
        while self.lives:
            self.lives.pop().kill()  # a round that failed may have left one
        database = self.cluster.create(prepared.database)
        (self.maker.folder / KEY_FILE).unlink(missing_ok=True)
        life = self._serve(prepared, database, target=scenario.target)
        if scenario.request is None:
            return database, life, None
        life.wait_ready()
        return database, life, life.send(scenario.request(prepared.facts), prepared.key)

    def _serve(self, prepared: Prepared, database: str, target: str | None = None) -> Life:
        scenario = prepared.scenario
        working = scenario.target.startswith("job ")
        life = self.maker.serve(self.cluster.of(database), target=target, working=working, ahead_s=scenario.ahead_s)
        self.lives.append(life)
        return life

    def _end(self, life: Life, database: str, *, restart: bool = False) -> None:
        life.kill()
        if restart:
            self.cluster.start()
        self.cluster.wait_quiet(database)

    def _checked(self, recording: Recording, database: str, expected: list[State]) -> State:
        """The state after a kill, which is one of those expected, and breaks no rule."""
        with psycopg.connect(self.cluster.of(database), autocommit=True) as connection:
            found = state_of(connection, recording.prepared.scenario.unstable)
            broken = set(broken_rules(connection)) - recording.prepared.broken
        if found not in expected:
            raise Lost(f"what was committed is not what is there:\n{difference(found, expected[0])}")
        if broken and not recording.prepared.scenario.in_steps:
            raise Lost("; ".join(broken))
        return found

    def _finish(self, prepared: Prepared, database: str, *, repeat: bool = False) -> State:
        """Start memd again, repeat the call if asked, let jobs end; the state afterwards."""
        scenario = prepared.scenario
        with psycopg.connect(self.cluster.of(database), autocommit=True) as connection:
            life = self._serve(prepared, database).wait_ready()
            if scenario.target == START:
                _check_key(life, (self.maker.folder / KEY_FILE).read_text().strip())
            elif scenario.request is None:
                _drain(connection)
            else:
                if repeat:
                    _answered(life.call(scenario.request(prepared.facts), prepared.key), repeated=True)
                _check_stats(life, prepared.key, connection)
            life.kill()
        self.cluster.wait_quiet(database)
        with psycopg.connect(self.cluster.of(database), autocommit=True) as connection:
            if broken := set(broken_rules(connection)) - prepared.broken:
                raise Lost(f"at the end: {'; '.join(broken)}")
            return state_of(connection)


def _reached(life: Life, reply: http.client.HTTPConnection | None) -> Iterator[str]:
    """The points of the watched write; those of a job end with DONE, those of a call with its reply."""
    while True:
        for point in life.points(reply):
            yield point
            if point == DONE:
                return
        if reply is not None or not life.port:
            return


def _is_recording(recording: Recording, kill: Kill, found: State) -> bool:
    """Whether a lost call left nothing behind: what follows would be the recording itself."""
    called = recording.prepared.scenario.request is not None
    return called and kill.way is Way.MEMD and found == recording.states[0]


def _answered(reply: tuple[int, bytes], *, repeated: bool = False) -> None:
    """A reply that is not a failure; neither is an error such as 404 to a repeated call."""
    status, body = reply
    if status >= 500 or (status >= 400 and not repeated):
        raise Lost(f"answered {status} {body[:300]!r}")


def _only(state: State, without: Collection[str]) -> State:
    return {name: rows for name, rows in state.items() if name not in without}


def _drain(connection: psycopg.Connection) -> None:
    deadline = time.monotonic() + DRAIN_S
    while (row := connection.execute(_WAITING).fetchone()) is not None and row[0]:
        if time.monotonic() > deadline:
            raise Lost("the job is not done again")
        time.sleep(0.02)


def _check_key(life: Life, key: str) -> None:
    status, _ = life.call(Request("GET", "/api/mcp/stats"), key)
    if status != 200:
        raise Lost(f"the key of the local user answers {status}")


def _check_stats(life: Life, key: str, connection: psycopg.Connection) -> None:
    """The statistics of the caller are the rows of all users who have any, which is the caller."""
    status, body = life.call(Request("GET", "/api/mcp/stats"), key)
    if status != 200:
        raise Lost(f"stats answers {status}")
    reply = json.loads(body)
    query = """
        SELECT count(*) FILTER (WHERE NOT archived), count(*) FILTER (WHERE archived) FROM memory JOIN api_key USING (user_id)
        WHERE knowledge_base_id IS NULL AND key_hash = encode(sha256(%s::bytea), 'hex')"""
    counted = connection.execute(query, [key.encode()]).fetchone()
    if (reply["total"], reply["archivedCount"]) != counted:
        raise Lost(f"stats tells {reply['total']}, there are {counted}")
