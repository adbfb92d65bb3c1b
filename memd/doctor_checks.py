"""The checks of `memd doctor` on the machine of the daemon: each reports what it found, and how to fix it.

The few statements are here rather than in a store: the tables may be absent, or those of another release.
"""

import hashlib
import os
import shutil
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import psycopg

from memd.db.errors import DatabaseStartError, NoDatabaseError, ServerRequirementsError
from memd.db.remedies import remedy
from memd.db.schema import migrate
from memd.db.schema.distribute import SILENT_NODES, local_copies, tables_binding_owner, waiting_tables
from memd.db.schema.leakproof import MARK_LEAKPROOF, is_leakproof
from memd.db.schema.login_check import check_logins, login_facts
from memd.db.schema.logins import APP_ROLE, SYSTEM_ROLE, Logins
from memd.domain.dates.calendar_day import clock_time, iso_day
from memd.embed.providers.provider import EmbedError
from memd.listener import AddressInUseError, check_free
from memd.local_socket import STATE_FILE
from memd.resources import KEY_FILE, logins_of, make_embedder, reachable_database
from memd.settings import Settings, unknown_names

GIB = 2**30
LITTLE_DISK, NO_DISK = 2 * GIB, GIB // 4
_MODEL = "SELECT name, dimensions FROM embedding_model WHERE current"
_KEY = "SELECT active FROM api_key WHERE key_hash = %s"
_FAILED = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'failed'"


class State(StrEnum):
    """How a check went."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: what was found and, after a failure, how to fix it."""

    check: str
    state: State
    found: str
    fix: str = ""


def run_checks(settings: Settings) -> Iterator[Finding]:
    """Run every check; a database that does not run is started for the duration of the checks."""
    yield _variables()
    yield _time_zone(settings)
    yield _disk(settings.data_dir)
    yield _address(settings)
    try:
        with reachable_database(settings) as conninfo:
            yield from _inspect_database(settings, conninfo)
    except NoDatabaseError:
        found = f"none in {settings.data_dir}"
        fix = "memd serve creates one at its first start; if memd has run on this machine, name its --data-dir"
        yield Finding("database", State.WARNING, found, fix)
    except DatabaseStartError as error:
        yield Finding("database", State.FAILED, str(error), _database_fix(settings, str(error), ""))
    except psycopg.Error as error:
        asked = "is MEMD_DATABASE_URL right, and the server up?"
        yield Finding("database", State.FAILED, _line(error), _database_fix(settings, str(error), asked))


def _database_fix(settings: Settings, failure: str, of_a_server: str) -> str:
    """What to do about a database that cannot be used; `of_a_server` is said of one that MEMD_DATABASE_URL names."""
    otherwise = of_a_server if settings.database_url else f"{settings.data_dir / 'postgres.log'} says more"
    return remedy(failure) or otherwise


def _line(error: psycopg.Error) -> str:
    return " ".join(str(error).split())


def _variables() -> Finding:
    unknown = unknown_names()
    if unknown:
        return Finding(
            "settings", State.WARNING, f"unknown: {', '.join(unknown)}", "see docs/settings.md for the names"
        )
    return Finding("settings", State.OK, "all names are known")


def _time_zone(settings: Settings) -> Finding:
    """The zone of relative days and the time that it is there; also the machine's time, if that is another one."""
    now = time.time_ns() // 1_000_000
    there, here = settings.time_zone.local(now), now + time.localtime().tm_gmtoff * 1000
    found = f"{settings.time_zone}, where it is {iso_day(there)} {clock_time(there)}"
    if here != there:
        found += f"; here it is {iso_day(here)} {clock_time(here)} (MEMD_TIME_ZONE sets the zone)"
    return Finding("zone", State.OK, found)


def _disk(folder: Path) -> Finding:
    existing = next(each for each in (folder, *folder.resolve().parents) if each.exists())
    free = shutil.disk_usage(existing).free
    if not os.access(existing, os.W_OK):
        fix = "run memd doctor as the user who runs memd; if that is you, make the folder writable, or choose another --data-dir"
        return Finding("disk", State.FAILED, f"{existing} is not writable", fix)
    found = f"{free / GIB:,.1f} GiB free for {folder}"
    if free < NO_DISK:
        return Finding("disk", State.FAILED, found, "make room: Postgres stops when its disk is full")
    return (
        Finding("disk", State.WARNING, found, "make room soon")
        if free < LITTLE_DISK
        else Finding("disk", State.OK, found)
    )


def _address(settings: Settings) -> Finding:
    """The address is free, or the memd of this data directory listens on it."""
    try:
        check_free(settings.host, settings.port)
    except AddressInUseError as error:
        try:
            state = (settings.data_dir / STATE_FILE).read_text("utf-8")
        except OSError:
            state = ""
        if f'"port": {settings.port},' not in state:
            found = f"{str(error).partition(';')[0]}, and not by the memd of this data directory"
            return Finding("address", State.WARNING, found, "stop what listens there, or: memd serve --port PORT")
        return Finding("address", State.OK, f"memd serves on {settings.host}:{settings.port}")
    return Finding("address", State.OK, f"{settings.host}:{settings.port} is free")


def _inspect_database(settings: Settings, conninfo: str) -> Iterator[Finding]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        version = connection.info.server_version
        row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
        pgvector = f", pgvector {row[0]}" if row else ""
        yield Finding("database", State.OK, f"PostgreSQL {version // 10_000}.{version % 10_000}{pgvector}")
        logins = logins_of(settings, conninfo)
        yield _logins(logins)
        if settings.database_pool_url is not None:
            yield _proxy(logins)
        yield _word_search(connection)
        revision = migrate.current(conninfo)
        if revision is None:
            yield Finding("tables", State.WARNING, "none yet", "memd serve creates them at its first start")
            return
        yield _tables(revision)
        yield from _nodes(connection)
        yield _key_file(connection, settings.data_dir / KEY_FILE)
        yield _queue(connection)
        yield _model(settings, _stored_model(connection))


def _logins(logins: Logins) -> Finding:
    """Requests and jobs log in with least privilege."""
    if logins.app.role is None:
        try:
            check_logins(logins)
        except ServerRequirementsError as error:
            return Finding(
                "logins", State.FAILED, "; ".join(error.missing), "see docs/settings.md, MEMD_DATABASE_APP_URL"
            )
        return Finding("logins", State.OK, "requests and jobs have separate logins")
    facts = login_facts(logins.owner)
    what = "a superuser" if facts.unbound else "the owner of the tables"
    found = f"requests and jobs log in as {facts.name}, {what}, restricted only by SET ROLE"
    fix = (
        f"ALTER ROLE {APP_ROLE} LOGIN PASSWORD '…'; ALTER ROLE {SYSTEM_ROLE} LOGIN PASSWORD '…'; "
        "then set MEMD_DATABASE_APP_URL and MEMD_DATABASE_SYSTEM_URL"
    )
    return Finding("logins", State.WARNING, found, fix)


def _proxy(logins: Logins) -> Finding:
    """Requests get a connection through the proxy in front of the server."""
    try:
        with psycopg.connect(logins.app.conninfo, autocommit=True, connect_timeout=5) as connection:
            connection.execute("SELECT")
    except psycopg.Error as error:
        return Finding("proxy", State.FAILED, _line(error), "is MEMD_DATABASE_POOL_URL right, and the proxy up?")
    return Finding("proxy", State.OK, "MEMD_DATABASE_POOL_URL reaches the database")


def _word_search(connection: psycopg.Connection) -> Finding:
    """Whether the index of words may be used below row-level security."""
    if is_leakproof(connection):
        return Finding("words", State.OK, "full-text search uses its index")
    found = "full-text search reads all rows of a user: slower from about 10,000 memories on, with the same results"
    return Finding("words", State.WARNING, found, f"as a superuser in this database: {MARK_LEAKPROOF};")


def _tables(revision: str) -> Finding:
    if revision == migrate.head():
        return Finding("tables", State.OK, f"at the newest revision, {revision}")
    if migrate.knows(revision):
        return Finding(
            "tables", State.WARNING, f"at revision {revision}", "run memd migrate, or start memd, which migrates them"
        )
    return Finding("tables", State.FAILED, f"at revision {revision}, of a newer memd", "install that release")


def _nodes(connection: psycopg.Connection) -> Iterator[Finding]:
    """Where Citus is installed: every table of users is distributed, and every node answers."""
    if connection.execute("SELECT FROM pg_extension WHERE extname = 'citus'").fetchone() is None:
        return
    local = waiting_tables(connection)
    if local:
        distribute = "memd migrate --distribute, while memd is stopped"
        yield Finding("nodes", State.WARNING, f"not distributed: {', '.join(local)}", distribute)
    elif copies := local_copies(connection):
        found = f"an interrupted run left rows on the coordinator, which erasure does not reach: {', '.join(copies)}"
        yield Finding("nodes", State.WARNING, found, "memd migrate --distribute")
    if bound := tables_binding_owner(connection):
        found = f"row policies bind the owner, so these cannot move between nodes: {', '.join(bound)}"
        yield Finding("nodes", State.WARNING, found, "memd migrate --distribute")
    silent = [name for (name,) in connection.execute(SILENT_NODES).fetchall()]
    if silent:
        yield Finding("nodes", State.FAILED, f"not answering: {', '.join(silent)}", "start them; their users get 503")
    elif not local:
        yield Finding("nodes", State.OK, "every table with user data is distributed, every node answers")


def _key_file(connection: psycopg.Connection, path: Path) -> Finding:
    """The local key is there, private, and works."""
    try:
        key = path.read_bytes().strip()
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return Finding("key", State.WARNING, f"no {path}", "memd key create creates one")
    except OSError as error:
        return Finding("key", State.WARNING, f"{path}: {error.strerror}", "run memd doctor as the user who runs memd")
    row = connection.execute(_KEY, [hashlib.sha256(key).hexdigest()]).fetchone()
    if row is None or not row[0]:
        return Finding("key", State.WARNING, f"{path} is not a live key of this database", "memd key create")
    if mode & 0o077:
        return Finding("key", State.WARNING, f"{path} is readable by others", f"chmod 600 {path}")
    return Finding("key", State.OK, str(path))


def _queue(connection: psycopg.Connection) -> Finding:
    row = connection.execute(_FAILED).fetchone()
    failed = row[0] if row else 0
    if failed:
        return Finding(
            "queue", State.WARNING, f"{failed} jobs failed permanently", "memctl jobs list; the log says why"
        )
    return Finding("queue", State.OK, "no failed jobs")


def _stored_model(connection: psycopg.Connection) -> str | None:
    """The model that computed the stored vectors."""
    row = connection.execute(_MODEL).fetchone()
    return f"{row[0]} ({row[1]}-d)" if row else None


def _model(settings: Settings, stored: str | None) -> Finding:
    """The configured embedder loads, and is the one that computed the vectors."""
    try:
        embedder = make_embedder(settings)
    except EmbedError as error:
        return Finding("model", State.FAILED, str(error), "run memd model install, or check MEMD_EMBED_MODEL")
    configured = f"{embedder.name} ({embedder.dimensions}-d)"
    if stored not in {None, configured}:
        found = f"{configured}, but the stored vectors are from {stored}"
        return Finding("model", State.FAILED, found, "run memd reembed, or go back to the old MEMD_EMBED_MODEL")
    return Finding("model", State.OK, configured)
