"""`make walk OF=recall`: what one warm request runs through, in a memd of its own that is gone afterwards.

`python -m tests.walk recall import` walks the named ones, all of them without a name; `--counts` prints the counts only.
Functions that run in the embedder's own thread are not followed. Of the counts, `rooms` is what the request has of its
own, `shared` what every request uses (access, sessions, embedding), `pure` the domain and the wire types. `opened` are the
functions of rooms that another file calls: what a reader opens one after the other.
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import structlog

from memctl.client import MemdClient
from memd.app import build
from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.domain.types import Policy
from memd.settings import Settings
from tests.support.service import BASE, HOST, STILL, TestUser, add_user, serving
from tests.walk.requests import REQUESTS
from tests.walk.trace import Tracer, Walk


async def walk(tracer: Tracer, services: Services, user: TestUser, name: str) -> Walk:
    """The walk of one named request."""
    return await tracer.record(await REQUESTS[name].prepare(services, user))


@asynccontextmanager
async def new_user(services: Services) -> AsyncGenerator[TestUser]:
    """An unmetered user with a client in this process."""
    user_id, key = await add_user(services, policy=Policy.SELF_HOSTED_UNMETERED)
    transport = httpx.ASGITransport(build(services))
    async with httpx.AsyncClient(
        transport=transport, base_url=BASE, headers={"Authorization": f"Bearer {key}"}
    ) as http:
        yield TestUser(user_id, key, MemdClient(BASE, key, transport=transport), http)


async def _print_walks(names: list[str], settings: Settings, conninfo: str, *, counts_only: bool) -> None:
    with Tracer().installed() as tracer:
        async with serving(settings, conninfo) as services:
            for name in names:
                async with new_user(services) as user:
                    found = await walk(tracer, services, user, name)
                if not counts_only:
                    print("\n".join(found.lines()))
                print(f"{name}: {_counts(found)}; from its handler on: {_counts(found.below(REQUESTS[name].handler))}")


def _counts(found: Walk) -> str:
    """Functions and files by layer; properties, constructors and inner functions count with what surrounds them."""
    functions = [step for step in found.steps if not step.accessory]
    parts = [f"{len(functions)} functions in {len(found.files)} files"]
    for layer in ("rooms", "shared", "pure"):
        own = [step for step in functions if step.layer == layer]
        parts.append(f"{layer} {len(own)} in {len({step.file for step in own})}")
    parts.append(f"opened {len(found.opened)} in {len({step.file for step in found.opened})}")
    return f"{parts[0]} ({', '.join(parts[1:])}); {len(found.climbs)} climbs back"


def main() -> None:
    """Walk the requests that the command line names."""
    names = [name for name in sys.argv[1:] if not name.startswith("--")] or [*REQUESTS]
    unknown = set(names) - set(REQUESTS)
    if unknown:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(REQUESTS)}")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    folder = Path(tempfile.mkdtemp(prefix="memd-walk-", dir="/tmp"))
    folder.chmod(0o711)
    try:
        with EmbeddedPostgres(folder / "server") as server:
            migrate(server.conninfo)
            settings = Settings(data_dir=folder / "data", schedule=STILL, allowed_hosts=[HOST])
            asyncio.run(_print_walks(names, settings, server.conninfo, counts_only="--counts" in sys.argv))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
