"""PgBouncer in transaction mode before an embedded Postgres, for tests; it shares few server connections among all."""

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memd.db.embedded.server import EmbeddedPostgres
from memd.db.embedded.service_user import NAME
from tests.support.loopback import free_port

SERVER_CONNECTIONS = 3
WAIT_S = 30.0


@contextmanager
def pgbouncer(server: EmbeddedPostgres, folder: Path) -> Generator[str]:
    """The conninfo of the server through a PgBouncer that runs for the block; the test is skipped where there is none."""
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip("pgbouncer is not installed (apt-get install pgbouncer)")
    known = conninfo_to_dict(server.conninfo)
    account = NAME if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    _admit(server, account)
    port = free_port()
    folder.mkdir()
    users = folder / "users.txt"
    users.write_text(f'"{known["user"]}" ""\n"memd_app" ""\n')
    ini = folder / "pgbouncer.ini"
    ini.write_text(f"""
[databases]
* = host={known["host"]} port={known.get("port", 5432)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = {SERVER_CONNECTIONS}
max_client_conn = 100
ignore_startup_parameters = extra_float_digits,options
""")
    for path in (folder, users, ini):
        path.chmod(0o755)
    command = [program, *(("-u", account) if os.geteuid() == 0 else ()), str(ini)]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as running:
        conninfo = make_conninfo(server.conninfo, host="127.0.0.1", port=port)
        try:
            _wait_for(conninfo, folder / "log")
            yield conninfo
        finally:
            running.terminate()


def _admit(server: EmbeddedPostgres, account: str) -> None:
    """Let a system user in by the rules of the cluster: PgBouncer does not run as root."""
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        row = connection.execute("SHOW ident_file").fetchone()
        assert row is not None
        with Path(row[0]).open("a") as file:
            file.write(f'memd "{account}" all\n')
        connection.execute("SELECT pg_reload_conf()")


def _wait_for(conninfo: str, log: Path) -> None:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        with suppress(psycopg.OperationalError), psycopg.connect(conninfo) as connection:
            connection.execute("SELECT 1")
            return
        time.sleep(0.1)
    raise AssertionError(f"pgbouncer does not answer: {log.read_text()}")
