"""JSON Web Tokens from the operator's own issuer, for recall only (contract 1.6.8).

The algorithm comes from the settings: an HS256 token is checked with the secret and nothing else, an RS256 or ES256 one
with a key of the JWKS and nothing else. All failures look the same to the client.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import httpx
import jwt
import structlog

from memd.db.errors import DatabaseStartError
from memd.domain.ids import MalformedIdentifierError, decode
from memd.errors import Unauthorized
from memd.settings import Settings

log = structlog.get_logger()
LEEWAY_S: Final = 60
CACHE_MS: Final = 600_000
SYMMETRIC: Final = "HS256"
MIN_SECRET_LENGTH: Final = 32
"""Bytes of an HS256 signature, and so the least length of its secret (RFC 7518, 3.2)."""
MAX_LIFETIME_S: Final = 24 * 3600
KEY_TYPES: Final = {"RS256": "RSA", "ES256": "EC"}


class JwtSettingsError(DatabaseStartError):
    """The settings for tokens are insecure; the text names the setting."""


def check_settings(settings: Settings) -> None:
    """`JwtSettingsError` for a secret that can be guessed, or tokens of any issuer or for any audience."""
    if settings.jwt_secret is not None and len(settings.jwt_secret.encode()) < MIN_SECRET_LENGTH:
        raise JwtSettingsError(f"MEMD_JWT_SECRET is shorter than {MIN_SECRET_LENGTH} bytes")
    for name in ("jwt_issuer", "jwt_audience"):
        if not getattr(settings, name):
            raise JwtSettingsError(f"MEMD_{name.upper()} is missing: without it tokens made for others open memd")


class JwtVerifier:
    """Checks tokens against the settings; keeps the operator's key set for ten minutes."""

    def __init__(self, settings: Settings, clock: Callable[[], int]) -> None:
        self._settings = settings
        self._clock = clock
        self._keys: list[jwt.PyJWK] = []
        self._fetched_at: int | None = None
        self._algorithms = frozenset(settings.jwt_algorithms) or self._default_algorithms()

    async def subject(self, token: str) -> UUID:
        """The id of the user that the token names; `Unauthorized` for any flaw, or when JWT is not configured."""
        try:
            header = jwt.get_unverified_header(token)
            algorithm = str(header.get("alg"))
            if algorithm not in self._algorithms:
                raise Unauthorized
            claims = self._claims(token, algorithm, await self._key(algorithm, header.get("kid")))
        except jwt.PyJWTError:
            raise Unauthorized from None
        return self._user_of(claims["sub"])

    def _default_algorithms(self) -> frozenset[str]:
        symmetric = {SYMMETRIC} if self._settings.jwt_secret else set[str]()
        return frozenset(symmetric | (set(KEY_TYPES) if self._settings.jwt_jwks else set()))

    def _claims(self, token: str, algorithm: str, key: Any) -> dict[str, Any]:
        settings = self._settings
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            issuer=settings.jwt_issuer,
            audience=settings.jwt_audience,
            leeway=LEEWAY_S,
            options={"require": ["exp", "sub", "iss", "aud"]},
        )
        now = self._clock() // 1000
        begin, end = claims.get("iat", now), claims["exp"]
        if not isinstance(begin, int | float) or not isinstance(end, int | float):  # PyJWT takes digits in quotes, too
            raise Unauthorized
        if end - min(begin, now) > MAX_LIFETIME_S + LEEWAY_S:
            raise Unauthorized
        return claims

    def _user_of(self, subject: str) -> UUID:
        """The user behind a `sub`: a mapped name, or a `usr_…` itself."""
        try:
            return decode("usr", self._settings.jwt_subjects.get(subject, subject))
        except MalformedIdentifierError:
            raise Unauthorized from None

    async def _key(self, algorithm: str, key_id: object) -> Any:
        """The one key that may check this algorithm."""
        if algorithm == SYMMETRIC and self._settings.jwt_secret:
            return self._settings.jwt_secret
        if algorithm not in KEY_TYPES or not self._settings.jwt_jwks:
            raise Unauthorized
        matching_keys = [
            key for key in await self._key_set(self._settings.jwt_jwks) if key.key_type == KEY_TYPES[algorithm]
        ]
        named = [key for key in matching_keys if key.key_id == key_id] if key_id is not None else matching_keys
        if len(named) != 1:
            raise Unauthorized
        return named[0].key

    async def _key_set(self, source: str) -> list[jwt.PyJWK]:
        """The keys of a file or URL; the last good set stays when the source fails."""
        now = self._clock()
        if self._fetched_at is None or abs(now - self._fetched_at) >= CACHE_MS:
            self._fetched_at = now
            try:
                self._keys = jwt.PyJWKSet.from_dict(await _read(source)).keys
            except (OSError, ValueError, httpx.HTTPError, jwt.PyJWTError) as error:
                log.warning("jwt.jwks_unavailable", error=type(error).__name__)
        return self._keys


async def _read(source: str) -> dict[str, Any]:
    if not source.startswith(("https://", "http://")):
        return json.loads(await asyncio.to_thread(Path(source).read_text, "utf-8"))
    async with httpx.AsyncClient(timeout=5) as client:
        answer = await client.get(source)
        return answer.raise_for_status().json()
