"""Turns a database and an embedder into running services: migrations, the model's number, the first user."""

import asyncio
import os
import stat
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from memd.accounts import service as accounts
from memd.context import Services
from memd.db.engine import open_pools
from memd.db.errors import NoAdministratorError, NoSchemaError
from memd.db.schema.upgrade import ensure_schema
from memd.db.session import Database
from memd.embed.models import stored_dimensions
from memd.embed.providers.provider import Embedder
from memd.embed.providers.remote_watch import claim_model
from memd.logs import log
from memd.resources import KEY_FILE, logins_of, reachable_database
from memd.services import now_ms, running
from memd.settings import Settings


@dataclass(frozen=True, slots=True)
class Started:
    """A running memd: its services, and the key file when this start made it."""

    services: Services
    key_file: Path
    first_start: bool


@asynccontextmanager
async def started(
    settings: Settings,
    conninfo: str,
    loading: Future[Embedder],
    while_upgrading: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> AsyncGenerator[Started]:
    """Migrate, await the embedder, make the first user; then the services, until the block ends.

    Existing tables are changed in the context of `while_upgrading`. A start that the embedder's model rules out does not
    upgrade the database first: the earlier release still runs on it.
    """

    def refuse_other_model() -> None:
        stored_dimensions(conninfo, loading.result().name)

    await asyncio.to_thread(ensure_schema, conninfo, refuse_other_model, while_upgrading)
    embedder = await asyncio.wrap_future(loading)
    model = await asyncio.to_thread(claim_model, conninfo, embedder)
    async with running(settings, conninfo, embedder, model) as services:
        key_file = settings.data_dir / KEY_FILE
        first = await bootstrap(services.database, key_file)
        yield Started(services=services, key_file=key_file, first_start=first)


async def bootstrap(target: Database, key_file: Path) -> bool:
    """Make the local user and write its key once, readable by its owner only; returns whether this was the first start.

    The key is in the file before it is in the database: memd may be killed at any moment, and then the user would have
    a key that is stored nowhere. A key in the file alone is replaced at the next start.
    """
    return await accounts.bootstrap(target, now_ms(), lambda key: asyncio.to_thread(_write_key, key_file, key))


def make_local_key(settings: Settings) -> tuple[str, Path]:
    """Write a new key of an administrator to `local.key`, with or without a running memd; the user's name and the file.

    The way back when no key that can administrate memd is left: it asks for none, only for the rights of the database's
    owner. Raises an error of `memd.db.errors`.
    """
    from memd.db.schema.migrate import current  # Alembic takes a third of a second to load

    key_file = settings.data_dir / KEY_FILE
    with reachable_database(settings) as conninfo:
        if current(conninfo) is None:
            raise NoSchemaError
        return asyncio.run(_make_local_key(settings, conninfo, key_file)), key_file


async def _make_local_key(settings: Settings, conninfo: str, key_file: Path) -> str:
    async with open_pools(logins_of(settings, conninfo)) as pools:
        database = Database(pools, lambda *_: [])
        name = await accounts.make_local_key(
            database, now_ms(), lambda key: asyncio.to_thread(_write_key, key_file, key)
        )
    if name is None:
        raise NoAdministratorError
    return name


def _write_key(key_file: Path, key: str) -> None:
    """Write the key file for the owner of its folder.

    One that is there is kept under a number: it may be the only copy of another database's key.
    """
    key_file.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(key_file):
        numbered = (key_file.with_name(f"{KEY_FILE}.{number}") for number in count(1))
        kept = next(path for path in numbered if not os.path.lexists(path))
        key_file.rename(kept)
        log.warning("key.set_aside", file=str(kept))
    descriptor = os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    with os.fdopen(descriptor, "w") as file:
        if os.geteuid() == 0:  # an operator for a memd that runs as another user
            folder = key_file.parent.stat()
            os.fchown(descriptor, folder.st_uid, folder.st_gid)
        file.write(key + "\n")
