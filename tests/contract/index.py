"""The contract's index of endpoints (6.0) as data: method, path, credits, key scope (R, W, A, U for act_as, or - for no key)."""

from typing import Final, NamedTuple


class Entry(NamedTuple):
    """One endpoint; identifiers of a path are written `{id}`, names `{name}`."""

    method: str
    path: str
    credits: int
    scope: str

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


_TABLE: Final = """
POST /api/mcp/capture                          5  W
POST /api/mcp/capture-batch                    5  W
POST /api/mcp/recall                          10  R
POST /api/mcp/context                         10  R
POST /api/mcp/update                          10  W
POST /api/mcp/edit                            10  W
POST /api/mcp/supersede                       10  W
POST /api/mcp/supercede                       10  W
POST /api/mcp/forget                           1  W
POST /api/mcp/memory                           1  R
POST /api/mcp/trace                            1  R
POST /api/mcp/triggers                         1  R
GET /api/mcp/triggers                          1  R
POST /api/mcp/checkpoint                       1  W
GET /api/checkpoints/{id}                      1  R
GET /api/mcp/stats                             1  R
POST /api/mcp/stats                            1  R
GET /api/activity                              1  R
POST /api/mcp/reflect                         10  W
GET /api/mcp/graph-status                      1  R
POST /api/mcp/graph/who-owns                  10  R
POST /api/mcp/graph/explain-connection        10  R
POST /api/mcp/graph/dependency-chain          10  R
GET /api/memories                              1  R
GET /api/memories/by-key                       1  R
DELETE /api/memories/by-key                    1  W
POST /api/memories/search                      5  R
GET /api/memories/list                         1  R
GET /api/memories/{id}/history                 1  R
POST /api/memories/{id}/restore               10  W
POST /api/undo                                10  W
GET /api/conflicts                             1  R
GET /api/junk                                 10  R
GET /api/profile                               1  R
POST /api/conflicts/{id}                      10  W
POST /api/standing                            10  W
GET /api/standing                              1  R
GET /api/standing/{name}                       1  R
POST /api/standing/{name}/run                 10  W
DELETE /api/standing/{name}                    1  W
POST /api/mcp/wake                             1  R
GET /api/mcp/wake                              1  R
POST /api/mcp/search-messages                  5  R
POST /api/mcp/recent-messages                  1  R
GET /api/messages                              1  R
POST /api/mcp/session                          1  R
GET /api/sessions                              1  R
POST /api/mcp/log                              1  W
POST /api/mcp/turn                             1  W
POST /api/mcp/snapshot                         1  W
GET /api/snapshots                             1  R
GET /api/snapshots/{id}                        1  R
GET /api/knowledge-bases                       1  R
POST /api/knowledge-bases                      5  W
GET /api/knowledge-bases/{id}                  1  R
PATCH /api/knowledge-bases/{id}                1  W
DELETE /api/knowledge-bases/{id}               1  W
POST /api/knowledge-bases/{id}/unarchive       1  W
POST /api/knowledge-bases/{id}/import          5  W
POST /api/knowledge-bases/{id}/bulk-insert     5  W
GET /api/knowledge-bases/{id}/memories         1  R
POST /api/knowledge-bases/{id}/empty           1  W
POST /api/knowledge-bases/{id}/query          10  R
GET /api/mcp/auth                              1  R
POST /api/mcp/auth                             1  R
GET /api/mcp-auth                              1  R
POST /api/mcp-auth                             1  R
POST /api/mcp/metric                           1  W
POST /api/mcp/rate-limit-check                 0  R
POST /api/organic/ideas                        1  R
POST /api/organic/ideas/update                 1  R
POST /api/organic/ideas/pending                1  R
POST /api/organic/recallLog                    1  R
POST /api/organic/conversationPulse            1  R
GET /api/keys                                  1  R
POST /api/keys                                 1  W
PATCH /api/keys/{id}                           1  W
POST /api/keys/{id}/rotate                     1  W
DELETE /api/keys/{id}                          1  W
POST /api/device/start                         0  -
GET /api/device/status                         0  -
GET /device                                    0  -
POST /api/device/approve                       0  W
GET /api/admin/users                           1  A
POST /api/admin/users                          1  A
PATCH /api/admin/users/{id}                    1  A
DELETE /api/admin/users/{id}                   1  A
GET /api/account/users                         1  U
DELETE /api/account/users/{external_id}        1  U
GET /api/erasures/{id}                         1  R
DELETE /api/messages/{id}                      1  W
DELETE /api/sessions/{session_key}             1  W
GET /api/admin/audit                           1  A
GET /api/jobs                                  1  R
POST /api/jobs/{name}/run                      1  A
GET /api/version                               0  R
GET /healthz                                   0  -
GET /readyz                                    0  -
GET /metrics                                   0  -
POST /mcp                                      0  R
"""


def _entry(line: str) -> Entry:
    method, path, cost, scope = line.split()
    return Entry(method, path, int(cost), scope)


INDEX: Final = tuple(_entry(line) for line in _TABLE.strip().splitlines())

PROTOCOL: Final = "POST /mcp"
"""Speaks JSON-RPC instead of a declared request and reply; its messages cost what the endpoints behind its tools cost."""

FORMS: Final = frozenset({"POST /device", "GET /openapi.json"})
"""What the page `/device` sends itself, and the description of all endpoints: the index names neither."""
