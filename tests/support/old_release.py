"""A database as the first release left it, with something of everything that a user had then."""

import hashlib
import re
from pathlib import Path

import psycopg
from psycopg.types.json import Json

from memd.domain.ids import encode, new_id

OLD = "20261121_initial"
REVISIONS = Path(__file__).parents[2] / "migrations" / "versions"
KEY = "0123456789abcdef" * 4
ROWS = 40


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
