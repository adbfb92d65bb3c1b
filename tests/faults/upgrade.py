"""Migrations: killed after the statements of each, after its number is written, and around the commit of them all."""

import socket
from collections.abc import Callable, Iterator
from typing import Any, Final

import psycopg
from alembic.runtime.migration import HeadMaintainer

from memd.db.schema import migrate as migrating
from memd.db.schema.migrate import current, migrate
from tests.faults.cluster import Cluster
from tests.faults.lives import Life, Maker
from tests.faults.points import COMMITTED, COMMITTING, Probe
from tests.faults.rounds import Lost
from tests.faults.state import State, difference, state_of
from tests.support.old_release import OLD, fill

EMPTY: Final = "an empty database"
FILLED: Final = "the first release"
STARTS: Final = (EMPTY, FILLED)


def starts(cluster: Cluster) -> dict[str, str]:
    """The databases that are upgraded: an empty one, and one of the first release with rows in it."""
    filled = cluster.create()
    migrate(cluster.of(filled), OLD)
    with psycopg.connect(cluster.of(filled)) as connection:
        connection.execute("SET row_security = on")
        fill(connection)
    return {EMPTY: cluster.create(), FILLED: filled}


def rounds(maker: Maker, cluster: Cluster, start: str, database: str, wanted: Callable[[str], bool]) -> Iterator[str]:
    """Upgrade without a kill, then once for each wanted point with one: the points. `Lost` when an upgrade is half there."""
    before, revision = _state(cluster, database), current(cluster.of(database))
    whole = cluster.create(database)
    life = _upgrade(maker, cluster.of(whole))
    points: list[str] = []
    for point in life.points():
        points.append(point)
        life.go_on()
    life.kill()
    final = _state(cluster, whole)
    for index, point in enumerate(points):
        name = f"migrate {start}: {point}"
        if wanted(name):
            _killed(maker, cluster, database, index, name, (before, revision), final)
        yield name


def _killed(
    maker: Maker, cluster: Cluster, database: str, place: int, name: str, old: tuple[State, str | None], final: State
) -> None:
    copy = cluster.create(database)
    life = _upgrade(maker, cluster.of(copy))
    for number, _point in enumerate(life.points()):
        if number == place:
            break
        life.go_on()
    life.kill()
    cluster.wait_quiet(copy)
    found, revision = _state(cluster, copy), current(cluster.of(copy))
    expected = (final, migrating.head()) if name.endswith(COMMITTED) else old
    if (found, revision) != expected:
        raise Lost(f"{name}: at {revision}\n{difference(found, expected[0])}")
    migrate(cluster.of(copy))
    if (found := _state(cluster, copy)) != final:
        raise Lost(f"{name}: the second try leads elsewhere:\n{difference(found, final)}")
    cluster.drop(copy)


def _upgrade(maker: Maker, conninfo: str) -> Life:
    """A process that upgrades a database and stops at each point."""

    def work(channel: socket.socket) -> None:
        probe = Probe(channel)
        _watch(probe)
        migrate(conninfo)
        probe.reach(COMMITTED)

    return maker.fork(work)


def _watch(probe: Probe) -> None:
    real_step, real_upgrade = HeadMaintainer.update_to_step, migrating.command.upgrade

    def update_to_step(self: HeadMaintainer, step: Any) -> None:
        (revision,) = step.to_revisions_no_deps
        probe.reach(f"{revision}: statements run")
        real_step(self, step)
        probe.reach(f"{revision}: number written")

    def upgrade(*arguments: Any, **options: Any) -> None:
        real_upgrade(*arguments, **options)
        probe.reach(COMMITTING)

    HeadMaintainer.update_to_step = update_to_step
    migrating.command.upgrade = upgrade


def _state(cluster: Cluster, database: str) -> State:
    with psycopg.connect(cluster.of(database), autocommit=True) as connection:
        return state_of(connection)
