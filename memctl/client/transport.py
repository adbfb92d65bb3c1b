"""One request to memd and its typed answer: address, key, credits and errors in one place."""

import asyncio
import json
import math
import time
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import count
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import ConfigDict, ValidationError

from memctl.addresses import LOOPBACK
from memctl.client.errors import NoAnswer, NotReachable, ProtocolError, UnusableProxy, api_error
from memctl.client.retrying import seconds_before_retry
from memctl.client.sending import Sender
from memctl.wire.api_keys import trimmed_key
from memctl.wire.base import PatchModel, WireModel
from memctl.wire.errors import ErrorBody
from memctl.wire.external_ids import external_id

REQUEST_SECONDS = 35.0
"""A request runs at most 30 s at the server (contract 1.7)."""
IMPORT_SECONDS = 180.0
"""An import has 120 s at the server, plus what the body takes on the way."""
CONNECT_SECONDS = 5.0
REPLY_TIMEOUT_FACTOR = 4
"""The whole reply has this many times the timeout of the request."""
OPERATION_SECONDS = 12 * 3600.0
"""Requests after that time are another operation: memd takes none that began more than 24 hours ago (contract 17.5)."""
_NOT_ANSWERED = ""
"""The operation whose first request has no answer yet."""
_OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""Paths that need no key: the rate limit in their replies is not the caller's."""

Reply = TypeVar("Reply", bound=WireModel)


class AnyReply(WireModel):
    """A JSON object with any fields."""

    model_config = ConfigDict(extra="allow", alias_generator=None)


@dataclass(frozen=True, slots=True)
class Credits:
    """The caller's credit pool, from the headers of the last reply; `reset` is in Unix seconds."""

    limit: int
    remaining: int
    reset: int


class Transport:
    """Sends requests and turns answers into wire models or exceptions of `memctl.client.errors`."""

    def __init__(
        self,
        url: str,
        api_key: str | None,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        socket: str | None = None,
        end_user: str | None = None,
        retries: int = 0,
        timeout: float | None = None,
    ) -> None:
        """`socket` is the path of a unix socket that leads to the server at `url`; `end_user` as in `acting_for`.

        A request that is refused with 429 or 503 is sent again up to `retries` times. `timeout` is the most seconds that
        each attempt may take with its whole reply, where that is less than the request's own limit. ValueError for what
        cannot be an API key.
        """
        self._retries = retries
        self._timeout = timeout
        self._socket = socket
        self._end_user = _end_user_header(end_user)
        self._operation: str | None = None
        self._operation_ends = math.inf
        self.url = url.rstrip("/")
        self.credits: Credits | None = None
        self.server_time: datetime | None = None
        headers = {"Authorization": f"Bearer {trimmed_key(api_key)}"} if api_key else {}
        self._http = _client(self.url, headers, transport or _transport_for(httpx.URL(self.url), socket))
        self._sender = Sender(self._http)

    def acting_for(self, end_user: str) -> "Transport":
        """The same connections for an end user of the application (contract 17.1), by the application's name for it.

        ValueError for what cannot be a name.
        """
        other = copy(self)
        other._end_user = _end_user_header(end_user)  # noqa: SLF001 - a copy of this object
        return other

    def begin_operation(self) -> None:
        """Let the requests from now on be one operation, which undo takes back as one write (contract 17.5).

        It bears the id of the first of them that is answered.
        """
        self._operation = _NOT_ANSWERED
        self._operation_ends = time.monotonic() + OPERATION_SECONDS

    async def __aenter__(self) -> Self:
        """Open the connections."""
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self._sender.finish()
        await self._http.__aexit__(kind, error, trace)

    async def get(self, path: str, reply: type[Reply], query: PatchModel | None = None) -> Reply:
        """GET; the query holds only the fields that were set."""
        return await self.call("GET", path, reply, params=url_params(query))

    async def post(
        self, path: str, reply: type[Reply], body: PatchModel | None = None, *, seconds: float = REQUEST_SECONDS
    ) -> Reply:
        """POST with a JSON body."""
        return await self.call("POST", path, reply, json=body.to_request() if body else {}, seconds=seconds)

    async def call(
        self,
        method: str,
        path: str,
        reply: type[Reply],
        *,
        params: Mapping[str, str] | None = None,
        json: Mapping[str, Any] | None = None,
        seconds: float = REQUEST_SECONDS,
        accept: Collection[int] = (),
    ) -> Reply:
        """Send one request; `accept` names error statuses whose body is the reply; raises `memctl.client.errors`."""
        answer = await self.send(method, path, params=params, json=json, seconds=seconds)
        return read_reply(answer, reply, accept)

    async def request(self, method: str, path: str, *, params: Mapping[str, str] | None, json: object) -> object:
        """Send one request to any endpoint; its JSON, or the text of a reply that has another content type."""
        answer = await self.send(method, path, params=params, json=json)
        is_json = answer.headers.get("Content-Type", "").startswith("application/json")
        if answer.is_success and not is_json:
            return _text(answer)
        return read_reply(answer, AnyReply).model_dump(by_alias=True)

    async def send(self, method: str, path: str, *, seconds: float = REQUEST_SECONDS, **request: Any) -> httpx.Response:
        """Send one request, with retries of temporary refusals; any reply, or NotReachable when none arrives."""
        if self._end_user:
            request["headers"] = {**request.get("headers", {}), **self._end_user}
        if time.monotonic() > self._operation_ends:
            self.begin_operation()
        if self._operation:
            request["headers"] = {**request.get("headers", {}), "X-Operation-Id": self._operation}
        for attempt in count():
            answer = await self._send_once(method, path, seconds, request)
            if self._operation == _NOT_ANSWERED:
                self._operation = answer.headers.get("X-Request-Id")
            wait = seconds_before_retry(answer, attempt) if attempt < self._retries else None
            if wait is None:
                return answer
            await asyncio.sleep(wait)
        raise AssertionError("the attempts have no end")

    async def _send_once(self, method: str, path: str, seconds: float, request: Mapping[str, Any]) -> httpx.Response:
        whole = REPLY_TIMEOUT_FACTOR * seconds
        if self._timeout is not None:
            seconds, whole = min(seconds, self._timeout), min(whole, self._timeout)
        timeout = httpx.Timeout(seconds, connect=CONNECT_SECONDS)
        try:
            async with asyncio.timeout(whole):
                answer = await self._sender.send(self._http.build_request(method, path, timeout=timeout, **request))
        except (httpx.ReadTimeout, httpx.WriteTimeout, TimeoutError) as error:
            raise NoAnswer(self.url, seconds) from error
        except (httpx.InvalidURL, httpx.TransportError) as error:
            raise NotReachable(self.url, f"{error}{_through_proxy(self.url, self._socket)}", self._socket) from error
        if path not in _OPEN_PATHS:
            self.credits = _credits(answer.headers) or self.credits
        self.server_time = _server_time(answer.headers) or self.server_time
        return answer


def _text(answer: httpx.Response) -> str:
    """The body in the charset that the reply names, or as UTF-8 if no codec of text has this name."""
    try:
        return answer.content.decode(answer.charset_encoding or "utf-8", "replace")
    except (LookupError, UnicodeError):
        return answer.content.decode("utf-8", "replace")


def _end_user_header(name: str | None) -> Mapping[str, bytes]:
    return {} if name is None else {"X-Memd-User": external_id(name).encode()}


def _transport_for(url: httpx.URL, socket: str | None) -> httpx.AsyncBaseTransport | None:
    """No proxy is used for this machine, and a connection that was refused is tried once more."""
    if socket is not None:
        return httpx.AsyncHTTPTransport(retries=1, uds=socket)
    if url.host not in LOOPBACK:
        return None
    return httpx.AsyncHTTPTransport(retries=1, verify=url.scheme == "https")


def _client(url: str, headers: Mapping[str, str], transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    """The HTTP client; without a transport, it takes the proxies of the environment, or raises UnusableProxy."""
    timeout = httpx.Timeout(REQUEST_SECONDS, connect=CONNECT_SECONDS)
    try:
        return httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout, transport=transport)
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        raise UnusableProxy(url, str(error)) from error


def _through_proxy(url: str, socket: str | None) -> str:
    """What to add to the reason of a failure if the environment names a proxy for the address."""
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    host = parts.hostname or ""
    if socket is not None or host in LOOPBACK or proxy_bypass(host) or not getproxies().keys() & {parts.scheme, "all"}:
        return ""
    return f", through the proxy of {parts.scheme.upper()}_PROXY or ALL_PROXY"


def url_params(query: PatchModel | None) -> dict[str, str]:
    """URL parameters: booleans and objects as JSON, everything else as text."""
    values = query.to_request() if query else {}
    return {name: _url_text(value) for name, value in values.items() if value is not None}


def _url_text(value: object) -> str:
    if isinstance(value, (bool, dict)):
        return json.dumps(value, separators=(",", ":"))
    return str(value)


def _credits(headers: httpx.Headers) -> Credits | None:
    try:
        limit, remaining, reset = (int(headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset"))
    except (KeyError, ValueError):
        return None
    return Credits(limit, remaining, reset)


def _server_time(headers: httpx.Headers) -> datetime | None:
    try:
        return parsedate_to_datetime(headers["Date"])
    except (KeyError, ValueError):
        return None


def read_reply(answer: httpx.Response, reply: type[Reply], accept: Collection[int] = ()) -> Reply:
    """The reply of an answer; `accept` as in `Transport.call`; raises `memctl.client.errors` for any other answer."""
    try:
        body: Any = answer.json()
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"{answer.url} answered {answer.status_code} with a body that is not JSON") from error
    try:
        if answer.is_success or answer.status_code in accept:
            return reply.model_validate(body)
        failure = ErrorBody.model_validate(body)
    except ValidationError as error:
        raise ProtocolError(f"{answer.url} answered {answer.status_code} in an unknown shape") from error
    raise api_error(answer.status_code, failure, answer.headers.get("X-Request-Id"))
