"""The steps that a request takes over HTTP and over MCP alike (contract 1.3, steps 3–15)."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar, cast
from urllib.parse import unquote_to_bytes

import structlog
from psycopg import OperationalError
from psycopg.errors import ProgramLimitExceeded, QueryCanceled
from psycopg_pool import PoolTimeout
from pydantic import BaseModel, ValidationError
from starlette.datastructures import Headers, QueryParams
from starlette.responses import Response
from starlette.types import Scope

from memctl.wire.base import PatchModel
from memctl.wire.limits import CHUNKS_PER_REQUEST_MAX
from memd.access.authentication.authenticate import authenticate, key_hash_of
from memd.access.authentication.end_user import FIELD, HEADER, end_user_of_fields, end_user_of_header, names_end_user
from memd.access.authentication.principal import Principal
from memd.access.endpoint import Call, Endpoint, Priced
from memd.access.http.envelope import Envelope
from memd.access.request.body import SMALL_BYTES, check_text
from memd.access.request.operation import operation_of
from memd.accounts.end_users import service as end_users
from memd.audit.recording import END_USER_READ, record_read
from memd.audit.refusals import ACCESS_REFUSED, KEY_REFUSED, POLICY_BLOCK, Refusal
from memd.context import Context, Services
from memd.db.connections.fair_queue import CALLER
from memd.domain.types import KeyScope
from memd.errors import (
    AlreadyRunning,
    BadRequest,
    ContentBlocked,
    Forbidden,
    ImportTooLarge,
    InvalidChunk,
    LastAdminKey,
    RateLimitExceeded,
    RefusedAtOnce,
    ServerBusy,
    Unauthorized,
)
from memd.off_loop import body_in_thread
from memd.validation import details_of, invalid_chunk_of

log = structlog.get_logger()
M = TypeVar("M", bound=PatchModel)
UNAVAILABLE = (TimeoutError, OperationalError)
"""The request or one of its statements took too long, or the database is not reachable or cannot write now."""
_INLINE_ROWS = 64


@dataclass(frozen=True, slots=True)
class Sent:
    """The fields of a request: of the body of `size` bytes, of the path and of the URL; `from_url` when there is no body."""

    raw: dict[str, Any]
    path: Mapping[str, str]
    query: Mapping[str, str]
    from_url: bool = False
    size: int = 0


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller and the envelope of the response that it gets; `named` by the header is an end user.

    `by_admin`: a key with the scope `admin` acts for that end user.
    """

    services: Services
    envelope: Envelope
    principal: Principal
    named: str | None = None
    by_admin: bool = False

    def permit(self, scope: KeyScope, alternative: KeyScope | None = None) -> None:
        """Step 4: `Forbidden` when the key has neither the scope nor the alternative."""
        if not self.principal.may(scope) and (alternative is None or not self.principal.may(alternative)):
            self.note_refusal(ACCESS_REFUSED, None, f"scope {scope}")
            raise Forbidden

    async def as_named_by(self, fields: Mapping[str, Any]) -> "Caller":
        """The end user that the fields name, or this caller; they are ignored without the scope `act_as`.

        `BadRequest` when the header names another one.
        """
        if self.named is None and not self.principal.may(KeyScope.ACT_AS):
            return self
        name = end_user_of_fields(fields)
        if name is None or name == self.named:
            return self
        if self.named is not None:
            raise BadRequest(f"Field {FIELD} and the header {HEADER} must name the same user")
        return await self.acting_for(name)

    async def acting_for(self, name: str) -> "Caller":
        """The caller as an end user of its account; the rate headers of the response are the end user's."""
        principal = await end_users.acting_for(self.services, self.principal, name)
        self.envelope.rate = await self.services.rate_limiter.view(principal)
        by_admin = self.by_admin or self.principal.may(KeyScope.ADMIN)
        return replace(self, principal=principal, named=name, by_admin=by_admin)

    def note_refusal(self, action: str, target: str | None, reason: str) -> None:
        """Have a refusal of this caller written to the audit log."""
        caller = self.principal
        self.services.refusals.note(
            Refusal(action, self.envelope.address, caller.user_id, caller.key_id, target=target, reason=reason)
        )

    async def acquire_slot(self) -> None:
        """Step 5: one of the caller's slots, until the last byte of the reply is sent.

        Among those that wait for a connection the request takes the turn of its caller; end users share their account's.
        """
        CALLER.set((self.principal.account or self.principal).user_id)
        await self.envelope.held.enter_async_context(self.services.rate_limiter.slot(self.principal))

    async def change_slot(self) -> None:
        """Release the slot of `acquire_slot` and acquire one as this caller: no request waits for a slot while it holds another."""
        await self.envelope.held.aclose()
        await self.acquire_slot()

    async def require_credit(self) -> None:
        """`RateLimitExceeded` for a caller without any credit; before a large body is parsed."""
        if self.envelope.rate is not None and self.envelope.rate.remaining == 0:
            await self.debit(1)

    async def debit(self, cost: int, minimum: int | None = None) -> int:
        """Step 7: take `cost` credits, or nothing and `RateLimitExceeded`; how many. The envelope shows what is left.

        With `minimum`, whatever part of the cost is left in the window, if that is at least `minimum`.
        """
        rate_limiter = self.services.rate_limiter
        try:
            self.envelope.rate = view = await rate_limiter.debit(self.principal, cost, minimum)
        except RateLimitExceeded:
            self.envelope.rate = await rate_limiter.view(self.principal)
            raise
        return view.taken

    async def give_back(self, credits_taken: int) -> None:
        """Undo `debit`."""
        self.envelope.rate = await self.services.rate_limiter.give_back(self.principal, credits_taken)


async def identify(services: Services, envelope: Envelope, headers: Headers, *, jwt: bool = False) -> Caller:
    """Step 3; a caller without a valid key is charged to the bucket of its address. The header may name an end user."""
    header = headers.get("authorization")
    try:
        principal = await authenticate(services, header, envelope.address, jwt=jwt)
    except (Unauthorized, RateLimitExceeded):
        services.refusals.note(Refusal(KEY_REFUSED, envelope.address, key_hash=key_hash_of(header)))
        envelope.rate = await services.rate_limiter.view_address(envelope.address)
        raise
    envelope.rate = await services.rate_limiter.view(principal)
    envelope.operation_id = operation_of(headers, envelope.request_id)
    caller = Caller(services, envelope, principal)
    if not names_end_user(headers):
        return caller
    caller.permit(KeyScope.ACT_AS)
    return await caller.acting_for(end_user_of_header(headers))


def log_unavailable(name: str, error: Exception) -> None:
    """Log why a request ends with `ServerBusy`: it ran out of time, or the database failed."""
    late = isinstance(error, (TimeoutError, PoolTimeout, QueryCanceled))
    event = "request.timeout" if late else "request.database_failed"
    log.warning(event, endpoint=name, error=type(error).__name__, reason=str(error).partition("\n")[0])


@asynccontextmanager
async def in_time(name: str, seconds: float | None) -> AsyncGenerator[None]:
    """The time that a request may run; `ServerBusy` when it is exceeded."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except ProgramLimitExceeded:  # a statement that no second try makes smaller
        raise
    except UNAVAILABLE as error:
        log_unavailable(name, error)
        raise ServerBusy from None


def budget(endpoint: Endpoint, services: Services) -> float | None:
    """The seconds that a request to an endpoint may run.

    An import bounds its own embedding; what is embedded by then or not is always written, so it never ends with 503.
    """
    return None if endpoint.bulk else services.settings.http_request_timeout_s


async def perform(endpoint: Endpoint, caller: Caller, sent: Sent) -> BaseModel | Response:
    """Steps 7–15 for an admitted caller whose body has been read."""
    limits = caller.principal.limits
    priced = await endpoint.price(sent.raw, limits) if endpoint.price else Priced(endpoint.credits)
    taken = await caller.debit(priced.cost, endpoint.credits if endpoint.at_most_remainder else None)
    context = Context(
        services=caller.services,
        principal=caller.principal,
        request_id=caller.envelope.request_id,
        now=caller.services.clock(),
        address=caller.envelope.address,
        operation_id=caller.envelope.operation_id,
    )
    known = await endpoint.before(context, sent.raw) if endpoint.before else None
    if known is not None:
        return known
    body = priced.body or await _validated(endpoint, sent, context.services.settings.kb_require_chunk_title)
    call = Call(context, body, sent.path, sent.query, caller.envelope.address, priced.parts)
    if caller.by_admin and endpoint.scope is KeyScope.READ:
        await record_read(context, END_USER_READ, endpoint.name)
    try:
        return await endpoint.handler(call)
    except ContentBlocked as error:
        caller.note_refusal(POLICY_BLOCK, endpoint.name, error.threat_id)
        raise
    except (Forbidden, LastAdminKey) as error:
        caller.note_refusal(ACCESS_REFUSED, endpoint.name, error.error)
        raise
    except (AlreadyRunning, RefusedAtOnce):
        await caller.give_back(taken)
        raise


async def _validated(endpoint: Endpoint, sent: Sent, chunk_title: bool) -> PatchModel:
    """Step 8: the fields, of the body or of the URL; large bodies and batches are read off the event loop."""
    check_texts(sent.query)
    if endpoint.query is not None:
        parse_model(endpoint.query, dict(sent.query), {"source": "query"})
    if sent.from_url:
        return parse_model(endpoint.body, dict(sent.query), {"source": "query"})
    facts = {"require_chunk_title": chunk_title}
    rows = _row_count(sent.raw)
    if rows <= _INLINE_ROWS and sent.size <= SMALL_BYTES:
        return parse_model(endpoint.body, sent.raw, facts)
    if endpoint.bulk and rows > CHUNKS_PER_REQUEST_MAX:
        raise ImportTooLarge(rows)
    return await body_in_thread(partial(parse_model, endpoint.body, sent.raw, facts), sent.size)


def _row_count(raw: dict[str, Any]) -> int:
    """The length of the longest list in a body."""
    return max((len(cast("list[Any]", value)) for value in raw.values() if isinstance(value, list)), default=0)


def query_fields(scope: Scope) -> QueryParams:
    """The fields of the query part of a URL; as a mapping, the last one of a name. `BadRequest` for a URL that is not UTF-8.

    What reads URLs by itself replaces bytes that are not.
    """
    for name, part in (("path", scope["raw_path"]), ("query part", scope["query_string"])):
        try:
            unquote_to_bytes(part).decode()
        except UnicodeDecodeError:
            raise BadRequest(f"The {name} of the URL is not UTF-8") from None
    return QueryParams(scope["query_string"].decode())


def check_texts(query: Mapping[str, str]) -> None:
    """The fields of a URL follow the text rules of contract 1.1.3."""
    for name, text in query.items():
        check_text(name, text)


def parse_model(model: type[M], raw: dict[str, Any], facts: dict[str, Any]) -> M:
    """The fields as a wire model; `BadRequest` or `InvalidChunk` in the words of contract 1.5."""
    try:
        return model.from_body(raw, facts)
    except ValidationError as error:
        chunk = invalid_chunk_of(error)
        if chunk is not None:
            raise InvalidChunk(*chunk) from None
        raise BadRequest(details_of(error)) from None
