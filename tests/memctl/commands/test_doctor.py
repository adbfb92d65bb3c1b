"""The findings of `memctl doctor` about a server that is not as it should be."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest
from click.testing import CliRunner, Result
from starlette.types import ASGIApp, Receive, Scope, Send

from memctl.main import cli
from memd.app import build
from memd.context import Services
from memd.db.engine import open_pools
from memd.db.schema.logins import embedded_logins
from memd.db.schema.migrate import migrate
from memd.db.session import Database
from memd.domain.dates.time_window import DAY_MS
from memd.embed.models import CurrentModel
from memd.schedule import clock_jump
from tests.memctl.conftest import Beside
from tests.support.service import BASE, TestUser

AHEAD = "set ahead by 24 h; nothing is deleted by age for 24 h of running time, or until the clock is corrected"
BACK = "set back by 24 h; new rows get its timestamps until it is corrected"


async def told(app: ASGIApp, key: str) -> Result:
    """The findings of `memctl doctor` about a service with a key."""
    call = partial(CliRunner().invoke, cli, ["--url", BASE, "--api-key", key, "doctor"])
    return await asyncio.to_thread(call, obj=Beside(asyncio.get_running_loop(), app), catch_exceptions=False)


@pytest.mark.usefixtures("home")
async def test_a_database_that_is_away_is_one_failure(services: Services, user: TestUser, new_database: str) -> None:
    migrate(new_database)
    async with open_pools(embedded_logins(new_database)) as pools:
        database = Database(pools, lambda *_: [])
        await pools.app.close()
        done = await told(build(replace(services, database=database)), user.key)
    assert [line for line in done.stdout.splitlines() if line.startswith("FAIL")] == [
        "FAIL  ready     database: not reachable"
    ]
    assert done.exit_code == 1


@pytest.mark.usefixtures("home")
async def test_what_a_server_lacks_although_it_answers_is_a_warning(services: Services, user: TestUser) -> None:
    earlier = replace(services, current_model=CurrentModel(services.model + 1))
    done = await told(build(earlier), user.key)
    assert "warn  ready     model: memd reembed has made the vectors of another model" in done.stdout
    assert done.exit_code == 0


@pytest.mark.usefixtures("home")
async def test_a_key_that_is_not_valid_is_not_explained_by_doctor_itself(services: Services) -> None:
    done = await told(build(services), "f" * 64)
    assert "FAIL  key       the key is missing or not valid here\n" in done.stdout
    assert "memctl doctor" not in done.stdout
    assert done.exit_code == 4


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("jump", "expected"), [(DAY_MS, AHEAD), (-DAY_MS, BACK)])
async def test_the_clock_of_the_server_is_not_trusted(
    services: Services, user: TestUser, jump: int, expected: str
) -> None:
    await clock_jump.check(services)
    jumped = build(replace(services, clock=lambda: services.clock() + jump))
    done = await told(jumped, user.key)
    assert f"clock     the server's: {expected}" in done.stdout
    assert "correct it there if it is wrong; otherwise nothing needs to be done" in done.stdout
    assert done.exit_code == 0


@pytest.mark.usefixtures("home")
async def test_another_program_at_the_address_is_one_failure() -> None:
    async def other(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": [(b"content-type", b"text/html")]})
        await send({"type": "http.response.body", "body": b"<h1>Not Found</h1>"})

    done = await told(other, "f" * 64)
    failures = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    assert failures == [f"FAIL  server    {BASE}/healthz answered 404 with a body that is not JSON"]
    assert "another program may be using this address; name the one of memd (--url said" in done.stdout
