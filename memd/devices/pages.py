"""The page /device: sign in with a key, enter or confirm the user code, approve or deny (contract 9.3).

Plain forms, no script. A key travels in the body of one POST and is never written into a page, a URL or a cookie.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from memd.access.authentication.authenticate import authenticate, key_hash_of
from memd.access.authentication.principal import Principal
from memd.access.http.envelope import Envelope
from memd.access.open_pipeline import admitted
from memd.access.rate_limits.body_bytes import BODIES
from memd.access.request.body import read_bytes
from memd.access.steps import query_fields
from memd.accounts.new_keys import hash_key
from memd.audit.refusals import SIGN_IN, Refusal
from memd.context import Context, Services
from memd.devices import browser_sessions, rendering, service
from memd.domain.accounts.device_codes import USER_LENGTH, plain_user_code, shown_user_code
from memd.domain.accounts.key_rules import DEVICE_KEY_DAYS
from memd.domain.types import DeviceStatus, KeyScope
from memd.errors import BadRequest, Forbidden, MemdError, NotFound, RequestTimeout, Unauthorized

COOKIE = "memd_device"
MAX_BYTES = 16 * 1024
KEY_DAYS = {"1": "1 day", "30": "30 days", "180": "180 days", "365": "1 year", "0": "until it is revoked"}
"""The lifetimes of a device's key that the page offers, in days; 0 = no end."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """One request to the page: who, from where, with which cookie and fields."""

    request: Request
    services: Services
    envelope: Envelope
    token: str
    caller: Principal | None
    fields: Mapping[str, str]

    @property
    def user_code(self) -> str:
        """The code that was sent, in the form that people read."""
        letters = plain_user_code(self.fields.get("user_code", ""))[:USER_LENGTH]
        return shown_user_code(letters) if len(letters) == USER_LENGTH else letters

    @property
    def context(self) -> Context:
        """The context of a use case; signed-in users only."""
        if self.caller is None:
            raise Unauthorized
        return Context(
            self.services, self.caller, self.envelope.request_id, self.services.clock(), self.envelope.address
        )


Action = Callable[[Visitor], Awaitable[Response]]


async def show(request: Request) -> Response:
    """The current page for this browser: sign in, enter a code, or confirm one."""
    try:
        fields = query_fields(request.scope)
    except BadRequest as error:
        return rendering.problem(error)
    return await _answer(request, fields, _current)


async def act(request: Request) -> Response:
    """One submitted form."""
    try:
        timeout_s = request.app.state.services.settings.http_body_timeout_s
        with BODIES.receiving() as held:
            text = (await read_bytes(request, MAX_BYTES, timeout_s, held)).decode()
        fields = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=20))
    except RequestTimeout as error:
        return rendering.problem(error)
    except (MemdError, ValueError):
        fields: dict[str, str] = {}
    return await _answer(request, fields, _submitted)


PAGES = {("GET", "/device"): show, ("POST", "/device"): act}


async def _answer(request: Request, fields: Mapping[str, str], action: Action) -> Response:
    """Run an action with the visitor; every failure is a page too, and every page keeps the browser's cookie."""
    services: Services = request.app.state.services
    envelope: Envelope = request.scope["memd.envelope"]
    token = request.cookies.get(COOKIE) or browser_sessions.new_token()
    try:
        async with admitted(request, f"{request.method} /device"):
            caller = await browser_sessions.signed_in(services, token, envelope.address)
            visitor = Visitor(request, services, envelope, token, caller, fields)
            response = await action(visitor)
    except MemdError as error:
        response = rendering.problem(error)
    if COOKIE not in request.cookies and COOKIE not in response.headers.get("set-cookie", ""):
        _set_cookie(request, response, token)
    return response


async def _current(visitor: Visitor) -> Response:
    if visitor.caller is None:
        return _sign_in_page(visitor)
    if not visitor.user_code:
        return _code_page(visitor)
    try:
        row = await service.find_pending(
            visitor.services,
            visitor.caller.user_id,
            visitor.user_code,
            visitor.envelope.address,
            visitor.services.clock(),
        )
    except NotFound as error:
        return _code_page(visitor, error)
    return _page(
        visitor,
        "confirm.html",
        client=row.client_name,
        address=row.client_address,
        key_label=visitor.caller.key_label,
        key_days=KEY_DAYS,
        chosen_days=str(DEVICE_KEY_DAYS),
    )


async def _submitted(visitor: Visitor) -> Response:
    """The fields of a form, once it is known to be ours."""
    if not browser_sessions.same(visitor.token, visitor.fields.get("form_token", "")):
        raise Forbidden
    action = _ACTIONS.get(visitor.fields.get("action", ""), _find)
    if action is not _sign_in and visitor.caller is None:
        return _redirect(visitor)
    return await action(visitor)


async def _sign_in(visitor: Visitor) -> Response:
    """Begin a session for a key that may write; a wrong key is charged to the bucket of its address."""
    key = visitor.fields.get("api_key", "").strip()
    try:
        caller = await authenticate(visitor.services, f"Bearer {key}", visitor.envelope.address)
    except Unauthorized as error:
        refusal = Refusal(SIGN_IN, visitor.envelope.address, key_hash=key_hash_of(f"Bearer {key}"))
        visitor.services.refusals.note(refusal)
        return _sign_in_page(visitor, error)
    if not caller.may(KeyScope.WRITE):
        return _sign_in_page(visitor, Forbidden())
    response = _redirect(visitor)
    token = await browser_sessions.sign_in(replace(visitor, caller=caller).context, hash_key(key))
    _set_cookie(visitor.request, response, token)
    return response


async def _find(visitor: Visitor) -> Response:
    return _redirect(visitor)


async def _decide(visitor: Visitor) -> Response:
    approve = visitor.fields["action"] == "approve"
    try:
        status = await service.decide(
            visitor.context,
            visitor.user_code,
            approve=approve,
            address=visitor.envelope.address,
            days=_days(visitor.fields.get("days", "")),
        )
    except NotFound as error:
        return _code_page(visitor, error)
    return _page(visitor, "done.html", approved=status is DeviceStatus.COMPLETE)


def _days(chosen: str) -> int | None:
    """The lifetime in days that was chosen on the page; None, the default, for a value that the page does not offer."""
    return int(chosen) if chosen in KEY_DAYS else None


async def _sign_out(visitor: Visitor) -> Response:
    await browser_sessions.sign_out(visitor.services, visitor.token)
    response = RedirectResponse("device", status_code=303)
    _set_cookie(visitor.request, response, browser_sessions.new_token())
    return response


_ACTIONS: Mapping[str, Action] = {"sign_in": _sign_in, "approve": _decide, "deny": _decide, "sign_out": _sign_out}


def _sign_in_page(visitor: Visitor, error: MemdError | None = None) -> Response:
    return _page(visitor, "sign_in.html", error)


def _code_page(visitor: Visitor, error: MemdError | None = None) -> Response:
    return _page(visitor, "code.html", error)


def _page(visitor: Visitor, template: str, error: MemdError | None = None, **facts: object) -> Response:
    fields = {"form_token": browser_sessions.form_token(visitor.token), "user_code": visitor.user_code, **facts}
    return rendering.page(template, error, fields)


def _redirect(visitor: Visitor) -> RedirectResponse:
    """Back to the page; the code may be in its address, a key never."""
    query = f"?{urlencode({'user_code': visitor.user_code})}" if visitor.user_code else ""
    return RedirectResponse(f"device{query}", status_code=303)


def _set_cookie(request: Request, response: Response, token: str) -> None:
    base = urlsplit(request.app.state.services.settings.base_url or str(request.base_url))
    response.set_cookie(
        COOKIE,
        token,
        max_age=browser_sessions.LIFETIME_S,
        path=f"{base.path.rstrip('/')}/device",
        secure=base.scheme == "https",
        httponly=True,
        samesite="strict",
    )
