"""Exit codes from what a server answers."""

import os
import subprocess
import sys
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

from tests.support.loopback import free_port

Run = Callable[..., Result]
MEMORY = "mem_0" + "1" * 25


def answering(status: int, body: dict[str, Any]) -> httpx.ASGITransport:
    async def answer(_request: Request) -> Response:
        return JSONResponse(body, status)

    return httpx.ASGITransport(Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])]))


@pytest.mark.parametrize(
    ("status", "body", "code", "text"),
    [
        (400, {"error": "Bad request", "details": "Field x must be y"}, 2, "Field x must be y"),
        (400, {"error": "Memory blocked: illegal_activity [prompt_injection]"}, 1, "Memory blocked"),
        (401, {"error": "Unauthorized"}, 4, "memctl doctor"),
        (403, {"error": "Forbidden"}, 4, "Forbidden"),
        (403, {"error": "Storage limit reached", "limit": 500, "resource": "memories"}, 6, "500 memories"),
        (404, {"error": "Memory not found"}, 5, "Memory not found"),
        (409, {"error": "Job already running"}, 1, "Job already running"),
        (413, {"error": "Request body too large", "details": "d"}, 6, "too large"),
        (429, {"error": "Rate limit exceeded", "retryAfterMs": 9_000}, 6, "try again in 9 s"),
        (500, {"error": "Internal server error", "requestId": "req_1"}, 1, "req_1"),
        (503, {"error": "Server busy", "retryAfterMs": 2_000}, 6, "Server busy"),
    ],
)
def test_exit_code_of_an_error_answer(memctl: Run, status: int, body: dict[str, Any], code: int, text: str) -> None:
    done = memctl("capture", "t", "c", transport=answering(status, body))
    assert done.exit_code == code
    assert text in done.stderr
    assert not done.stdout


def test_no_server_names_the_address_and_the_command(memctl: Run) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    done = memctl("stats", "--url", url)
    assert done.exit_code == 3
    assert url in done.stderr
    assert "memd serve" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "not-an-id"),
        ("recall", "  "),
        ("recall", "q", "--limit", "0"),
        ("capture", "t", "c", "--strength", "2"),
        ("stats", "--profile", "nowhere"),
        ("recall",),
    ],
)
def test_arguments_that_cannot_be_sent_are_a_usage_error(memctl: Run, arguments: tuple[str, ...]) -> None:
    assert memctl(*arguments, transport=answering(500, {"error": "reached the server"})).exit_code == 2


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (("recall", "  "), "QUERY must not be empty"),
        (("search", "  "), "QUERY must not be empty"),
        (("capture", "t", "c", "--strength", "2"), "--strength: "),
        (("capture", "t", "c", "--trigger", "x" * 300), "--trigger: "),
        (("keys", "create", "--label", "x" * 501), "--label: "),
    ],
)
def test_an_error_names_the_option_and_not_the_field_of_the_request(
    memctl: Run, line: tuple[str, ...], named: str
) -> None:
    assert memctl(*line, transport=answering(200, {})).stderr.startswith(f"memctl: {named}")


@pytest.mark.parametrize("address", ["ftp://x", "x", "http://", "http://[::1", "http://x:99999"])
def test_what_is_no_address_is_a_usage_error(memctl: Run, address: str) -> None:
    done = memctl("stats", "--url", address)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"memctl: {address!r} (--url) is not an address of memd")


def test_more_rows_than_memd_returns_are_mentioned(memctl: Run) -> None:
    done = memctl("recall", "q", "--limit", "50", transport=answering(503, {"error": "Server busy"}))
    assert done.stderr.startswith("--limit 50 is more than memd returns at once: 20 rows\n")


def test_an_option_near_the_command_beats_the_one_of_the_group(memctl: Run) -> None:
    done = memctl(
        "--url", "http://far.test", "doctor", "--url", "http://near.test", transport=answering(404, {"error": "e"})
    )
    assert "http://near.test" in done.stdout


@pytest.mark.parametrize(
    "line", [("users", "create", ""), ("device", "approve", ""), ("keys", "create", "--label", "x" * 501)]
)
def test_a_value_that_no_request_takes_is_a_usage_error_in_one_sentence(memctl: Run, line: tuple[str, ...]) -> None:
    done = memctl(*line, transport=answering(200, {}))
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith("memctl: ")


def test_a_closed_pipe(home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "memctl", "completion", "bash"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")
