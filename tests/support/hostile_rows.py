"""Rows whose every free text commands a terminal, or an interpreter of markup, that writes it as it is."""

import re
from dataclasses import dataclass

from memd.context import Services
from tests.support import jobs
from tests.support.service import TestUser
from tests.support.wire import post

HOSTILE = (
    "[/nope][bold red]x[/bold] \x1b[31mred \x1b]0;title\x07\x1b]8;;http://x.example\x1b\\ \x9b31m \x90q "
    "\u202egpj\u2066\u2069\u200f\u061c\x7f\r\b end"
)
COMMANDS_A_TERMINAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
COLUMNS = {
    "app_user": ["name"],
    "api_key": ["label"],
    "memory": ["title", "content", "recall_text", "channel", "session_key", "project_id", "source_url", "source_type"],
    "memory_index": ["channel"],
    "memory_vector": ["channel"],
    "message": ["content", "speaker", "channel", "session_key"],
    "knowledge_base": ["name", "description", "source_type"],
    "checkpoint": ["label", "description", "semantic_summary"],
    "snapshot": ["session_key", "channel", "reason"],
    "graph_node": ["label", "description"],
    "standing_question": ["query"],
    "standing_line": ["heading", "line"],
}
LISTS = {"memory": ["tags", "action_triggers"], "graph_node": ["tags", "alias"], "checkpoint": ["tags"]}


@dataclass(frozen=True, slots=True)
class Rows:
    """Ids of rows with hostile text, one of each kind."""

    memory: str
    base: str
    snapshot: str
    checkpoint: str
    standing: str
    session: str


async def hostile_rows(services: Services, user: TestUser) -> Rows:
    """Store one row of each kind as a client does, then make its texts hostile where the policy would not have them."""
    memory = (await post(user, "capture", {"title": "Anna owns the harbour", "content": "Anna owns the harbour."}))[
        "id"
    ]
    await post(
        user, "capture", {"title": "Again", "content": "Anna owns the harbour indeed.", "actionTriggers": ["Bash"]}
    )
    await post(user, "log", {"role": "user", "content": "Who owns the harbour?", "channel": "c", "sessionKey": "s"})
    base = (await user.http.post("/api/knowledge-bases", json={"name": "handbook"})).json()["id"]
    chunks = [{"content": "The harbour opens at six.", "metadata": {"title": "Hours"}, "dedupeKey": "a#Hours"}]
    await user.http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": chunks})
    point = await post(user, "checkpoint", {"label": "before", "memoryIds": [memory]})
    messages = [{"role": "user", "content": HOSTILE}]
    snapshot = await post(user, "snapshot", {"sessionKey": "s", "messages": messages})
    await user.http.post("/api/standing", json={"name": "harbour", "query": "harbour"})
    await jobs.done(services, user)
    await jobs.enriched(services, user, title="Owner", content="Anna owns the harbour office.")
    async with services.database.system() as session:
        for table, columns in COLUMNS.items():
            values = ", ".join(f"{column} = coalesce({column}, '') || %(hostile)s" for column in columns)
            await session.execute(
                f"UPDATE {table} SET {values} WHERE user_id = %(user)s", {"user": user.id, "hostile": HOSTILE}
            )
        for table, columns in LISTS.items():
            values = ", ".join(f"{column} = {column} || %(hostile)s::text" for column in columns)
            await session.execute(
                f"UPDATE {table} SET {values} WHERE user_id = %(user)s", {"user": user.id, "hostile": HOSTILE}
            )
        await session.execute(
            "UPDATE memory SET created_at = 1, last_accessed_at = 1 WHERE user_id = %(user)s", {"user": user.id}
        )
    await services.principals.wait_ttl()
    return Rows(memory, base, snapshot["id"], point["id"], "harbour", f"s{HOSTILE}")
