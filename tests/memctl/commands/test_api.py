"""`memctl api`: any endpoint, with fields, a body from a file, and the errors of every command."""

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from click.testing import Result

from memctl.diagnostics import ExitCode
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.wire import capture


async def test_fields_are_the_query_of_a_get_and_the_body_of_a_post(user: TestUser, terminal: Terminal) -> None:
    memory_id = await capture(user, title="Release day", content="We ship on Thursdays")
    done = await terminal(user, "api", "get", "/api/activity", "-f", "days=7")
    assert len(json.loads(done.stdout)["captures"]) == 7
    done = await terminal(user, "api", "POST", "/api/mcp/recall", "-f", "query=Thursdays", "-f", "limit=1")
    assert [row["id"] for row in json.loads(done.stdout)["memories"]] == [memory_id]


async def test_values_that_are_json_are_sent_as_such(user: TestUser, terminal: Terminal) -> None:
    fields = ("title=Lists", "content=A list of tags", 'tags=["a", "b"]', "strength=0.9")
    done = await terminal(user, "api", "POST", "/api/mcp/capture", *(f"-f{field}" for field in fields))
    made = json.loads(done.stdout)["id"]
    shown = json.loads((await terminal(user, "api", "POST", "/api/mcp/memory", "-f", f"memoryId={made}")).stdout)
    assert (shown["memory"]["tags"], shown["memory"]["strength"]) == (["a", "b"], 0.9)


async def test_a_body_comes_from_a_file_or_standard_input(user: TestUser, terminal: Terminal, home: Path) -> None:
    body = json.dumps({"title": "From a file", "content": "A whole body"})
    (home / "work" / "body.json").write_text(body)
    done = await terminal(user, "api", "POST", "/api/mcp/capture", "--input", "body.json")
    assert json.loads(done.stdout)["id"].startswith("mem_")
    again = await terminal(user, "api", "POST", "/api/mcp/capture", "--input", "-", stdin=body)
    assert again.exit_code != ExitCode.OK  # the same memory is there already


async def test_a_reply_that_is_not_json_is_printed(user: TestUser, terminal: Terminal) -> None:
    done = await terminal(user, "api", "GET", "/metrics")
    assert "# TYPE" in done.stdout


@pytest.mark.parametrize(
    ("charset", "body", "text"),
    [
        ("latin-1", b"f\xfcr", "für"),
        ("no-such-charset", "für".encode(), "für"),
        ("hex", b"text", "text"),
        ("idna", "für".encode(), "für"),
        ("utf-8", b"f\xfcr", "f\N{REPLACEMENT CHARACTER}r"),
    ],
)
def test_a_reply_is_printed_whatever_charset_it_names(
    memctl: Callable[..., Result], charset: str, body: bytes, text: str
) -> None:
    def answer(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Type": f"text/plain; charset={charset}"}, content=body)

    done = memctl("api", "GET", "/", transport=httpx.MockTransport(answer))
    assert (done.exit_code, done.stdout) == (ExitCode.OK, f"{text}\n")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("GET", "/api/nothing"), ExitCode.NOT_FOUND, "memctl: "),
        (("GET", "api/mcp/stats"), ExitCode.USAGE, "PATH begins with a slash"),
        (("POST", "/api/mcp/recall", "-f", "query"), ExitCode.USAGE, "name=value"),
        (("POST", "/api/mcp/recall", "-f", "query=x", "--input", "-"), ExitCode.USAGE, "not by both"),
        (("POST", "/api/mcp/recall", "--input", "-"), ExitCode.USAGE, "is not JSON"),
    ],
)
async def test_errors(
    user: TestUser, terminal: Terminal, arguments: tuple[str, ...], code: ExitCode, words: str
) -> None:
    done = await terminal(user, "api", *arguments, stdin="{")
    assert (done.exit_code, words in done.stderr) == (code, True), done.stderr
