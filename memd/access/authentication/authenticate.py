"""Bearer to principal (contract 1.6): the ways to fail look the same."""

import re

import structlog

from memd.access.authentication.principal import Principal
from memd.accounts import service as accounts
from memd.accounts.new_keys import hash_key
from memd.context import Services
from memd.errors import RateLimitExceeded, Unauthorized

log = structlog.get_logger()

_BEARER = re.compile(r"bearer ([^\s]+)", re.IGNORECASE)
_KEY = re.compile(r"[0-9a-fA-F]{64}")
_JWT = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")


async def authenticate(services: Services, header: str | None, address: str, *, jwt: bool = False) -> Principal:
    """The caller behind an `Authorization` header of a client at `address`.

    `Unauthorized` for anything but a live key that may be used from there, or where `jwt` a token. A failure takes one from the bucket of the address; `RateLimitExceeded` when it is empty.
    """
    token = _token(header)
    if _KEY.fullmatch(token):
        return await _caller(services, hash_key(token), address)
    principal = await _subject(services, token) if jwt else None
    if principal is None:
        await services.rate_limiter.debit_address(address)
        log.info("sign_in.failed", address=address)
        raise Unauthorized
    return principal


async def look_up(services: Services, header: str | None, address: str) -> Principal | None:
    """The caller behind a key where none is needed: nothing is counted; lookups of unknown keys are serialized per address."""
    token = _token(header)
    if not _KEY.fullmatch(token):
        return None
    key_hash, sign_ins = hash_key(token), services.rate_limiter.sign_ins
    if not sign_ins.is_known(key_hash):
        await sign_ins.wait_turn(address)
    principal = await accounts.find_caller(services, key_hash, address)
    sign_ins.remember(key_hash, valid=principal is not None)
    return principal


async def _subject(services: Services, token: str) -> Principal | None:
    """The user that a JSON Web Token names; None for any flaw."""
    if services.jwt is None or not _JWT.fullmatch(token):
        return None
    try:
        return await accounts.find_subject(services, await services.jwt.subject(token))
    except Unauthorized:
        return None


async def _caller(services: Services, key_hash: str, address: str) -> Principal:
    """The caller with a key; requests with the same unknown key share a lookup."""
    sign_ins = services.rate_limiter.sign_ins
    if sign_ins.is_known(key_hash):
        return await _counted(services, key_hash, address)
    return await sign_ins.share(key_hash, address, lambda: _counted(services, key_hash, address))


async def _counted(services: Services, key_hash: str, address: str) -> Principal:
    """The caller with a key; one that is not known to be valid is counted before the database is asked."""
    rate_limiter, sign_ins = services.rate_limiter, services.rate_limiter.sign_ins
    counted = exhausted = None
    if not sign_ins.is_known(key_hash):
        try:
            counted = await rate_limiter.debit_address(address)
        except RateLimitExceeded as refusal:
            exhausted = refusal
            await sign_ins.wait_turn(address)
    principal = await accounts.find_caller(services, key_hash, address)
    sign_ins.remember(key_hash, valid=principal is not None)
    if principal is not None:
        if counted is not None:
            await rate_limiter.refund_address(address)
        return principal
    if exhausted is not None:
        raise exhausted
    log.info("sign_in.failed", address=address)
    if counted is None:
        await rate_limiter.debit_address(address)
    raise Unauthorized


def key_hash_of(header: str | None) -> str | None:
    """The hash of the key that an `Authorization` header carries; None when it carries none."""
    token = _token(header)
    return hash_key(token) if _KEY.fullmatch(token) else None


def _token(header: str | None) -> str:
    match = _BEARER.fullmatch(header or "")
    return match.group(1) if match else ""
