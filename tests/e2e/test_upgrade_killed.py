"""An upgrade from the first schema, with data in it, survives a SIGKILL in the middle of any migration.

`--every-migration` kills in each of them; the short form in the first and in the last.
"""

import hashlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.types.json import Json

from memd.db.embedded import EmbeddedPostgres
from memd.db.migrate import current, migrate
from memd.domain.ids import encode, new_id
from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e
OLD = "20261121_initial"
REVISIONS = Path(__file__).parents[2] / "migrations" / "versions"
KEY = "0123456789abcdef" * 4
ROWS = 40
KILLED_IN = """
import os, signal, sys
from alembic.runtime.migration import HeadMaintainer
from memd.db.migrate import migrate
real = HeadMaintainer.update_to_step
def cut(self, step):
    if sys.argv[2] in step.to_revisions_no_deps:
        os.kill(os.getpid(), signal.SIGKILL)  # its statements have run, and nothing has been committed
    real(self, step)
HeadMaintainer.update_to_step = cut
migrate(sys.argv[1])
"""


def newer() -> list[str]:
    """The revisions after the old one, in the order of an upgrade."""
    files = {path.stem: path.read_text("utf-8") for path in REVISIONS.glob("2*.py")}
    after = {
        re.findall(r'^down_revision = "(.+)"$', text, re.MULTILINE)[0]: name
        for name, text in files.items()
        if name != OLD
    }
    found, last = [], OLD
    while last in after:
        last = after[last]
        found.append(last)
    assert len(found) == len(files) - 1
    return found


def fill(connection: psycopg.Connection) -> None:
    """One user of the old release with memories, messages, a knowledge base, a checkpoint and an association."""
    user, base = new_id(), new_id()
    connection.execute(
        "INSERT INTO app_user (user_id, name, tier, policy, admin, created_at) "
        "VALUES (%s, 'local', 'unlimited', 'self_hosted_unmetered', true, 1)",
        [user],
    )
    connection.execute(
        "INSERT INTO api_key (user_id, id, key_hash, label, scopes, created_at) "
        "VALUES (%s, %s, %s, 'old', '{read,write,admin}', 1)",
        [user, new_id(), hashlib.sha256(KEY.encode()).hexdigest()],
    )
    connection.execute(
        "INSERT INTO knowledge_base (user_id, id, name, peer_scope_policy, memory_count, total_chars, created_at, updated_at)"
        " VALUES (%s, %s, 'Handbook', 'strict', %s, 0, 1, 1)",
        [user, base, ROWS],
    )
    ids = [new_id() for _ in range(2 * ROWS)]
    for number, one in enumerate(ids):
        chunk = number >= ROWS
        connection.execute(
            "INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence, arousal,"
            " last_accessed_at, created_at, updated_at, content_hash, knowledge_base_id, tags)"
            " VALUES (%s, %s, %s, %s, 'semantic', 'fact', 'external', 0.7, 0.9, 0, 0.3, 1, %s, 1, %s, %s, '{ops}')",
            [user, one, f"Note {number}", f"Valve {number} is opened by hand. 🦉", number, f"h{number}", base if chunk else None],
        )  # fmt: skip
        connection.execute(
            "INSERT INTO memory_index (user_id, memory_id, live, knowledge_base_id, store, category, config, created_at, length, tsv)"
            " VALUES (%s, %s, true, %s, 'semantic', 'fact', false, %s, 30, to_tsvector('english', %s))",
            [user, one, base if chunk else None, number, f"Valve {number} is opened by hand."],
        )  # fmt: skip
    for number in range(ROWS):
        one = new_id()
        connection.execute(
            "INSERT INTO message (user_id, id, role, content, channel, session_key, timestamp, created_at, expires_at, content_hash)"
            " VALUES (%s, %s, 'user', %s, 'slack', 's1', %s, %s, 9999999999999, %s)",
            [user, one, f"What of valve {number}?", 1_790_000_000_000 + number, 1_790_000_000_000 + number, f"m{number}"],
        )  # fmt: skip
        connection.execute(
            "INSERT INTO message_index (user_id, message_id, channel, session_key, timestamp, asks, tsv)"
            " VALUES (%s, %s, 'slack', 's1', %s, true, to_tsvector('english', %s))",
            [user, one, 1_790_000_000_000 + number, f"What of valve {number}?"],
        )
    entry = {
        "memoryId": encode("mem", ids[0]),
        "strength": 0.7,
        "title": "Note 0",
        "content": "c",
        "store": "semantic",
        "tags": [],
    }
    connection.execute(
        "INSERT INTO checkpoint (user_id, id, label, created_at, created_by, memory_snapshot, memory_count)"
        " VALUES (%s, %s, 'before', 1, 'api', %s, 1)",
        [user, new_id(), Json([entry])],
    )
    connection.execute(
        "INSERT INTO association (user_id, from_memory_id, to_memory_id, relationship_type, weight, created_at, updated_at)"
        " VALUES (%s, %s, %s, 'supports', 0.95, 1, 1)",
        [user, ids[0], ids[1]],
    )
    connection.execute(
        "INSERT INTO totals (user_id, active_memories, total_messages, updated_at) VALUES (%s, %s, %s, 1)",
        [user, ROWS, ROWS],
    )


def seen(http: httpx.Client) -> dict[str, Any]:
    """What the user of the old release finds."""
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
