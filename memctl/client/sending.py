"""Sends requests so that one that is cancelled costs no connection.

httpcore never uses a connection again whose request was cancelled after the connect and before its first byte, nor one
that it gives to a request that is cancelled while it waits for one. A hundred of these would be the end of a client.
"""

import asyncio
from typing import Final

import httpx

from memctl.client.errors import ProtocolError

CONNECTIONS: Final = 100
"""The most connections of httpx at once; a further request waits for another to end before httpx sees it."""
MAX_REPLY_BYTES = 256 << 20
_TRANSFER_HEADERS: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class Sender:
    """Sends the requests of one client."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._slots = asyncio.Semaphore(CONNECTIONS)
        self._ending = dict[asyncio.Task[None], asyncio.Event]()

    async def send(self, request: httpx.Request) -> httpx.Response:
        """The reply with its whole body. A cancellation reaches a request that is being connected with its first byte."""
        may_end = asyncio.Event()
        may_end.set()

        async def follow(event: str, _details: object) -> None:
            if event.startswith("connection.connect_") and event.endswith(".started"):
                may_end.clear()
            elif event.endswith(".send_request_headers.started"):
                may_end.set()

        request.extensions["trace"] = follow
        exchange = asyncio.create_task(self._exchange(request))
        exchange.add_done_callback(lambda _: may_end.set())
        try:
            return await asyncio.shield(exchange)
        except asyncio.CancelledError:
            ending = asyncio.create_task(_end(exchange, may_end))
            self._ending[ending] = may_end
            ending.add_done_callback(self._ending.pop)
            raise

    async def finish(self) -> None:
        """End the requests that were cancelled, also those that are still being connected: no connection is needed again."""
        for may_end in self._ending.values():
            may_end.set()
        await asyncio.gather(*self._ending)

    async def _exchange(self, request: httpx.Request) -> httpx.Response:
        async with self._slots:
            return await _complete(await self._http.send(request, stream=True))


async def _end(exchange: asyncio.Task[httpx.Response], may_end: asyncio.Event) -> None:
    await may_end.wait()
    exchange.cancel()
    await asyncio.wait({exchange})
    if not exchange.cancelled():
        exchange.exception()  # retrieved, so that asyncio does not log it


async def _complete(sent: httpx.Response) -> httpx.Response:
    """The reply with its whole body; ProtocolError for one beyond `MAX_REPLY_BYTES`, or that cannot be decompressed."""
    body = bytearray()
    try:
        async for part in sent.aiter_bytes():
            body += part
            if len(body) > MAX_REPLY_BYTES:
                raise ProtocolError(f"{sent.url} answered with more than {MAX_REPLY_BYTES >> 20} MiB")
    except httpx.DecodingError as error:
        raise ProtocolError(f"{sent.url} answered with a body that its Content-Encoding does not fit") from error
    finally:
        await sent.aclose()
    headers = [(name, value) for name, value in sent.headers.multi_items() if name not in _TRANSFER_HEADERS]
    return httpx.Response(sent.status_code, headers=headers, content=bytes(body), request=sent.request)
