"""Imports: very large ones, and ones that are cut off in the middle."""

import threading
import time

import httpx
import pytest

from tests.support.daemon import Daemon

pytestmark = [pytest.mark.e2e, pytest.mark.long]
CUT = 2_000


def chunks(count: int) -> list[dict[str, object]]:
    return [
        {
            "content": f"Paragraph {number} tells how valve {number * 7} of line {number % 13} is opened by hand.",
            "dedupeKey": f"manual#{number}",
            "metadata": {"title": f"Manual ({number})", "chunkIndex": number},
        }
        for number in range(count)
    ]


def new_base(http: httpx.Client) -> str:
    return http.post("/api/knowledge-bases", json={"name": "Manual"}).raise_for_status().json()["id"]


def enumerate_chunks(http: httpx.Client, base: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    cursor = ""
    while True:
        params = {"limit": 200} | ({"cursor": cursor} if cursor else {})
        page = http.get(f"/api/knowledge-bases/{base}/memories", params=params).raise_for_status().json()
        rows += page["memories"]
        cursor = page["continueCursor"]
        if page["isDone"]:
            return rows


def test_ten_thousand_chunks_in_one_request_and_not_one_more(daemon: Daemon) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    with daemon.http(timeout=180) as http:
        base = new_base(http)
        reply = http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks(10_000)})
        assert reply.status_code == 201
        body = reply.json()
        assert (body["importedCount"], body["embeddingsCreated"], body["memoryCount"]) == (10_000, 10_000, 10_000)
        refused = http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks(10_001)})
        assert refused.status_code == 413
        assert refused.json() == {
            "error": "Import batch too large",
            "details": "Maximum 10,000 chunks per import, got 10001",
        }


def test_an_import_that_is_killed_and_repeated_has_every_chunk_once(daemon: Daemon) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    sent = chunks(CUT)
    with daemon.http(timeout=180) as http:
        base = new_base(http)
        failures: list[Exception] = []
        thread = threading.Thread(target=send, args=(daemon, base, sent, failures))
        thread.start()
        wait_for_some(http, base)
        daemon.kill()
        thread.join()
    assert failures
    daemon.start()
    with daemon.http(timeout=180) as http:
        before = enumerate_chunks(http, base)
        assert 0 < len(before) < CUT
        row = http.get(f"/api/knowledge-bases/{base}").json()
        assert row["chunkCount"] == len(before)
        http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": sent}).raise_for_status()
        after = enumerate_chunks(http, base)
        row = http.get(f"/api/knowledge-bases/{base}").json()
    assert sorted(chunk["dedupeKey"] for chunk in after) == sorted(str(chunk["dedupeKey"]) for chunk in sent)
    assert row["chunkCount"] == CUT
    assert row["totalChars"] == sum(len(chunk["content"]) for chunk in after)


def send(daemon: Daemon, base: str, sent: list[dict[str, object]], failures: list[Exception]) -> None:
    try:
        with daemon.http(timeout=180) as http:
            http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": sent})
    except httpx.HTTPError as error:
        failures.append(error)


def wait_for_some(http: httpx.Client, base: str) -> None:
    """Until the first pages of the import are committed."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if http.get(f"/api/knowledge-bases/{base}").json()["chunkCount"]:
            return
        time.sleep(0.01)
    pytest.fail("the import never began")
