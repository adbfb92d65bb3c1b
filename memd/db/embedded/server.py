"""The bundled Postgres: one private server per data directory, with the lifetime of memd.

`<data_dir>/postgres` is the cluster, `postgres.log` its log, `memd.lock` the lock that makes memd its only server. The
server listens on a socket in a private folder and nowhere else. Whatever ends memd ends the server: an orderly `stop`,
or the kernel's signal after a kill. A server that ends by itself is started again. An acknowledged commit survives both
ends being killed: fsync, full_page_writes and checksums keep PostgreSQL's defaults.
"""

import asyncio
import os
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from memd.db.embedded.account import SHARED, ServerAccount, server_account, shared_uid
from memd.db.embedded.binaries import programs_for
from memd.db.embedded.buffer_cache import shared_buffers
from memd.db.embedded.cluster import (
    SUPERUSER,
    clear_socket_folder,
    create_data_directory,
    ensure_cluster,
    make_socket_folder,
)
from memd.db.embedded.hba_rules import write_hba_rules
from memd.db.embedded.lock import DataDirectoryLock
from memd.db.embedded.ownership import change_owner
from memd.db.embedded.postmaster import Postmaster, clear_leftovers
from memd.db.embedded.restarts import RestartedPostmaster
from memd.db.errors import DataDirectoryNotUsableError, PostgresFailedError
from memd.db.schema.logins import APP_ROLE, SYSTEM_ROLE
from memd.logs import log

DATABASE = "memd"
PORT = 5432
"""Names the socket; the server has no address."""
CONNECT_TIMEOUT_S = 10
"""How long a new connection may take; psycopg would wait for two minutes."""
SOCKET_LINE = 4
"""Where postmaster.pid names the socket folder, counted from 0."""
SHARED_MEMORY_BYTES = 2_300_000_000

SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "cluster_name": "memd",
    "max_connections": "60",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "512MB",  # an HNSW graph of 100,000 vectors fits
    "autovacuum_work_mem": "64MB",
    "autovacuum_naptime": "10s",  # a new database plans without statistics until the first ANALYZE
    "huge_pages": "off",
    "jit": "off",  # compiling costs more than any statement of ours takes
    "random_page_cost": "1.1",  # solid-state disks
    "max_wal_size": "1GB",
    "min_wal_size": "64MB",
    "checkpoint_timeout": "15min",
    "max_logical_replication_workers": "0",
    "TimeZone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",  # the supervisor reads them
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
    "log_error_verbosity": "terse",  # details would quote users' memories
    "log_min_error_statement": "panic",  # statements would, too
}
"""Server settings for a daemon on a laptop, idle most of the time; `options` of EmbeddedPostgres come after them."""

Meanwhile = Callable[[], object]


def nothing() -> None:
    """The default work while Postgres starts: none."""


class EmbeddedPostgres:
    """The server of one data directory: `start` and `stop`, or a context manager, plain or async."""

    def __init__(
        self,
        data_dir: Path,
        options: Mapping[str, str] | None = None,
        meanwhile: Meanwhile = nothing,
    ) -> None:
        """Nothing is touched before `start`, which calls `meanwhile` while Postgres starts.

        `options` are server settings that override SETTINGS.
        """
        self._data_dir = data_dir.resolve()
        self._options = {**SETTINGS, "shared_buffers": shared_buffers(), **(options or {})}
        self._meanwhile = meanwhile
        self._postmaster: RestartedPostmaster | None = None
        self._undo = ExitStack()
        self.conninfo = ""

    @property
    def pid(self) -> int | None:
        """The process id of the running server, None when it does not run."""
        return self._postmaster.pid if self._postmaster is not None else None

    def start(self) -> str:
        """Start the server, making the cluster on first use, and return a psycopg conninfo for database `memd`.

        Blocks for half a second on first use, less on later starts, seconds after a crash; may run in any thread.
        Raises an error of `memd.db.errors`, each with a sentence for the user.
        """
        with ExitStack() as undo:
            with self._translated():
                self._postmaster = self._prepare(undo)
                self._postmaster.start()
            self._meanwhile()
            with self._translated():
                self._postmaster.wait_ready()
                self._create_database()
            self._undo = undo.pop_all()
        return self.conninfo

    def stop(self) -> None:
        """Shut the server down fast, wait for its end and release the data directory; a no-op when it is not running."""
        self._undo.close()
        self._postmaster = None

    @contextmanager
    def _translated(self) -> Generator[None]:
        """Translate errors in the block into those of `memd.db.errors`."""
        try:
            yield
        except OSError as failure:
            raise DataDirectoryNotUsableError(f"Postgres cannot start in {self._data_dir}: {failure}") from failure
        except psycopg.Error as failure:
            raise PostgresFailedError(f"Postgres cannot serve {self._data_dir}: {failure}") from failure

    def _prepare(self, undo: ExitStack) -> RestartedPostmaster:
        """Take the data directory and make the cluster; its postmaster, not started yet."""
        cluster = self._data_dir / "postgres"
        account = server_account(cluster)
        create_data_directory(self._data_dir, account)
        lock = DataDirectoryLock(self._data_dir)
        lock.acquire()
        undo.callback(lock.release)
        programs = programs_for(account, self._data_dir)
        clear_leftovers(cluster)
        _take_over(cluster, account)
        ensure_cluster(cluster, programs, account)
        access = write_hba_rules(self._data_dir, account)
        socket = make_socket_folder(self._data_dir, account)
        undo.callback(_remove, socket)
        settings = {
            "dynamic_shared_memory_type": _shared_memory(),
            "recovery_init_sync_method": _recovery_sync(os.uname()),
            **access,
            **self._options,
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        command = [programs / "postgres", "-D", cluster, "-k", socket, *words]
        self.conninfo = _conninfo(str(socket))

        def launch() -> Postmaster:
            postmaster = Postmaster(command, account, cluster, self._data_dir / "postgres.log")
            postmaster.start()
            return postmaster

        def clear() -> None:
            clear_leftovers(cluster)
            clear_socket_folder(socket)

        postmaster = RestartedPostmaster(launch, clear)
        undo.callback(postmaster.stop)
        return postmaster

    def _create_database(self) -> None:
        with psycopg.connect(self.conninfo, dbname="postgres", autocommit=True) as connection:
            _create_logins(connection)
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).rowcount:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.start)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.stop)


def _take_over(cluster: Path, account: ServerAccount) -> None:
    """Give a cluster of the user that other services share to the one that is Postgres's own."""
    if account.other and cluster.is_dir() and (owner := cluster.lstat().st_uid) == shared_uid() != account.uid:
        change_owner(cluster, owner, account)
        log.warning("postgres.handed_over", cluster=str(cluster), before=SHARED, after=account.name)


def _create_logins(connection: psycopg.Connection) -> None:
    """The logins of memd's sessions: they own nothing and may do what the migrations grant."""
    known = dict(connection.execute("SELECT rolname, rolcanlogin FROM pg_roles").fetchall())
    for role in (APP_ROLE, SYSTEM_ROLE):
        if not known.get(role):
            verb = sql.SQL("ALTER" if role in known else "CREATE")
            connection.execute(sql.SQL("{} ROLE {} LOGIN").format(verb, sql.Identifier(role)))


def has_cluster(data_dir: Path) -> bool:
    """Whether a cluster was made in the data directory; also True when this user may not look into it."""
    try:
        return (data_dir / "postgres").is_dir()
    except PermissionError:
        return True


def running_conninfo(data_dir: Path) -> str:
    """The conninfo of the server that a running memd keeps on `data_dir`; DataDirectoryNotUsableError when none does."""
    status = data_dir.resolve() / "postgres" / "postmaster.pid"
    try:
        folder = status.read_text().splitlines()[SOCKET_LINE]
    except (OSError, IndexError) as failure:
        raise DataDirectoryNotUsableError(f"No Postgres of memd runs on {data_dir}") from failure
    return _conninfo(folder)


def _conninfo(socket: str) -> str:
    """The server whose socket is in this folder; one that is frozen accepts connections and answers nothing."""
    return make_conninfo(host=socket, port=PORT, user=SUPERUSER, dbname=DATABASE, connect_timeout=CONNECT_TIMEOUT_S)


def _shared_memory() -> str:
    """`posix` where /dev/shm holds an index being built by several processes, else files of the cluster.

    Containers often have 64 MB there, and building an HNSW index in parallel asks for all of maintenance_work_mem.
    """
    with suppress(OSError):
        device = os.statvfs("/dev/shm")  # noqa: S108 - asked for its size
        return "posix" if device.f_bavail * device.f_frsize >= SHARED_MEMORY_BYTES else "mmap"
    return "posix"


def _recovery_sync(system: os.uname_result) -> str:
    """How the files of the cluster are written to disk before a recovery: all at once where that reports errors (Linux 5.8).

    One after the other, the 1,500 files of a small cluster take seconds on a busy disk.
    """
    version = [int(part) for part in re.findall(r"\d+", system.release)[:2]]
    return "syncfs" if system.sysname == "Linux" and version >= [5, 8] else "fsync"


def _remove(folder: Path) -> None:
    clear_socket_folder(folder)
    with suppress(OSError):
        folder.rmdir()
