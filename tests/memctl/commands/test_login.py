"""`memctl login`: shows the code, waits, keeps the key where only its owner reads it; and the ways it may end."""

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import Result
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from memctl.commands.login import _qr

Run = Callable[..., Result]
KEY = "ab" * 32
URL = "https://memory.example.com"
CODES = {
    "device_code": "d" * 43,
    "user_code": "ABCD-EFGH",
    "verification_uri": f"{URL}/device",
    "verification_uri_complete": f"{URL}/device?user_code=ABCD-EFGH",
    "verification_url": f"{URL}/device?user_code=ABCD-EFGH",
    "expires_in": 600,
    "interval": 0,
}
PENDING = (200, {"status": "pending", "interval": 0})
COMPLETE = (200, {"status": "complete", "apiKey": KEY})
SLOW_DOWN = (
    429,
    {
        "error": "Rate limit exceeded",
        "retryAfterMs": 1,
        "code": "slow_down",
        "status": "pending",
        "retry_after": 1,
        "interval": 10,
    },
)


class Authority:
    """A service that answers polls from a list."""

    def __init__(self, *answers: tuple[int, dict[str, Any]]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.names: list[str | None] = []

    @property
    def transport(self) -> httpx.ASGITransport:
        routes = [
            Route("/api/device/start", self.start, methods=["POST"]),
            Route("/api/device/status", self.status),
        ]
        return httpx.ASGITransport(Starlette(routes=routes))

    async def start(self, request: Request) -> Response:
        self.names.append((await request.json())["clientName"])
        return JSONResponse(CODES)

    async def status(self, request: Request) -> Response:
        self.asked.append(request.query_params["device_code"])
        status, body = self.answers.pop(0)
        return JSONResponse(body, status)


def test_the_key_is_kept_in_a_profile_that_only_its_owner_reads(memctl: Run, home: Path) -> None:
    authority = Authority(PENDING, COMPLETE)
    done = memctl("login", "--url", URL, transport=authority.transport)
    config = home / "config" / "config.toml"
    assert done.exit_code == 0, done.stderr
    assert f'api_key = "{KEY}"' in config.read_text()
    assert '[profiles."memory.example.com"]' in config.read_text()
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    assert authority.asked == ["d" * 43] * 2


def test_the_code_and_the_page_are_shown_and_the_key_is_not(memctl: Run) -> None:
    done = memctl("login", "--url", URL, transport=Authority(COMPLETE).transport)
    assert "ABCD-EFGH" in done.stderr
    assert f"{URL}/device" in done.stderr
    assert KEY not in done.stdout + done.stderr


@pytest.mark.parametrize(("options", "profile"), [((), "memory.example.com"), (("--save-as", "work"), "work")])
def test_the_profile_is_named_after_the_host_or_as_told(
    memctl: Run, home: Path, options: tuple[str, ...], profile: str
) -> None:
    memctl("login", "--url", URL, *options, transport=Authority(COMPLETE).transport)
    assert f'profile = "{profile}"' in (home / "config" / "config.toml").read_text()


@pytest.mark.parametrize(("given", "sent"), [("x" * 100, "x" * 60), ("Ann's laptop", "Ann's laptop")])
def test_the_machine_gives_its_name(memctl: Run, given: str, sent: str) -> None:
    authority = Authority(COMPLETE)
    memctl("login", "--url", URL, "--name", given, transport=authority.transport)
    assert authority.names == [sent]


def test_being_told_to_slow_down_is_obeyed(memctl: Run) -> None:
    authority = Authority(SLOW_DOWN, PENDING, COMPLETE)
    assert memctl("login", "--url", URL, transport=authority.transport).exit_code == 0
    assert len(authority.asked) == 3


def test_a_busy_server_is_asked_again(memctl: Run) -> None:
    busy = (503, {"error": "Server busy", "retryAfterMs": 1})
    assert memctl("login", "--url", URL, transport=Authority(busy, COMPLETE).transport).exit_code == 0


@pytest.mark.parametrize(("status", "text"), [("denied", "denied"), ("expired", "expired; run `memctl login` again")])
def test_a_refusal_keeps_nothing(memctl: Run, home: Path, status: str, text: str) -> None:
    done = memctl("login", "--url", URL, transport=Authority((200, {"status": status})).transport)
    assert (done.exit_code, text in done.stderr) == (4, True)
    assert not (home / "config" / "config.toml").exists()


def test_the_qr_code_is_a_square_of_blocks() -> None:
    lines = _qr(f"{URL}/device?user_code=ABCD-EFGH").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert set("".join(lines)) <= set(" █▀▄")
    assert abs(len(lines[0]) - 2 * len(lines)) <= 1
