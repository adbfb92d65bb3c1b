"""Bearer to principal (contract 1.6): the ways to fail look the same."""

import re

from memd.access.principal import Principal
from memd.accounts import service as accounts
from memd.accounts.new_keys import hash_key
from memd.context import Services
from memd.errors import Unauthorized

_BEARER = re.compile(r"bearer ([^\s]+)", re.IGNORECASE)
_KEY = re.compile(r"[0-9a-fA-F]{64}")
_JWT = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")


async def authenticate(services: Services, header: str | None, *, jwt: bool = False) -> Principal:
    """The caller behind an `Authorization` header; `Unauthorized` for anything but a live key, or where `jwt` a token."""
    token = _token(header)
    principal = None
    if _KEY.fullmatch(token):
        principal = await accounts.find_caller(services, hash_key(token))
    elif jwt and services.jwt is not None and _JWT.fullmatch(token):
        principal = await accounts.find_subject(services, await services.jwt.subject(token))
    if principal is None:
        raise Unauthorized
    return principal


def key_hash_of(header: str | None) -> str | None:
    """The hash of the key that an `Authorization` header carries; None when it carries none."""
    token = _token(header)
    return hash_key(token) if _KEY.fullmatch(token) else None


def _token(header: str | None) -> str:
    match = _BEARER.fullmatch(header or "")
    return match.group(1) if match else ""
