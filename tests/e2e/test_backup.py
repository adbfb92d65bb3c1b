"""`memd backup` while memd serves and writes, `memd restore` elsewhere: what a user exports is the same, byte by byte."""

import threading
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from memctl.main import cli
from tests.support.daemon import Daemon, run_memd

pytestmark = pytest.mark.e2e
READS = (
    ("export", "--valid-now"),
    ("recent", "--limit", "100", "--jsonl"),
    ("kb", "export", "Handbook"),
)


def fill(http: httpx.Client) -> None:
    for number in range(10):
        memory = {"title": f"Note {number}", "content": f"Valve {number} is opened by hand.\r\n 🦉", "tags": ["ops"]}
        http.post("/api/mcp/capture", json=memory).raise_for_status()
        http.post("/api/mcp/log", json={"role": "user", "content": f"What of valve {number}?"}).raise_for_status()
    forgotten = http.get("/api/memories").json()["memories"][0]["id"]
    http.post("/api/mcp/forget", json={"memoryId": forgotten}).raise_for_status()
    http.post("/api/mcp/checkpoint", json={"action": "create", "label": "before"}).raise_for_status()
    base = http.post("/api/knowledge-bases", json={"name": "Handbook"}).raise_for_status().json()["id"]
    chunks = [
        {"content": f"Rule {number}", "dedupeKey": f"r{number}", "metadata": {"title": "R"}} for number in range(10)
    ]
    http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks}).raise_for_status()


def write_on(url: str, key: str, ended: threading.Event, written: list[int]) -> None:
    """Another user captures without a pause."""
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        while not ended.is_set():
            body = {"title": f"Busy {len(written)}", "content": f"Still writing, number {len(written)}"}
            http.post("/api/mcp/capture", json=body).raise_for_status()
            written.append(1)
            time.sleep(0.1)


def reads(daemon: Daemon, folder: Path) -> list[str]:
    """The output of memctl with the key of this memd and nothing else of this machine."""
    environment = {"MEMCTL_CONFIG": str(folder / "none.toml"), "MEMCTL_STATE_DIR": str(folder / "state")}
    key = ("--url", daemon.url, "--api-key", daemon.key)
    done = [CliRunner().invoke(cli, [*key, *command], env=environment, catch_exceptions=False) for command in READS]
    assert [(each.exit_code, each.stderr) for each in done] == [(0, "")] * len(READS)
    return [each.stdout for each in done]


def test_a_backup_of_a_busy_memd_comes_back_byte_by_byte(
    daemon: Daemon, enterable_folder: Path, tmp_path: Path
) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    file = tmp_path / "memd.backup"
    with daemon.http() as http:
        fill(http)
        busy = http.post("/api/admin/users", json={"name": "busy", "tier": "unlimited"}).raise_for_status().json()
        ended, written = threading.Event(), list[int]()
        writer = threading.Thread(target=write_on, args=(daemon.url, busy["apiKey"], ended, written))
        writer.start()
        done = run_memd("backup", file, "--data-dir", daemon.data_dir, forked=False)
        ended.set()
        writer.join(30)
    assert done.returncode == 0, done.stderr
    assert file.stat().st_mode & 0o077 == 0
    before = reads(daemon, tmp_path)
    again = run_memd("restore", file, "--data-dir", daemon.data_dir)
    assert (again.returncode, "Traceback" in again.stderr) == (1, False)
    daemon.stop()

    daemon.data_dir = enterable_folder / "restored"
    restored = run_memd("restore", file, "--data-dir", daemon.data_dir, forked=False)
    assert restored.returncode == 0, restored.stderr
    daemon.start()
    assert reads(daemon, tmp_path) == before
    with httpx.Client(base_url=daemon.url, headers={"Authorization": f"Bearer {busy['apiKey']}"}) as other:
        titles = {row["title"] for row in other.get("/api/memories?pageSize=200").json()["memories"]}
    assert len(written) > 0
    assert titles <= {f"Busy {number}" for number in range(len(written))}
