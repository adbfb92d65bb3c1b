"""docs/applications.md works as it is written, and two end users never cross over HTTP, MCP and standard streams."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.daemon import Daemon, fast_daemon

pytestmark = [pytest.mark.e2e, pytest.mark.rule("17.1 end users")]
PAGE = Path(__file__).parents[2] / "docs" / "applications.md"
PROGRAMS = Path(sys.executable).parent
NAMES = ("erin", "fred")
Answers = list[str]
Way = Callable[[Daemon, str, str, int], Awaitable[Answers]]


@pytest.fixture(scope="module")
def memd(enterable_folder: Path, started_once: Path) -> Iterator[Daemon]:
    with fast_daemon(enterable_folder / "d-applications", started_once) as served:
        yield served.start()


@pytest.fixture(scope="module")
def service_key(memd: Daemon) -> str:
    with memd.http() as http:
        made = http.post("/api/keys", json={"label": "service", "scopes": ["read", "write", "act_as"]})
        key: str = made.raise_for_status().json()["apiKey"]
    # A key that was never used is looked up in turns when very many calls come with it at once.
    httpx.get(f"{memd.url}/api/mcp/auth", headers={"Authorization": f"Bearer {key}"}).raise_for_status()
    return key


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


def environment(memd: Daemon, **more: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
    here = {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "MEMD_DATA_DIR": str(memd.data_dir), "ADDRESS": memd.url}
    return clean | here | more


def run(command: Sequence[str], memd: Daemon, **more: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment(memd, **more), timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_works_as_it_is_written(memd: Daemon) -> None:
    shell, http = blocks("sh")
    (program,) = blocks("python")
    script = f'{shell}\necho "=== http"\n{http}\necho; echo "=== $KEY"'
    output, answered, key = run(["bash", "-euo", "pipefail", "-c", script], memd).split("=== ")
    recalled = [line.split("\t")[-1] for line in output.splitlines() if line.endswith(("size 38", "size 45"))]
    assert recalled == ["Ann wears size 38", "Bob wears size 45"]
    assert "user: done" in output
    decoder, rest, answers = json.JSONDecoder(), answered.removeprefix("http").strip(), list[Any]()
    while rest:
        answer, end = decoder.raw_decode(rest)
        answers, rest = [*answers, answer], rest[end:].strip()
    captured, found, listed = answers
    assert captured["ok"]
    assert found["memories"][0]["content"] == "Ann wants parcels left with the neighbour"
    assert [user["externalId"] for user in listed["users"]] == ["ann"]
    printed = run([sys.executable, "-c", program], memd, KEY=key.strip()).splitlines()
    assert printed == ["['carol bought boots in size 41']", "['ann', 'carol']"]


def entry(name: str, way: str, number: int) -> dict[str, str]:
    return {"title": f"{name} {number}", "content": f"{name} noted lantern {number} by {way}"}


async def by_http(memd: Daemon, key: str, name: str, calls: int) -> Answers:
    """Half the calls name the end user by the header, half by the body."""
    limits, headers = httpx.Limits(max_connections=calls), {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=memd.url, headers=headers, timeout=60, limits=limits) as http:

        async def ask(number: int) -> str:
            path, body = ("recall", {"query": "lantern"}) if number % 2 else ("capture", entry(name, "http", number))
            header, field = ({"X-Memd-User": name}, {}) if number % 4 < 2 else ({}, {"userId": name})
            reply = await http.post(f"/api/mcp/{path}", json=body | field, headers=header)
            assert reply.status_code == 200, reply.text
            return reply.text

        return list(await asyncio.gather(*map(ask, range(calls))))


def message(name: str, way: str, number: int) -> dict[str, Any]:
    """A tool call: even ones capture, odd ones recall."""
    tool = {"name": "recall", "arguments": {"query": "lantern"}}
    if number % 2 == 0:
        tool = {"name": "capture", "arguments": entry(name, way, number)}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": tool}


def checked(answer: dict[str, Any]) -> str:
    assert answer["result"].get("isError", False) is False, answer
    return json.dumps(answer)


async def by_mcp(memd: Daemon, key: str, name: str, calls: int) -> Answers:
    limits = httpx.Limits(max_connections=calls)
    headers = {"Authorization": f"Bearer {key}", "X-Memd-User": name}
    async with httpx.AsyncClient(base_url=memd.url, headers=headers, timeout=60, limits=limits) as http:

        async def ask(number: int) -> str:
            reply = await http.post("/mcp", json=message(name, "mcp", number))
            return checked(reply.json())

        return list(await asyncio.gather(*map(ask, range(calls))))


async def by_stdio(memd: Daemon, key: str, name: str, calls: int) -> Answers:
    process = await asyncio.create_subprocess_exec(
        *(str(PROGRAMS / "memctl"), "mcp", "stdio", "--url", memd.url, "--as", name),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment(memd, MEMCTL_API_KEY=key),
    )
    lines = "".join(json.dumps(message(name, "stdio", number)) + "\n" for number in range(calls))
    output, _ = await asyncio.wait_for(process.communicate(lines.encode()), 120)
    answers = [json.loads(line) for line in output.decode().splitlines()]
    assert (process.returncode, sorted(answer["id"] for answer in answers)) == (0, list(range(calls)))
    return [checked(answer) for answer in answers]


@pytest.mark.parametrize("way", [by_http, by_mcp, by_stdio])
@pytest.mark.long_form
async def test_two_end_users_with_many_calls_at_once_never_cross(
    memd: Daemon, service_key: str, of_size: Callable[[int, int], int], way: Way
) -> None:
    word, calls = way.__name__.removeprefix("by_"), of_size(12, 100)
    everything = await asyncio.gather(*(way(memd, service_key, name, calls) for name in NAMES))
    headers = {"Authorization": f"Bearer {service_key}"}
    async with httpx.AsyncClient(base_url=memd.url, headers=headers, timeout=60) as http:
        for name, answers in zip(NAMES, everything, strict=True):
            (other,) = set(NAMES) - {name}
            assert len(answers) == calls
            assert [answer for answer in answers if other in answer] == []
            assert any(f"{name} noted" in answer for answer in answers)
            kept = await http.get("/api/memories", params={"pageSize": 200}, headers={"X-Memd-User": name})
            contents = [row["content"] for row in kept.json()["memories"]]
            assert sorted(text for text in contents if text.endswith(f"by {word}")) == sorted(
                entry(name, word, number)["content"] for number in range(0, calls, 2)
            )
            assert [text for text in contents if other in text] == []
