"""From a database and an embedder to running services: migrations, the model's number, the first user."""

import asyncio
import os
import stat
from collections.abc import AsyncGenerator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from memd.accounts import service as accounts
from memd.context import Services
from memd.db.schema import ensure_schema
from memd.db.session import Database
from memd.embed.provider import Embedder
from memd.embed.remote_watch import claim_model
from memd.resources import KEY_FILE
from memd.services import now_ms, running
from memd.settings import Settings


@dataclass(frozen=True, slots=True)
class Started:
    """A running memd: its services, and the key file when this start made it."""

    services: Services
    key_file: Path
    first_start: bool


@asynccontextmanager
async def started(settings: Settings, conninfo: str, loading: Future[Embedder]) -> AsyncGenerator[Started]:
    """Migrate, await the embedder, make the first user; then the services, until the block ends."""
    await asyncio.to_thread(ensure_schema, conninfo)
    embedder = await asyncio.wrap_future(loading)
    model = await asyncio.to_thread(claim_model, conninfo, embedder)
    async with running(settings, conninfo, embedder, model) as services:
        key_file = settings.data_dir / KEY_FILE
        first = await bootstrap(services.database, key_file)
        yield Started(services=services, key_file=key_file, first_start=first)


async def bootstrap(target: Database, key_file: Path) -> bool:
    """Make the local user and write its key once, readable by its owner only; whether this was the first start.

    The key is in the file before it is in the database: memd may be killed at any moment, and then the user would have
    a key that is stored nowhere. A key in the file alone is replaced at the next start.
    """
    return await accounts.bootstrap(target, now_ms(), lambda key: asyncio.to_thread(_write_key, key_file, key))


def _write_key(key_file: Path, key: str) -> None:
    key_file.parent.mkdir(parents=True, exist_ok=True)
    key_file.unlink(missing_ok=True)
    descriptor = os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    with os.fdopen(descriptor, "w") as file:
        file.write(key + "\n")
