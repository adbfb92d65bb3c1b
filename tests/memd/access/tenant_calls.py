"""The calls of the isolation tests: every endpoint with names that belong to another user, and what it must answer.

`{memory}`, `{chunk}`, `{base}` and so on stand for the other user's names.
"""

from dataclasses import dataclass, field
from typing import Any

MARK = "zanzibar-quartz"
TITLE, CONTENT = f"The {MARK} plan", f"Our {MARK} depot in Lisbon depends on Postgres and opens in May."
MEMORY_GONE = {"error": "Forbidden"}
BASE_GONE = {"error": "Knowledge base not found"}
NOT_FOUND = {"error": "Not found"}
BAD_CURSOR = {"error": "Bad request", "details": "Field cursor must be a cursor of this list"}


@dataclass(frozen=True)
class Try:
    """One call with names of the other user; the expected refusal, or None when an answer without them is expected."""

    endpoint: str
    body: dict[str, Any] = field(default_factory=dict[str, Any])
    url: str = ""
    refusal: tuple[int, dict[str, str]] | None = None


def refused(endpoint: str, status: int, answer: dict[str, str], url: str = "", **body: Any) -> Try:
    return Try(endpoint, body, url, (status, answer))


def silent(endpoint: str, url: str = "", **body: Any) -> Try:
    return Try(endpoint, body, url)


CHUNKS = [{"content": "planted", "metadata": {"title": "planted"}}]
TRIES = [
    *(refused("POST /api/mcp/memory", 403, MEMORY_GONE, memoryId=one) for one in ("{memory}", "{chunk}")),
    *(refused("POST /api/mcp/trace", 403, MEMORY_GONE, memoryId=one) for one in ("{memory}", "{chunk}")),
    *(
        refused(f"POST /api/mcp/{verb}", 403, MEMORY_GONE, memoryId=one, content="planted", **more)
        for verb in ("update", "edit")
        for one in ("{memory}", "{chunk}")
        for more in ({}, {"channel": "{channel}", "requestChannel": "{channel}"})
    ),
    *(
        refused(f"POST /api/mcp/{verb}", 403, MEMORY_GONE, oldMemoryId="{memory}", title="planted", content="planted")
        for verb in ("supersede", "supercede")
    ),
    *(
        refused("POST /api/mcp/forget", 403, MEMORY_GONE, memoryId=one, permanent=permanent)
        for one in ("{memory}", "{chunk}")
        for permanent in (False, True)
    ),
    refused("GET /api/memories", 400, BAD_CURSOR, url="cursor={export_cursor}&pageSize=1"),
    refused("GET /api/memories/{id}/history", 403, MEMORY_GONE),
    refused("POST /api/memories/{id}/restore", 403, MEMORY_GONE),
    refused("POST /api/memories/{id}/restore", 403, MEMORY_GONE, version=1),
    silent("POST /api/undo", dryRun=True, userId="{user}"),
    silent("GET /api/conflicts"),
    silent("GET /api/junk"),
    refused("GET /api/junk", 400, BAD_CURSOR, url="cursor={export_cursor}"),
    silent("GET /api/profile"),
    silent("GET /api/standing"),
    silent("POST /api/standing", name="mine", query=MARK, allChannels=True, userId="{user}"),
    refused("GET /api/standing/{name}", 404, NOT_FOUND),
    refused("POST /api/standing/{name}/run", 404, NOT_FOUND),
    refused("DELETE /api/standing/{name}", 404, NOT_FOUND),
    refused("POST /api/conflicts/{id}", 404, NOT_FOUND, decision="supersede"),
    refused("POST /api/mcp/checkpoint", 403, MEMORY_GONE, label="planted", memoryIds=["{memory}"]),
    refused("POST /api/mcp/checkpoint", 404, NOT_FOUND, mode="delete", checkpointId="{checkpoint}"),
    refused("GET /api/knowledge-bases/{id}", 404, BASE_GONE),
    refused("PATCH /api/knowledge-bases/{id}", 404, BASE_GONE, name="planted"),
    refused("DELETE /api/knowledge-bases/{id}", 404, BASE_GONE),
    refused("DELETE /api/knowledge-bases/{id}", 404, BASE_GONE, url="permanent=true"),
    refused("POST /api/knowledge-bases/{id}/unarchive", 404, BASE_GONE),
    refused("POST /api/knowledge-bases/{id}/import", 404, BASE_GONE, chunks=CHUNKS),
    refused("POST /api/knowledge-bases/{id}/bulk-insert", 404, BASE_GONE, chunks=CHUNKS),
    refused("POST /api/knowledge-bases/{id}/empty", 404, BASE_GONE),
    refused("POST /api/knowledge-bases/{id}/query", 404, BASE_GONE, query=MARK),
    refused("GET /api/knowledge-bases/{id}/memories", 404, BASE_GONE),
    refused("GET /api/knowledge-bases/{id}/memories", 400, BAD_CURSOR, url="cursor={chunk_cursor}"),
    refused("POST /api/mcp/recall", 404, BASE_GONE, query=MARK, knowledgeBaseId="{base}"),
    refused("POST /api/mcp/recall", 404, BASE_GONE, query=MARK, knowledgeBaseIds=["{base}"]),
    refused("POST /api/mcp/context", 404, BASE_GONE, query=MARK, knowledgeBaseIds=["{base}"]),
    silent("POST /api/mcp/context", query=MARK, channel="{channel}", userId="{user}"),
    refused("POST /api/keys/{id}/rotate", 404, NOT_FOUND),
    refused("DELETE /api/keys/{id}", 404, NOT_FOUND),
    refused("DELETE /api/keys/{id}", 404, NOT_FOUND, url="descendants=true"),
    refused("PATCH /api/keys/{id}", 404, NOT_FOUND, label="planted"),
    refused("GET /api/admin/audit", 403, MEMORY_GONE),
    refused("GET /api/admin/users", 403, MEMORY_GONE),
    refused("POST /api/admin/users", 403, MEMORY_GONE, name="planted"),
    refused("PATCH /api/admin/users/{id}", 403, MEMORY_GONE, name="planted"),
    refused("DELETE /api/admin/users/{id}", 403, MEMORY_GONE),
    *(refused(name, 403, MEMORY_GONE) for name in ("GET /api/account/users", "DELETE /api/account/users/{external_id}")),
    refused("GET /api/erasures/{id}", 404, NOT_FOUND),
    refused("DELETE /api/messages/{id}", 404, NOT_FOUND),
    silent("DELETE /api/sessions/{session_key}", url="channel={channel}"),
    refused("POST /api/jobs/{name}/run", 403, MEMORY_GONE),
    refused("POST /api/mcp/capture", 404, NOT_FOUND, title="mine", content="mine", sourceSnapshotId="{snapshot}"),
    silent("POST /api/mcp/capture", title="mine", content="mine alone", userId="{user}"),
    silent("POST /api/mcp/capture-batch", memories=[{"title": "mine", "content": "mine, one of a batch", "userId": "{user}"}, {"title": "mine", "content": "mine elsewhere", "channel": "{channel}"}, {"title": "mine", "content": "mine", "sourceSnapshotId": "{snapshot}"}]),
    refused("GET /api/memories/by-key", 404, {"error": "Memory not found"}, url=f"namespace={MARK}&key={MARK}"),
    refused("DELETE /api/memories/by-key", 404, {"error": "Memory not found"}, url=f"namespace={MARK}&key={MARK}"),
    silent("POST /api/mcp/capture", title="mine", content="mine under a key", namespace="mine", key="mine"),
    silent("POST /api/memories/search", namespace=MARK, channel="{channel}"),
    silent("POST /api/memories/search", namespace=MARK, query=MARK, where={"owner": {"exists": False}}),
    silent("GET /api/memories", url=f"namespace={MARK}"),
    silent("GET /api/memories/list", url=f"text={MARK}&channel={{channel}}&includeKnowledgeBases=true"),
    silent("GET /api/memories/list", url="archived=true&sort=title"),
    refused("GET /api/memories/list", 400, BAD_CURSOR, url="cursor={export_cursor}"),
    silent("POST /api/mcp/recall", query=MARK, namespace=MARK),
    silent("POST /api/mcp/recall", query=MARK, userId="{user}"),
    silent("POST /api/mcp/recall", query=CONTENT, channel="{channel}", sessionKey="{session}", scopeToSession=True),
    silent("GET /api/mcp/triggers", url="tools=deploy&channel={channel}"),
    silent("POST /api/mcp/triggers", tools=["deploy"], userId="{user}"),
    silent("GET /api/memories", url="pageSize=200"),
    silent("POST /api/mcp/log", content="mine", channel="{channel}", sessionKey="{session}", turnId="{turn}"),
    silent("POST /api/mcp/turn", sessionKey="{session}", channel="{channel}", turnId="{turn}", assistantMessage="mine"),
    silent("POST /api/mcp/recent-messages", channel="{channel}", sessionKey="{session}", limit=100),
    silent("POST /api/mcp/search-messages", query=MARK, channel="{channel}", sessionKey="{session}", limit=100),
    silent("GET /api/mcp/wake", url="channel={channel}&sessionKey={session}&userId={user}"),
    silent("POST /api/mcp/wake", channel="{channel}", sessionKey="{session}", userId="{user}"),
    silent("POST /api/mcp/session", sessionKey="{session}"),
    silent("POST /api/mcp/snapshot", sessionKey="{session}", channel="{channel}", messages=[{"role": "user", "content": "x"}]),
    refused("GET /api/snapshots/{id}", 404, NOT_FOUND),
    refused("GET /api/checkpoints/{id}", 404, NOT_FOUND),
    silent("GET /api/sessions", url="channel={channel}"),
    silent("GET /api/messages", url="sessionKey={session}&channel={channel}"),
    silent("GET /api/snapshots", url="sessionKey={session}&channel={channel}"),
    silent("POST /api/mcp/checkpoint", mode="list", channel="{channel}"),
    silent("GET /api/knowledge-bases", url="includeInactive=true&scope={channel}"),
    silent("POST /api/knowledge-bases", name="mine"),
    silent("GET /api/mcp/graph-status"),
    silent("POST /api/mcp/graph/who-owns", entity=MARK),
    silent("POST /api/mcp/graph/explain-connection", entityA="Lisbon", entityB="Postgres"),
    silent("POST /api/mcp/graph/dependency-chain", entity="Lisbon"),
    silent("POST /api/mcp/reflect", sessionId="{session}"),
    silent("GET /api/mcp/stats"), silent("GET /api/activity", url="days=30&userId={user}"),
    silent("POST /api/mcp/stats", userId="{user}"),
    *(silent(f"{method} {path}") for method in ("GET", "POST") for path in ("/api/mcp/auth", "/api/mcp-auth")),
    silent("GET /api/keys"),
    silent("POST /api/keys", label="mine"),
    silent("POST /api/mcp/metric", kind="seen", sessionKey="{session}"),
    silent("POST /api/mcp/rate-limit-check"),
    *(silent(f"POST /api/organic/{name}") for name in ("ideas", "ideas/pending", "ideas/update", "recallLog")),
    silent("POST /api/organic/conversationPulse"),
    refused("POST /api/device/approve", 404, NOT_FOUND, user_code="AAAA-AAAA"),
    silent("GET /api/jobs"),
    silent("GET /api/version"),
]  # fmt: skip
