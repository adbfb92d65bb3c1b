"""An erasure continues after kill -9 at any moment, removes everything, and counts each row once."""

import time
from typing import Any

import httpx
import pytest

from tests.support.daemon import Daemon

pytestmark = [pytest.mark.e2e, pytest.mark.long]
CHUNKS = 2_000
KILLED_AFTER_S = (0.0, 0.15)
"""Further kills after that at the first rows that are gone."""
PATIENCE_S = 120
WORD = "Kumquatine"


def receipt_of(http: httpx.Client, erasure_id: str) -> dict[str, Any]:
    return http.get(f"/api/erasures/{erasure_id}").raise_for_status().json()


def filled(daemon: Daemon, http: httpx.Client) -> str:
    """A user with a knowledge base of many chunks; the id."""
    fields = {"name": WORD, "policy": "self_hosted_unmetered"}
    user = http.post("/api/admin/users", json=fields).raise_for_status().json()
    with httpx.Client(base_url=daemon.url, headers={"Authorization": f"Bearer {user['apiKey']}"}, timeout=60) as own:
        base = own.post("/api/knowledge-bases", json={"name": WORD}).raise_for_status().json()["id"]
        chunks = [{"content": f"{WORD} {number}", "metadata": {"title": WORD}} for number in range(CHUNKS)]
        own.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks}).raise_for_status()
    return user["id"]


def wait_until_begun(http: httpx.Client, erasure_id: str) -> None:
    """Until the first memories are counted."""
    end = time.monotonic() + PATIENCE_S
    while "memory" not in receipt_of(http, erasure_id)["counts"]:
        assert time.monotonic() < end, f"not begun within {PATIENCE_S} seconds"
        time.sleep(0.01)


@pytest.mark.timeout(300)
def test_an_erasure_survives_kills(daemon: Daemon) -> None:
    daemon.start()
    with daemon.http() as http:
        user_id = filled(daemon, http)
        erasure_id = http.delete(f"/api/admin/users/{user_id}").raise_for_status().json()["erasureId"]
        wait_until_begun(http, erasure_id)
    daemon.kill()
    daemon.start()
    for seconds in KILLED_AFTER_S:
        time.sleep(seconds)
        daemon.kill()
        daemon.start()
    with daemon.http() as http:
        receipt = receipt_of(http, erasure_id)
        while receipt["state"] != "done":
            time.sleep(0.2)
            receipt = receipt_of(http, erasure_id)
        listed = http.get("/api/admin/users", params={"limit": 200}).raise_for_status().json()["users"]
    counts = receipt["counts"]
    assert {name: counts[name] for name in ("memory", "memory_index", "memory_vector")} == {
        "memory": CHUNKS,
        "memory_index": CHUNKS,
        "memory_vector": CHUNKS,
    }
    assert (counts["app_user"], counts["knowledge_base"]) == (1, 1)
    assert user_id not in [user["id"] for user in listed]
