"""The encoding that an operator's shell sets for Postgres clients has no effect on memd."""

import pytest

from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e
TEXT = "The 日本語 notes of Łukasz are in Łódź"


def test_texts_in_any_script_are_stored_whatever_encoding_the_shell_sets(daemon: Daemon) -> None:
    daemon.environment["PGCLIENTENCODING"] = "LATIN1"
    daemon.arguments = ("--workers-off",)
    daemon.start()
    with daemon.http() as http:
        http.post("/api/mcp/capture", json={"title": "Notes", "content": TEXT}).raise_for_status()
        found = http.post("/api/mcp/recall", json={"query": "notes of Łukasz"}).raise_for_status().json()["memories"]
    assert [memory["content"] for memory in found] == [TEXT]
