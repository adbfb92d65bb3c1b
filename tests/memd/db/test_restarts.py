"""A postmaster that ends by itself is started again; one that is stopped is not."""

import os
import signal
from pathlib import Path

import psycopg
import pytest

from memd.db.embedded.server import EmbeddedPostgres
from tests.support.waiting import wait_until

ROUNDS = {signal.SIGKILL: 2, signal.SIGQUIT: 1, signal.SIGTERM: 1}
"""How often a postmaster is ended in a test; one that was started again is ended, too."""


def other_than(server: EmbeddedPostgres, pid: int) -> bool:
    """Whether another postmaster than this one accepts connections."""
    if server.pid in {None, pid}:
        return False
    try:
        psycopg.connect(server.conninfo).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.mark.parametrize("number", list(ROUNDS))
def test_a_postmaster_that_ends_is_started_again(data_dir: Path, number: signal.Signals) -> None:
    with EmbeddedPostgres(data_dir) as server:
        with psycopg.connect(server.conninfo, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept (number int)")
        for round_ in range(ROUNDS[number]):
            with psycopg.connect(server.conninfo, autocommit=True) as connection:
                connection.execute("INSERT INTO kept VALUES (%s)", [round_])
            pid = server.pid
            assert pid is not None
            os.kill(pid, number)
            wait_until(lambda pid=pid: other_than(server, pid))
        with psycopg.connect(server.conninfo) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (ROUNDS[number],)
        last = server.pid
        assert last is not None
    assert server.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(last, 0)


def test_a_server_that_cannot_be_restarted_yet_can_be_stopped(data_dir: Path) -> None:
    server = EmbeddedPostgres(data_dir)
    server.start()
    configuration = data_dir / "postgres" / "postgresql.conf"
    configuration.write_text(configuration.read_text() + "\nno_such_setting = 1\n")
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    wait_until(lambda: "no_such_setting" in (data_dir / "postgres.log").read_text())
    server.stop()
    assert server.pid is None
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.conninfo)


def test_a_server_that_failed_several_times_comes_back(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        configuration = data_dir / "postgres" / "postgresql.conf"
        right = configuration.read_text()
        configuration.write_text(right + "\nno_such_setting = 1\n")
        pid = server.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: (data_dir / "postgres.log").read_text().count("no_such_setting") >= 3)
        configuration.write_text(right)
        wait_until(lambda: other_than(server, pid))


def test_a_server_whose_log_cannot_be_opened_serves_all_the_same(data_dir: Path) -> None:
    (data_dir / "postgres.log").unlink()
    (data_dir / "postgres.log").mkdir()
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.conninfo) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
