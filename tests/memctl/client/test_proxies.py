"""Proxies of the environment: one that cannot be used, or behind which nothing answers, is named in the error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memctl.client import MemdClient
from memctl.client.errors import NotReachable

SCRIPTS = {"memctl": "from memctl.__main__ import main; main()", "memtui": "from memctl.memtui import main; main()"}
CASES = [
    ("socks5://127.0.0.1:9", "stats"),
    ("ftp://127.0.0.1:9", "stats"),
    ("http://127.0.0.1:port", "stats"),
    ("socks5://127.0.0.1:9", "doctor"),
]


def run(script: str, *arguments: str, proxy: str, url: str, streams: int = subprocess.PIPE) -> tuple[int, str]:
    environment = {**os.environ, "ALL_PROXY": proxy, "MEMCTL_URL": url, "MEMCTL_API_KEY": "k", "TERM": "xterm"}
    command = [sys.executable, "-c", SCRIPTS[script], *arguments]
    done = subprocess.run(
        command,
        check=False,
        stdin=streams,
        stdout=streams,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=Path(__file__).parents[3],
        timeout=60,
        text=True,
    )
    return done.returncode, done.stderr.splitlines()[-1]


@pytest.mark.parametrize(("proxy", "command"), CASES)
def test_a_proxy_that_cannot_be_used_is_one_sentence(proxy: str, command: str, home: Path) -> None:
    code, line = run("memctl", command, proxy=proxy, url="https://memory.invalid")
    start = "memctl: the proxy of ALL_PROXY, HTTP_PROXY or HTTPS_PROXY, to reach https://memory.invalid, is unusable: "
    assert (code, line[: len(start)]) == (3, start)


def test_memtui_says_the_same(home: Path) -> None:
    leader, end = os.openpty()
    try:
        code, line = run("memtui", proxy="socks5://127.0.0.1:9", url="https://memory.invalid", streams=end)
    finally:
        os.close(leader)
        os.close(end)
    assert (code, line.startswith("memtui: the proxy of ALL_PROXY")) == (3, True)


def test_a_page_to_import_says_the_same(home: Path) -> None:
    arguments = ("kb", "import", "Notes", "https://memory.invalid/page.html")
    code, line = run("memctl", *arguments, proxy="socks5://127.0.0.1:9", url="http://127.0.0.1:1")
    assert (code, line.startswith("memctl: https://memory.invalid/page.html: Using SOCKS proxy")) == (3, True)


def test_this_machine_needs_no_proxy(home: Path) -> None:
    code, line = run("memctl", "stats", proxy="socks5://127.0.0.1:9", url="http://127.0.0.1:1")
    assert (code, line.startswith("memctl: memd does not answer at http://127.0.0.1:1 (")) == (3, True)
    assert "proxy" not in line


@pytest.mark.parametrize(("excepted", "hint"), [("", ", through the proxy of HTTP_PROXY or ALL_PROXY)"), ("*", ")")])
async def test_a_failure_behind_a_proxy_names_it(excepted: str, hint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://ann:secret@127.0.0.1:1")
    monkeypatch.setenv("no_proxy", excepted)
    async with MemdClient("http://memory.invalid", None) as client:
        with pytest.raises(NotReachable) as caught:
            await client.health.alive()
    assert str(caught.value).endswith(f"{hint}; is it running there, and is the address right?")
    assert ("proxy" in str(caught.value), "secret" in str(caught.value)) == (not excepted, False)
