"""HTML of the device pages: templates, and the headers that keep a page to itself."""

import secrets
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

from memd.errors import Forbidden, MemdError, NotFound, RateLimitExceeded, ServerBusy, Unauthorized

if TYPE_CHECKING:
    from jinja2 import Environment

_SENTENCES: Mapping[type[MemdError], str] = {
    Unauthorized: "This key is not valid here. Keys have 64 characters.",
    NotFound: "This code is not known, was used, or has expired. Start again on the device for a new one.",
    RateLimitExceeded: "Too many attempts. Wait a minute, then try again.",
    ServerBusy: "memd is busy. Try again in a moment.",
}
_FORBIDDEN_KEY = "This key may not approve devices: it lacks the scope write."
_STALE_FORM = "This form was open for too long, or cookies are off. Open the page again."


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("memd.devices"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(template: str, error: MemdError | None, fields: Mapping[str, object]) -> HTMLResponse:
    """A page; an error is shown above its form and sets the status."""
    sentence = None
    if error is not None:
        sentence = _FORBIDDEN_KEY if isinstance(error, Forbidden) else _SENTENCES.get(type(error))
    return _respond(template, error, {**fields, "problem": sentence})


def problem(error: MemdError) -> HTMLResponse:
    """An error page for a request that failed."""
    sentence = _STALE_FORM if isinstance(error, Forbidden) else _SENTENCES.get(type(error), error.error)
    return _respond("problem.html", error, {"problem": sentence})


def _respond(template: str, error: MemdError | None, fields: Mapping[str, object]) -> HTMLResponse:
    nonce = secrets.token_urlsafe(16)
    html = _templates().get_template(template).render(nonce=nonce, **fields)
    headers = {
        "Content-Security-Policy": (
            f"default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; "
            "base-uri 'none'; frame-ancestors 'none'"
        ),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        **(error.headers if error is not None else {}),
    }
    headers.pop("WWW-Authenticate", None)
    return HTMLResponse(html, status_code=error.status if error is not None else 200, headers=headers)
