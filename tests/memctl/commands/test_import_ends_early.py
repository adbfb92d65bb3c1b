"""An import that ends before its end: what it stored until then is counted."""

import json
from collections.abc import Callable
from pathlib import Path

import httpx
from click.testing import Result
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.memctl.commands.conftest import KB, SmallService

Run = Callable[..., Result]
WHO = {"ok": True, "userId": "usr_0" + "1" * 25, "tier": "free", "policy": "managed_free", "admin": False}
FULL = {"error": "Storage limit reached", "limit": 20, "resource": "memories"}


class FullAfterOneBatch(SmallService):
    """Takes one batch of chunks, and has no room for a second."""

    async def take(self, request: Request) -> Response:
        return JSONResponse(FULL, 403) if self.imports else await super().take(request)


class SignedIn(httpx.AsyncBaseTransport):
    """Says who the key belongs to, and leaves all else to the service."""

    def __init__(self, service: SmallService) -> None:
        self._service = service.transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/mcp/auth":
            return httpx.Response(200, json={**WHO, "scopes": ["read", "write"]})
        return await self._service.handle_async_request(request)


def test_an_import_that_ends_early_counts_the_chunks_that_it_stored(memctl: Run, home: Path) -> None:
    service = FullAfterOneBatch()
    base = {"knowledgeBase": {"id": KB, "name": "handbook"}}
    chunks = [{"knowledgeBaseId": KB, "title": "T", "content": f"c{i}", "dedupeKey": f"k{i}"} for i in range(250)]
    (home / "work" / "e.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in (base, *chunks)))
    done = memctl("import", "jsonl", "e.jsonl", transport=SignedIn(service))
    assert done.exit_code == 6, done.output
    assert len(service.chunks) == 20
    assert done.stdout.startswith("chunks: 20 new, 0 already there; 0 rejected")
