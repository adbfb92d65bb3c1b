"""Sending a signed request to a webhook, to public addresses only.

The host is resolved once and the connection goes to the address that was checked, so that a second answer of the name
server cannot lead elsewhere. Redirects are not followed, proxies of the environment are not used, and nothing of the
reply but its status is read.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit
from uuid import UUID

import httpx

from memd.domain.schedule.standing import is_public

TIMEOUT_S: Final = 10.0
LOOK_UPS: Final = 2
"""Names of one sender that are looked up at a time. A name server that does not answer holds a thread beyond the timeout:
so few threads that no sender can take those of the others."""
_RESOLVER: Final = ThreadPoolExecutor(max_workers=32, thread_name_prefix="webhook-dns")
_looking_up: Final[Counter[UUID]] = Counter()
_PORTS: Final = {"https": 443, "http": 80}
NOT_ALLOWED: Final = "the host has no address, or one that is not public"
"""One message for both, and as many attempts: otherwise users could ask which names the operator's network knows."""


class WebhookError(Exception):
    """The webhook did not take the delivery; the message says why, without anything that it sent."""


class WebhookRefusedError(WebhookError):
    """Another attempt would fail too: the URL itself holds an address that is not allowed."""


def parse_url(url: str) -> SplitResult:
    """The parts of a webhook's URL; ValueError unless it is an http or https URL with a host and no credentials."""
    parts = urlsplit(url)
    is_plain = url.isascii() and url.isprintable() and " " not in url
    has_host = parts.scheme in _PORTS and bool(parts.hostname) and "@" not in parts.netloc
    if not is_plain or not has_host or parts.port == 0:  # reading a malformed port raises a ValueError too
        raise ValueError("not the URL of a webhook")
    str(parts.hostname).encode("idna")  # a name that no name server can be asked for raises a ValueError, too
    return parts


async def post(url: str, body: bytes, headers: Mapping[str, str], *, sender: UUID, private: bool) -> None:
    """POST a JSON body; `WebhookError` unless the reply is a 2xx. `private` allows addresses that are not public."""
    parts = parse_url(url)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            address = await _resolve(parts, sender, private=private)
            status = await _send(parts, address, body, headers)
    except TimeoutError:
        raise WebhookError("no reply in time") from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise WebhookError(type(error).__name__) from None
    if not 200 <= status < 300:
        raise WebhookError(f"status {status}")


async def _resolve(parts: SplitResult, sender: UUID, *, private: bool) -> str:
    """The address to connect to; every address of the host has to be allowed."""
    loop = asyncio.get_running_loop()
    host, port = str(parts.hostname), parts.port or _PORTS[parts.scheme]
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    if _looking_up[sender] >= LOOK_UPS:
        raise WebhookError("earlier look-ups of host names have not ended")
    _looking_up[sender] += 1
    pending = loop.run_in_executor(_RESOLVER, look_up)
    pending.add_done_callback(partial(_looked_up, sender))
    try:
        found = await asyncio.shield(pending)
    except socket.gaierror:
        raise WebhookError(NOT_ALLOWED) from None
    addresses = [str(sockaddr[0]) for *_, sockaddr in found]
    if not private and not all(is_public(address) for address in addresses):
        raise WebhookRefusedError(NOT_ALLOWED) if addresses == [host] else WebhookError(NOT_ALLOWED)
    return addresses[0]


def _looked_up(sender: UUID, ended: asyncio.Future[Any]) -> None:
    """Let the sender look up another name; an error that nobody waits for any more is dropped."""
    _looking_up[sender] -= 1
    if not _looking_up[sender]:
        del _looking_up[sender]
    if not ended.cancelled():
        ended.exception()


async def _send(parts: SplitResult, address: str, body: bytes, headers: Mapping[str, str]) -> int:
    """The status of the reply. TLS checks the certificate for the host of the URL, not for the address."""
    host = f"[{address}]" if ":" in address else address
    port = parts.port or _PORTS[parts.scheme]
    target = httpx.URL(parts._replace(netloc=f"{host}:{port}", fragment="").geturl())
    sent = {**headers, "Host": parts.netloc, "Content-Type": "application/json", "User-Agent": "memd"}
    async with (
        httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=TIMEOUT_S) as client,
        client.stream(
            "POST", target, content=body, headers=sent, extensions={"sni_hostname": str(parts.hostname)}
        ) as reply,
    ):
        return reply.status_code
