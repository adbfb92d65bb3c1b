"""A small service with the wire shapes of one knowledge base, to try what a real one does only when it is in trouble."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from memctl.commands import audit
from memctl.main import cli

KB = "kb_0" + "1" * 25


class SmallService:
    """Keeps the chunks of one knowledge base; `troubles` are answers that come before the next imports."""

    def __init__(self) -> None:
        self.chunks: dict[str, dict[str, Any]] = {}
        self.imports: list[list[dict[str, Any]]] = []
        self.troubles: list[Response | Exception] = []
        self.refused: dict[str, str] = {}
        self.names = ["handbook"]

    @property
    def transport(self) -> httpx.ASGITransport:
        routes = [
            Route("/api/knowledge-bases", self.listing),
            Route("/api/knowledge-bases", self.create, methods=["POST"]),
            Route("/api/knowledge-bases/{id}", self.show),
            Route("/api/knowledge-bases/{id}/import", self.take, methods=["POST"]),
            Route("/api/knowledge-bases/{id}/memories", self.enumerate),
            Route("/api/knowledge-bases/{id}/empty", self.empty, methods=["POST"]),
            Route("/api/mcp/forget", self.forget, methods=["POST"]),
        ]
        return httpx.ASGITransport(Starlette(routes=routes))

    def row(self, name: str = "handbook") -> dict[str, Any]:
        chars = sum(len(chunk["content"]) for chunk in self.chunks.values())
        counts = {"chunkCount": len(self.chunks), "totalChars": chars}
        return {"id": KB, "name": name, "createdAt": 1, "updatedAt": 2, **counts}

    async def listing(self, _request: Request) -> Response:
        return JSONResponse({"knowledgeBases": [self.row(name) for name in self.names]})

    async def create(self, request: Request) -> Response:
        self.names.append(json.loads(await request.body())["name"])
        return JSONResponse(self.row(self.names[-1]), 201)

    async def show(self, _request: Request) -> Response:
        return JSONResponse({**self.row(), "knowledgeBase": self.row(), "memories": []})

    async def take(self, request: Request) -> Response:
        sent = json.loads(await request.body())["chunks"]
        if self.troubles:
            trouble = self.troubles.pop(0)
            if isinstance(trouble, Exception):
                raise trouble
            return trouble
        self.imports.append(sent)
        rejected = [
            {"index": i, "reason": self.refused[c["content"]]}
            for i, c in enumerate(sent)
            if c["content"] in self.refused
        ]
        stored = [chunk for chunk in sent if chunk["content"] not in self.refused]
        keys = [chunk.get("dedupeKey") or chunk["content"] for chunk in stored]
        updated = sum(key in self.chunks for key in keys)
        self.chunks.update(zip(keys, stored, strict=True))
        counts = {"importedCount": len(stored) - updated, "updatedCount": updated, "chunksProcessed": len(sent)}
        totals = {"memoryCount": len(self.chunks), "totalChars": self.row()["totalChars"]}
        ids = {"knowledgeBaseId": KB, "importId": "imp_1", "memoryIds": [], "timestamp": 2, "embeddingsCreated": 0}
        return JSONResponse({**ids, **counts, **totals, "rejected": rejected}, 201)

    async def enumerate(self, _request: Request) -> Response:
        rows = [
            {
                "id": f"mem_{number:026}",
                "title": chunk["metadata"]["title"],
                "content": chunk["content"],
                "dedupeKey": chunk.get("dedupeKey"),
                "createdAt": 1,
                "chunkKind": "content",
                "metadata": {},
            }
            for number, chunk in enumerate(self.chunks.values())
        ]
        return JSONResponse({"knowledgeBaseId": KB, "memories": rows, "isDone": True, "continueCursor": ""})

    async def empty(self, _request: Request) -> Response:
        gone = len(self.chunks)
        self.chunks.clear()
        counts = {"deletedMemories": gone, "activeDeletedMemories": gone}
        return JSONResponse({"knowledgeBaseId": KB, "kept": True, "isDone": True, **counts})

    async def forget(self, request: Request) -> Response:
        memory_id = json.loads(await request.body())["memoryId"]
        key = list(self.chunks)[int(memory_id.removeprefix("mem_"))]
        self.gone = [*getattr(self, "gone", []), key]
        return JSONResponse(
            {"success": True, "memoryId": memory_id, "title": "t", "action": "archived", "archived": True}
        )


@pytest.fixture
def service() -> SmallService:
    return SmallService()


@pytest.fixture
def memctl(home: Path) -> Callable[..., Result]:
    """Run memctl; `transport` stands in for the network."""

    def invoke(*arguments: str, transport: httpx.AsyncBaseTransport | None = None, stdin: str | None = None) -> Result:
        return CliRunner().invoke(cli, list(arguments), obj=transport, input=stdin, catch_exceptions=False)

    return invoke


@pytest.fixture
def days_pass(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """`days_pass(91)`: what `memctl audit` takes for now is 91 days later."""

    def pass_by(days: int) -> None:
        monkeypatch.setattr(audit, "time", SimpleNamespace(time=lambda: time.time() + days * 86_400))

    return pass_by
