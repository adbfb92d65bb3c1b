"""The audit log holds what an administrator's key reads for an end user (contract 17.6)."""

from memd.context import Services
from memd.domain.ids import encode
from tests.memd.audit.test_audit_log import SECRET, Json, admin, entries
from tests.support.service import TestUser
from tests.support.wire import send

__all__ = ["admin"]


async def test_what_an_administrators_key_reads_for_an_end_user_is_entered_and_what_an_application_reads_is_not(
    services: Services, admin: TestUser
) -> None:
    fields, found = {"query": SECRET, "userId": "ann"}, dict[str, list[Json]]()
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "wake", "arguments": {}}}
    for scope in ("write", "admin"):
        made = await send(admin, "POST", "/api/keys", {"scopes": ["read", "act_as", scope]}, status=201)
        key = {"Authorization": f"Bearer {made['apiKey']}"}
        named = key | {"X-Memd-User": "ann"}
        replies = [
            await admin.http.get("/api/memories/list", headers=named),
            await admin.http.post("/api/mcp/recall", json=fields, headers=key),
            await admin.http.post("/mcp", json=call, headers=named),
            await admin.http.post("/api/mcp/recall", json={"query": SECRET}, headers=key),
            await admin.http.post("/api/mcp/recall", json={"query": SECRET, "limit": "many"}, headers=named),
        ]
        assert [reply.status_code for reply in replies] == [200] * 4 + [400]
        listed = await entries(services, admin, actor=made["id"], limit=200)
        found[scope] = [entry for entry in listed if entry["action"] == "end_user.read"]
    targets = ["GET /api/memories/list", "POST /api/mcp/recall", "POST /api/mcp/wake"]
    assert [entry["target"] for entry in found["admin"]][::-1] == targets
    assert len({entry["actor"]["userId"] for entry in found["admin"]} - {encode("usr", admin.id)}) == 1
    assert found["write"] == []
    assert SECRET not in str(found)
