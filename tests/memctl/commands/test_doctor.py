"""What `memctl doctor` says of a server whose clock has jumped."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest
from click.testing import CliRunner

from memctl.main import cli
from memd.app import build
from memd.context import Services
from memd.domain.time_window import DAY_MS
from memd.schedule import clock_jump
from tests.memctl.conftest import Beside
from tests.support.service import BASE, TestUser

AHEAD = "set ahead by 24 h; nothing is deleted by age for 24 h of running time, or until the clock is corrected"
BACK = "set back by 24 h; new rows get its timestamps until it is corrected"


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("jump", "said"), [(DAY_MS, AHEAD), (-DAY_MS, BACK)])
async def test_the_clock_of_the_server_is_not_trusted(services: Services, user: TestUser, jump: int, said: str) -> None:
    await clock_jump.check(services)
    jumped = build(replace(services, clock=lambda: services.clock() + jump))
    call = partial(CliRunner().invoke, cli, ["--url", BASE, "--api-key", user.key, "doctor"])
    done = await asyncio.to_thread(call, obj=Beside(asyncio.get_running_loop(), jumped), catch_exceptions=False)
    assert f"clock     the server's: {said}" in done.stdout
    assert "correct it there if it is wrong; otherwise nothing needs to be done" in done.stdout
    assert done.exit_code == 0
