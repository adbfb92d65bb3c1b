"""From settings to running services: database, migrations, first user, embedder, in this order."""

import asyncio
import os
import stat
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from memd.accounts import service as accounts
from memd.app import now_ms, running
from memd.context import Services
from memd.db.embedded import EmbeddedPostgres, running_conninfo
from memd.db.errors import DataDirectoryInUseError
from memd.db.requirements import check_server
from memd.db.schema import ensure_schema
from memd.db.session import Database
from memd.embed import models
from memd.embed.choose import load_embedder
from memd.embed.provider import Embedder
from memd.settings import Settings

KEY_FILE = "local.key"


@dataclass(frozen=True, slots=True)
class Started:
    """A running memd: its services, and the key file when this start made it."""

    services: Services
    key_file: Path
    first_start: bool


@contextmanager
def database(settings: Settings) -> Generator[str]:
    """A suitable Postgres as a conninfo: the outside one, or the embedded one for as long as the block runs."""
    if settings.database_url is not None:
        asyncio.run(_check(settings.database_url))
        yield settings.database_url
        return
    with EmbeddedPostgres(settings.data_dir) as server:
        yield server.conninfo


async def _check(conninfo: str) -> None:
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        await check_server(connection)


@contextmanager
def reachable_database(settings: Settings) -> Generator[str]:
    """As `database`; when a running memd serves the data directory, its own Postgres beside it."""
    try:
        with database(settings) as conninfo:
            yield conninfo
    except DataDirectoryInUseError:
        yield running_conninfo(settings.data_dir)


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name, loaded; blocks for up to some seconds."""
    return load_embedder(
        settings.embed_model.value,
        data_dir=settings.data_dir,
        url=settings.embed_url,
        model=settings.embed_name,
        key=settings.embed_key,
        timeout_s=settings.embed_timeout_s,
    )


@asynccontextmanager
async def started(settings: Settings, conninfo: str) -> AsyncGenerator[Started]:
    """Migrate, load the embedder, make the first user; then the services, until the block ends."""
    _, embedder = await asyncio.gather(
        asyncio.to_thread(ensure_schema, conninfo), asyncio.to_thread(make_embedder, settings)
    )
    model = await asyncio.to_thread(models.claim, conninfo, embedder.name, embedder.dimensions)
    async with running(settings, conninfo, embedder, model) as services:
        key_file = settings.data_dir / KEY_FILE
        first = await bootstrap(services.database, key_file)
        yield Started(services=services, key_file=key_file, first_start=first)


async def bootstrap(target: Database, key_file: Path) -> bool:
    """Make the local user and write its key once, readable by its owner only; whether this was the first start."""
    key = await accounts.bootstrap(target, now_ms())
    if key is not None:
        await asyncio.to_thread(_write_key, key_file, key)
    return key is not None


def _write_key(key_file: Path, key: str) -> None:
    key_file.parent.mkdir(parents=True, exist_ok=True)
    key_file.unlink(missing_ok=True)
    descriptor = os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    with os.fdopen(descriptor, "w") as file:
        file.write(key + "\n")
