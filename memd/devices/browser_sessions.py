"""Sign-in on the page: ten minutes behind a token in a cookie (contract 9.3).

The token is the browser's; memd keeps its hash and the hash of the key, so a key that is rotated or revoked ends its
sessions at once. The form token against cross-site requests is derived from the cookie, which no script can read.
"""

import hashlib
import secrets

from memd.access.authentication.principal import Principal
from memd.accounts import service as accounts
from memd.audit.recording import record
from memd.audit.refusals import SIGN_IN
from memd.context import Context, Services
from memd.devices import store
from memd.devices.service import forget_expired, hash_code

LIFETIME_S = 600


def new_token() -> str:
    """A fresh token for the cookie: 256 random bits."""
    return secrets.token_urlsafe(32)


def form_token(token: str) -> str:
    """The token that every form carries besides the cookie."""
    return hashlib.sha256(f"form:{token}".encode()).hexdigest()


def same(token: str, sent: str) -> bool:
    """Whether a form belongs to the browser that sent the cookie."""
    return secrets.compare_digest(form_token(token).encode(), sent.encode())


async def sign_in(context: Context, key_hash: str) -> str:
    """Begin a session for the caller's key; the token of its cookie, always new (no session fixation)."""
    from memd.devices.tables import DeviceSession

    token, now = new_token(), context.now
    async with context.database.system() as session:
        record(session, context, SIGN_IN)
        await forget_expired(session, now)
        row = DeviceSession(token_hash=hash_code(token), key_hash=key_hash, expires_at=now + LIFETIME_S * 1000)
        await store.insert_session(session, row)
    return token


async def signed_in(services: Services, token: str | None, address: str) -> Principal | None:
    """The caller of a cookie's session; None when unknown or expired."""
    if not token:
        return None
    async with services.database.system() as session:
        key_hash = await store.find_session(session, hash_code(token), services.clock())
    return await accounts.find_caller(services, key_hash, address) if key_hash else None


async def sign_out(services: Services, token: str) -> None:
    """End a session."""
    async with services.database.system() as session:
        await store.delete_session(session, hash_code(token))
