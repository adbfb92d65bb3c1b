"""A Citus cluster on loopback for tests: a coordinator and workers, from the Postgres with Citus that is installed here."""

import itertools
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from memd.db.embedded.account import ServerAccount, server_account
from memd.db.schema.distribute import distribute
from memd.db.schema.logins import APP_ROLE, SYSTEM_ROLE
from memd.db.schema.migrate import migrate
from tests.support.loopback import free_port

HOST: Final = "127.0.0.1"
START_S: Final = 60.0
SHARDS: Final = 4
SETTINGS: Final[Mapping[str, str]] = {
    "shared_preload_libraries": "citus",
    "listen_addresses": HOST,
    "max_connections": "200",
    "max_prepared_transactions": "200",
    "shared_buffers": "128MB",
    "wal_level": "logical",
    "fsync": "off",
    "jit": "off",
}
_numbers = itertools.count(1)


def programs() -> Path | None:
    """The folder of a Postgres that has Citus: next to the `initdb` of PATH, or where Debian and PGDG install them."""
    found = [
        *(Path(folder) for folder in os.get_exec_path()),
        *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True),
        *sorted(Path("/usr").glob("pgsql-*/bin"), reverse=True),
    ]
    return next((f for f in found if (f / "initdb").exists() and (f.parent / "lib" / "citus.so").exists()), None)


@dataclass(slots=True)
class Node:
    """One server of the cluster."""

    folder: Path
    port: int
    programs: Path
    account: ServerAccount
    settings: Mapping[str, str] = field(default_factory=lambda: SETTINGS)
    process: subprocess.Popen[Any] | None = None

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        words = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        command = [self.programs / "postgres", "-D", self.folder, "-p", str(self.port), "-k", "", *words]
        with self.folder.with_suffix(".log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, **self.account.process_options())
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            with suppress(psycopg.OperationalError), psycopg.connect(self.conninfo("postgres")):
                return
            time.sleep(0.05)
        raise AssertionError(self.folder.with_suffix(".log").read_text()[-2000:])

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server: SIGINT in good order, SIGQUIT at once without a checkpoint."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(START_S)
            self.process = None

    def conninfo(self, database: str) -> str:
        """How to reach a database of this server as a superuser."""
        return make_conninfo(host=HOST, port=self.port, user="postgres", dbname=database)

    def prepare(self, database: str, *, citus: bool = True) -> None:
        """Make an empty database with the extensions."""
        with psycopg.connect(self.conninfo("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
        with psycopg.connect(self.conninfo(database), autocommit=True) as connection:
            if citus:
                connection.execute("CREATE EXTENSION citus")
            connection.execute("CREATE EXTENSION vector")


@dataclass(slots=True)
class Cluster:
    """The running nodes, the coordinator first."""

    folder: Path
    programs: Path
    account: ServerAccount
    nodes: list[Node] = field(default_factory=list[Node])

    @property
    def workers(self) -> list[Node]:
        """All nodes but the coordinator."""
        return self.nodes[1:]

    def start_node(self) -> Node:
        """One more server of the cluster, which no database counts among its nodes yet."""
        node = self.new_server(f"node-{len(self.nodes)}", free_port(), SETTINGS)
        self.nodes.append(node)
        return node

    def new_server(self, name: str, port: int, settings: Mapping[str, str]) -> Node:
        """A running server in a folder of its own."""
        folder = self.folder / name
        folder.mkdir()
        self.account.take(folder)
        initdb = [self.programs / "initdb", "-D", folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, **self.account.process_options())
        node = Node(folder, port, self.programs, self.account, settings)
        node.start()
        return node

    def add_worker(self, node: Node, database: str) -> None:
        """Make the server a worker of one database, as an operator does."""
        node.prepare(database)
        self.run(database, "SELECT citus_add_node(%s, %s)", HOST, node.port)

    def new_database(self) -> str:
        """The name of an empty database on all nodes, which know each other."""
        name = f"test_{next(_numbers)}"
        for node in self.nodes:
            node.prepare(name)
        self.run(name, "SELECT citus_set_coordinator_host(%s, %s)", HOST, self.nodes[0].port)
        for node in self.workers:
            self.run(name, "SELECT citus_add_node(%s, %s)", HOST, node.port)
        return name

    def new_memd(self) -> str:
        """The name of a database with the tables of memd, distributed, and roles that log in between the nodes."""
        name = self.new_database()
        migrate(self.conninfo(name))
        distribute(self.conninfo(name), SHARDS, lambda _: None)
        for role in (APP_ROLE, SYSTEM_ROLE):
            self.run(name, sql.SQL("ALTER ROLE {} LOGIN").format(sql.Identifier(role)))
        return name

    def conninfo(self, database: str) -> str:
        """How to reach the database on the coordinator."""
        return self.nodes[0].conninfo(database)

    def run(self, database: str, statement: "sql.Composed | str", *values: object) -> list[tuple[Any, ...]]:
        """The rows of a statement on the coordinator."""
        with psycopg.connect(self.conninfo(database), autocommit=True) as connection:
            query = sql.SQL(statement) if isinstance(statement, str) else statement
            found = connection.execute(query, values)
            return found.fetchall() if found.description else []


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Generator[Cluster]:
    """A running cluster for the block; the test is skipped where no Postgres with Citus is installed."""
    found = programs()
    if found is None:
        pytest.skip("no Postgres with Citus is installed (citus.so next to its other libraries)")
    folder.mkdir()
    folder.chmod(0o711)
    made = Cluster(folder, found, server_account(folder / "none"))
    try:
        for _ in range(workers + 1):
            made.start_node()
        yield made
    finally:
        for node in made.nodes:
            node.stop(signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def citus(request: pytest.FixtureRequest, enterable_folder: Path) -> Iterator[Cluster]:
    """The cluster that the tests of a session share."""
    if not request.config.getoption("--citus"):
        pytest.skip("tests on a Citus cluster run with --citus (make test-citus)")
    with cluster(enterable_folder / "citus") as running:
        yield running
