"""A client of an application of this process, which answers what a test wants."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from memctl.client import MemdClient


def client_of(answer: Callable[[Request], Awaitable[Response]], key: str | None = "k") -> MemdClient:
    methods = ["GET", "POST", "PATCH", "DELETE"]
    app = Starlette(routes=[Route("/{path:path}", answer, methods=methods)])
    return MemdClient("http://memd.test", key, httpx.ASGITransport(app), retries=0)


def always(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> MemdClient:
    async def answer(_request: Request) -> Response:
        return JSONResponse(body, status, headers)

    return client_of(answer)
