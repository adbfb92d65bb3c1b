"""GET /openapi.json: the OpenAPI document, for tools that make clients; needs no key and costs nothing."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import Request
from starlette.responses import Response

from memd.access.http.replies import JSON_TYPE
from memd.openapi import AnyEndpoint, document

PATH = "/openapi.json"


def openapi_route(endpoints: Sequence[AnyEndpoint]) -> Callable[[Request], Awaitable[Response]]:
    """The handler; the document is made at the first request, in a thread since it takes a while."""
    made: list[bytes] = []

    async def handler(_request: Request) -> Response:
        if not made:
            made.append(await asyncio.to_thread(_written, endpoints))
        return Response(made[0], media_type=JSON_TYPE)

    return handler


def _written(endpoints: Sequence[AnyEndpoint]) -> bytes:
    return json.dumps(document(endpoints), separators=(",", ":"), sort_keys=True).encode()
