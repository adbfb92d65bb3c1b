"""Bearer to principal (contract 1.6): the five ways to fail look the same."""

import re

from memd.access.principal import Principal
from memd.accounts import service as accounts
from memd.context import Services
from memd.errors import Unauthorized

_BEARER = re.compile(r"bearer ([^\s]+)", re.IGNORECASE)
_KEY = re.compile(r"[0-9a-fA-F]{64}")


async def authenticate(services: Services, header: str | None) -> Principal:
    """The caller behind an `Authorization` header; `Unauthorized` for anything but a live key."""
    match = _BEARER.fullmatch(header or "")
    token = match.group(1) if match else ""
    if not _KEY.fullmatch(token):
        raise Unauthorized
    principal = await accounts.find_caller(services, token)
    if principal is None:
        raise Unauthorized
    return principal
