"""The declaration of an endpoint: everything that the contract's index (6.0) states, in one value."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, TypedDict, TypeVar, Unpack

from pydantic import BaseModel
from starlette.responses import Response

from memctl.wire.base import PatchModel, RequestModel
from memd.context import Context, Services
from memd.domain.accounts.credits import Allowance
from memd.domain.types import KeyScope

B = TypeVar("B", bound=PatchModel)


class NoBody(RequestModel):
    """An endpoint that takes no fields."""


@dataclass(frozen=True, slots=True)
class Call(Generic[B]):
    """One request that passed steps 1–8 of contract 1.3."""

    context: Context
    body: B
    path: Mapping[str, str]
    query: Mapping[str, str]
    address: str
    parts: Sequence[Any] = ()
    """The parts of the body that its price was computed from, as in `Priced`."""


class Priced(NamedTuple):
    """The price of a request; the validated body and its parts, where the price depends on them."""

    cost: int
    body: PatchModel | None = None
    parts: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class Visit(Generic[B]):
    """One request to an endpoint that needs no key; `origin` is the base URL that the client used."""

    services: Services
    body: B
    address: str
    origin: str
    now: int


Handler = Callable[[Call[Any]], Awaitable[BaseModel | Response]]
OpenHandler = Callable[[Visit[Any]], Awaitable[BaseModel]]
Price = Callable[[dict[str, Any], Allowance], Awaitable[Priced]]
Before = Callable[[Context, dict[str, Any]], Awaitable[BaseModel | None]]
"""An optional answer from the raw body, before validation; None lets the request continue."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Method, path, price and key scope, the models of both directions, and the handler behind them.

    `at_most_remainder` cuts the price to what is left of the window, but not below `credits`. A key with
    `alternative_scope` may call it too.
    """

    method: str
    path: str
    credits: int
    scope: KeyScope
    body: type[PatchModel]
    reply: type[BaseModel]
    handler: Handler
    status: int = 200
    query: type[PatchModel] | None = None
    bulk: bool = False
    price: Price | None = None
    at_most_remainder: bool = False
    before: Before | None = None
    jwt: bool = False
    errors: tuple[int, ...] = ()
    alternative_scope: KeyScope | None = None

    @property
    def name(self) -> str:
        """`POST /api/mcp/capture`, as logs and documents write it."""
        return f"{self.method} {self.template}"

    @property
    def template(self) -> str:
        """The path as documents write it, without what says that a parameter may hold slashes."""
        return self.path.replace(":path}", "}")


class Options(TypedDict, total=False):
    """Optional declarations of an endpoint, as in `Endpoint`."""

    status: int
    query: type[PatchModel] | None
    bulk: bool
    price: Price | None
    at_most_remainder: bool
    before: Before | None
    jwt: bool
    errors: tuple[int, ...]
    alternative_scope: KeyScope | None


@dataclass(frozen=True, slots=True)
class OpenEndpoint:
    """An endpoint that needs no key and costs nothing."""

    method: str
    path: str
    body: type[PatchModel]
    reply: type[BaseModel]
    handler: OpenHandler
    status: ClassVar[int] = 200
    query: ClassVar[None] = None
    errors: ClassVar[tuple[int, ...]] = ()

    @property
    def name(self) -> str:
        """As of an `Endpoint`."""
        return f"{self.method} {self.template}"

    @property
    def template(self) -> str:
        """As of an `Endpoint`."""
        return self.path


@dataclass(slots=True)
class Room:
    """The endpoints of one room, gathered by the decorators `endpoint` and `open_endpoint`."""

    name: str
    endpoints: list[Endpoint] = field(default_factory=list[Endpoint])
    open_endpoints: list[OpenEndpoint] = field(default_factory=list[OpenEndpoint])

    def endpoint(
        self,
        method: str,
        path: str,
        *,
        credits: int,  # noqa: A002 - the contract's word
        scope: KeyScope,
        reply: type[BaseModel],
        body: type[PatchModel] = NoBody,
        **options: Unpack[Options],
    ) -> Callable[[Callable[[Call[Any]], Awaitable[BaseModel | Response]]], Handler]:
        """Declare the decorated coroutine as the handler of an endpoint."""

        def declare(handler: Handler) -> Handler:
            # pyrefly: ignore[open-unpacking] - before Python 3.15 no TypedDict can be closed
            endpoint = Endpoint(method, path, credits, scope, body, reply, handler, **options)
            self.endpoints.append(endpoint)
            return handler

        return declare

    def open_endpoint(
        self, method: str, path: str, *, body: type[PatchModel], reply: type[BaseModel]
    ) -> Callable[[OpenHandler], OpenHandler]:
        """Declare the decorated coroutine as the handler of an endpoint without a key."""

        def declare(handler: OpenHandler) -> OpenHandler:
            self.open_endpoints.append(OpenEndpoint(method, path, body, reply, handler))
            return handler

        return declare
