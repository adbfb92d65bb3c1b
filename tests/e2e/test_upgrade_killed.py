"""An upgrade from the first schema, with data in it, survives a SIGKILL in the middle of any migration.

`--every-migration` kills in each of them; the short form in the first and in the last.
"""

import os
import signal
import subprocess
import sys
from typing import Any

import httpx
import psycopg
import pytest

from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import current, migrate
from tests.support.daemon import Daemon
from tests.support.old_release import KEY, OLD, ROWS, fill, newer

pytestmark = pytest.mark.e2e
KILLED_IN = """
import os, signal, sys
from alembic.runtime.migration import HeadMaintainer
from memd.db.schema.migrate import migrate
real = HeadMaintainer.update_to_step
def cut(self, step):
    if sys.argv[2] in step.to_revisions_no_deps:
        os.kill(os.getpid(), signal.SIGKILL)  # its statements have run, and nothing has been committed
    real(self, step)
HeadMaintainer.update_to_step = cut
migrate(sys.argv[1])
"""


def seen(http: httpx.Client) -> dict[str, Any]:
    """The rows that the user of the old release finds."""
    export = http.get("/api/memories", params={"pageSize": 200}).raise_for_status().json()["memories"]
    recent = http.post("/api/mcp/recent-messages", json={"channel": "slack", "limit": 100}).raise_for_status().json()
    points = http.post("/api/mcp/checkpoint", json={"mode": "list"}).raise_for_status().json()["checkpoints"]
    stats = http.get("/api/mcp/stats").raise_for_status().json()
    return {
        "texts": sorted(row["content"] for row in export),
        "chunks": sum(row["knowledgeBaseId"] is not None for row in export if "knowledgeBaseId" in row),
        "strengths": {row["strength"] for row in export},
        "messages": sorted(row["content"] for row in recent["messages"]),
        "checkpoints": [(row["label"], row["memoryCount"]) for row in points],
        "total": stats["total"],
    }


def killed_in(conninfo: str, revision: str) -> int:
    """Upgrade in a process that is killed when the statements of this revision have run; how it ended."""
    command = [sys.executable, "-c", KILLED_IN, conninfo, revision]
    return subprocess.run(command, check=False, env=dict(os.environ), timeout=120).returncode


@pytest.mark.timeout(600)
def test_an_upgrade_that_is_killed_loses_nothing(daemon: Daemon, request: pytest.FixtureRequest) -> None:
    every = newer()
    chosen = every if request.config.getoption("--every-migration") else [every[0], every[-1]]
    with EmbeddedPostgres(daemon.data_dir) as server:
        migrate(server.conninfo, OLD)
        with psycopg.connect(server.conninfo) as connection:
            connection.execute("SET row_security = on")
            fill(connection)
        for revision in chosen:
            assert killed_in(server.conninfo, revision) == -signal.SIGKILL, revision
            assert current(server.conninfo) == OLD, revision
    (daemon.data_dir / "local.key").write_text(KEY)
    daemon.arguments = ("--workers-off",)
    daemon.start()
    with daemon.http() as http:
        found = seen(http)
        answer = http.post("/api/mcp/recall", json={"query": "which valve is opened by hand?"}).raise_for_status()
    assert found == {
        "texts": sorted(f"Valve {number} is opened by hand. 🦉" for number in range(2 * ROWS)),
        "chunks": ROWS,
        "strengths": {0.7},
        "messages": sorted(f"What of valve {number}?" for number in range(ROWS)),
        "checkpoints": [("before", 1)],
        "total": ROWS,
    }
    assert answer.json()["memories"]
