"""The resources of memd by its settings: a suitable Postgres, and the embedder."""

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg.conninfo import conninfo_to_dict

from memd.db.connections.libpq_environment import clear_libpq_environment
from memd.db.connections.server_wait import accepts_connections, wait_for_servers
from memd.db.embedded.server import EmbeddedPostgres, Meanwhile, has_cluster, nothing, running_conninfo
from memd.db.errors import (
    DatabaseUrlError,
    DataDirectoryInUseError,
    DataDirectoryNotUsableError,
    NoDatabaseError,
    NotServedError,
    ServerRequirementsError,
)
from memd.db.schema.login_check import check_logins
from memd.db.schema.logins import (
    SYSTEM_CONNECTIONS,
    Logins,
    behind_proxy,
    embedded_logins,
    separate_logins,
    shared_login,
)
from memd.db.schema.requirements import check_server, check_session
from memd.embed.providers.choose import BuiltIn, RemoteModel, load_cross_encoder, load_embedder
from memd.embed.providers.model_options import ModelOptions
from memd.embed.providers.provider import Embedder
from memd.logs import log
from memd.processes.counts import request_processes
from memd.settings import EmbedModel, Settings

if TYPE_CHECKING:
    from memd.embed.providers.cross_encoder import CrossEncoder

KEY_FILE = "local.key"
"""Where the data directory keeps the key of the first user."""
PAUSE_S = 2
"""Between two looks for the memd that serves a data directory."""
WORKER_CONNECTIONS = 20
"""Of a worker process: sessions, the job queue, the schedule."""
RESERVED_CONNECTIONS = 20
"""For commands, a `memd worker` and administration."""
MIN_CONNECTIONS = 60


@contextmanager
def database(
    settings: Settings,
    meanwhile: Meanwhile = nothing,
    patience_s: float = 0,
    while_awaited: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Generator[str]:
    """The conninfo of a checked Postgres: the external one, or the embedded one for as long as the block runs.

    `meanwhile` is called once, while the embedded one starts. An external one that is not up yet is awaited for
    `patience_s` seconds, in the context of `while_awaited`. Raises an error of `memd.db.errors`.
    """
    _check_addresses(settings)
    if settings.database_url is not None:
        logins = logins_of(settings, settings.database_url)
        servers = list(dict.fromkeys((logins.owner, logins.app.conninfo, logins.system.conninfo)))
        wait_for_servers(servers, patience_s, while_awaited)
        asyncio.run(_check(settings.database_url))
        check_logins(logins)
        meanwhile()
        yield settings.database_url
        return
    clear_libpq_environment()
    options = {"max_connections": str(_connections(settings))}
    if settings.database_cache_mb is not None:
        options["shared_buffers"] = f"{settings.database_cache_mb}MB"
    with EmbeddedPostgres(settings.data_dir, options, meanwhile) as server:
        yield server.conninfo


def _check_addresses(settings: Settings) -> None:
    for name in ("database_url", "database_app_url", "database_system_url", "database_pool_url"):
        try:
            conninfo_to_dict(getattr(settings, name) or "")
        except psycopg.ProgrammingError:
            raise DatabaseUrlError(f"MEMD_{name.upper()}") from None


def _connections(settings: Settings) -> int:
    """Connections that the embedded Postgres allows: the pools of all processes when they are full, and a reserve."""
    requests = request_processes(settings) * (settings.database_pool_size + SYSTEM_CONNECTIONS)
    return max(MIN_CONNECTIONS, requests + settings.worker_count * WORKER_CONNECTIONS + RESERVED_CONNECTIONS)


def logins_of(settings: Settings, owner: str) -> Logins:
    """The logins for the database that `owner`, a conninfo of `database`, names.

    ServerRequirementsError for settings that do not go together.
    """
    app, system, proxy = settings.database_app_url, settings.database_system_url, settings.database_pool_url
    if settings.database_url is None:
        if proxy is not None:
            raise ServerRequirementsError(
                ["MEMD_DATABASE_POOL_URL needs MEMD_DATABASE_URL, the server itself; set both"]
            )
        return embedded_logins(owner)
    if (app is None) != (system is None):
        raise ServerRequirementsError(["MEMD_DATABASE_APP_URL and MEMD_DATABASE_SYSTEM_URL go together; set both"])
    logins = shared_login(owner) if app is None or system is None else separate_logins(owner, app, system)
    return logins if proxy is None else behind_proxy(logins, proxy)


async def _check(conninfo: str) -> None:
    await check_session(conninfo)
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        await check_server(connection)


@contextmanager
def reachable_database(settings: Settings) -> Generator[str]:
    """As `database`; when a running memd serves the data directory, the Postgres of that memd.

    Raises NoDatabaseError instead of making a new cluster.
    """
    if settings.database_url is None and not has_cluster(settings.data_dir):
        raise NoDatabaseError(settings.data_dir)
    try:
        with database(settings) as conninfo:
            yield conninfo
    except DataDirectoryInUseError:
        yield running_conninfo(settings.data_dir)


@contextmanager
def served_database(settings: Settings, meanwhile: Meanwhile = nothing, patience_s: float = 0) -> Generator[str]:
    """As `database`, but the embedded one only while a memd serves it, which is awaited for `patience_s` seconds as well.

    Raises NoDatabaseError where there is none yet, NotServedError when no memd serves it in time.
    """
    if settings.database_url is not None:
        with database(settings, meanwhile, patience_s) as conninfo:
            yield conninfo
        return
    if not has_cluster(settings.data_dir):
        raise NoDatabaseError(settings.data_dir)
    clear_libpq_environment()
    deadline = time.monotonic() + patience_s
    while (served := _served_conninfo(settings.data_dir)) is None:
        if (left := deadline - time.monotonic()) <= 0:
            raise NotServedError(settings.data_dir)
        log.warning("memd.awaited", folder=str(settings.data_dir), secondsLeft=round(left))
        time.sleep(min(PAUSE_S, left))
    meanwhile()
    yield served


def _served_conninfo(data_dir: Path) -> str | None:
    """The Postgres of the memd that serves the data directory; None while none does."""
    try:
        conninfo = running_conninfo(data_dir)
    except DataDirectoryNotUsableError:
        return None
    return conninfo if accepts_connections(conninfo) else None


def make_embedder(settings: Settings, *, may_be_silent: bool = False) -> Embedder:
    """The embedder that the settings name, loaded; blocks for up to some seconds.

    With `may_be_silent` a remote one need not answer now.
    """
    return load_embedder(
        _choice(settings, may_be_silent=may_be_silent), data_dir=settings.data_dir, options=_options(settings)
    )


def make_cross_encoder(settings: Settings) -> "CrossEncoder | None":
    """The cross-encoder that the settings name, loaded, or None; blocks for up to some seconds."""
    return None if settings.rerank_model is None else load_cross_encoder(settings.rerank_model)


def _choice(settings: Settings, *, may_be_silent: bool) -> BuiltIn | RemoteModel | Path:
    match settings.embed_model:
        case EmbedModel.MINILM:
            return "minilm"
        case EmbedModel.WORDLLAMA:
            return "wordllama"
        case EmbedModel.REMOTE:
            return RemoteModel(
                settings.embed_url,
                settings.embed_name,
                settings.embed_key,
                settings.embed_timeout_s,
                settings.embed_query_timeout_s,
                settings.embed_dimensions or 0,
                may_be_silent,
            )
        case Path() as folder:
            return folder


def _options(settings: Settings) -> ModelOptions:
    return ModelOptions(
        pooling=settings.embed_pooling,
        query_prefix=settings.embed_query_prefix,
        document_prefix=settings.embed_document_prefix,
        max_tokens=settings.embed_max_tokens,
    )
