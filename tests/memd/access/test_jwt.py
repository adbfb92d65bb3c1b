"""Contract 1.6.8: a JWT opens recall and nothing else; whatever is wrong with it is the same 401."""

import base64
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from memd.access.authentication.jwt import JwtSettingsError, JwtVerifier, check_settings
from memd.app import build
from memd.context import Services
from memd.domain.ids import encode
from memd.errors import Unauthorized
from memd.settings import Settings
from tests.support.loopback import LoopbackHandler, LoopbackServer, answering
from tests.support.service import BASE, MakeUser

SECRET = "a secret of the operator that is long enough"
ISSUER, AUDIENCE = "https://issuer.example", "memd"
UNAUTHORIZED = (401, {"error": "Unauthorized"})
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())


def jwk(key: Any, key_id: str) -> dict[str, Any]:
    algorithm: Any = ECAlgorithm if isinstance(key, ec.EllipticCurvePrivateKey) else RSAAlgorithm
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": key_id, "use": "sig"}


KEY_SET = {"keys": [jwk(RSA_KEY, "rsa"), jwk(EC_KEY, "ec")]}


def public_pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def unsigned(claims: dict[str, Any], algorithm: str = "none") -> str:
    """A token whose signature nobody made."""
    parts = [json.dumps({"alg": algorithm, "typ": "JWT"}), json.dumps(claims)]
    return ".".join([*(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts), "AAAA"])


@asynccontextmanager
async def trusting(services: Services, **settings: Any) -> AsyncGenerator[httpx.AsyncClient]:
    """The service with JWT settings."""
    changed = services.settings.model_copy(update={"jwt_issuer": ISSUER, "jwt_audience": AUDIENCE, **settings})
    app = build(replace(services, settings=changed, jwt=JwtVerifier(changed, services.clock)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client:
        yield client


async def recall(client: httpx.AsyncClient, token: str) -> tuple[int, dict[str, Any]]:
    reply = await client.post("/api/mcp/recall", json={"query": "x"}, headers={"Authorization": f"Bearer {token}"})
    return reply.status_code, reply.json()


@pytest.fixture
async def claims(services: Services, make_user: MakeUser) -> dict[str, Any]:
    """The claims of a good token."""
    user, now = await make_user(), services.clock() // 1000
    return {"sub": encode("usr", user.id), "iss": ISSUER, "aud": AUDIENCE, "exp": now + 600, "nbf": now - 10}


async def test_an_hs256_token_of_the_operator_may_recall(services: Services, claims: dict[str, Any]) -> None:
    async with trusting(services, jwt_secret=SECRET) as client:
        assert (await recall(client, jwt.encode(claims, SECRET)))[0] == 200


@pytest.mark.parametrize(
    ("key", "algorithm", "key_id"), [(RSA_KEY, "RS256", "rsa"), (EC_KEY, "ES256", "ec"), (EC_KEY, "ES256", None)]
)
async def test_a_token_of_a_key_in_the_jwks_may_recall(
    services: Services, claims: dict[str, Any], tmp_path: Path, key: Any, algorithm: str, key_id: str | None
) -> None:
    file = tmp_path / "jwks.json"
    file.write_text(json.dumps(KEY_SET))
    token = jwt.encode(claims, key, algorithm, headers={"kid": key_id} if key_id else None)
    async with trusting(services, jwt_jwks=str(file)) as client:
        assert (await recall(client, token))[0] == 200


async def test_a_mapped_name_stands_for_a_user(services: Services, claims: dict[str, Any]) -> None:
    async with trusting(services, jwt_secret=SECRET, jwt_subjects={"ann": claims["sub"]}) as client:
        assert (await recall(client, jwt.encode({**claims, "sub": "ann"}, SECRET)))[0] == 200


async def test_the_leeway_is_a_minute(services: Services, claims: dict[str, Any]) -> None:
    now = services.clock() // 1000
    late, too_late = {**claims, "exp": now - 50}, {**claims, "exp": now - 70}
    early, too_early = {**claims, "nbf": now + 50}, {**claims, "nbf": now + 70}
    async with trusting(services, jwt_secret=SECRET) as client:
        found = [(await recall(client, jwt.encode(each, SECRET)))[0] for each in (late, too_late, early, too_early)]
    assert found == [200, 401, 200, 401]


@pytest.mark.parametrize(
    "change",
    [
        {"iss": "https://other.example"},
        {"iss": None},
        {"aud": "other"},
        {"aud": None},
        {"exp": 1},
        {"exp": None},
        {"exp": "4000000000"},
        {"iat": "1000000000"},
        {"nbf": 4_000_000_000},
        {"sub": None},
        {"sub": "bob"},
        {"sub": "usr_not-an-id"},
        {"sub": encode("usr", UUID(int=1))},
        {"sub": 7},
    ],
    ids=str,
)
async def test_wrong_claims_are_unauthorized(
    services: Services, claims: dict[str, Any], change: dict[str, Any]
) -> None:
    changed = {name: value for name, value in {**claims, **change}.items() if value is not None}
    token = jwt.api_jws.PyJWS().encode(json.dumps(changed).encode(), SECRET, "HS256")
    async with trusting(services, jwt_secret=SECRET) as client:
        assert await recall(client, token) == UNAUTHORIZED


async def test_a_token_of_an_inactive_user_is_unauthorized(
    services: Services, make_user: MakeUser, claims: dict[str, Any]
) -> None:
    admin = await make_user(admin=True, scopes=("read", "admin"))
    await admin.http.patch(f"/api/admin/users/{claims['sub']}", json={"active": False})
    async with trusting(services, jwt_secret=SECRET) as client:
        assert await recall(client, jwt.encode(claims, SECRET)) == UNAUTHORIZED


async def test_algorithms_cannot_be_chosen_by_the_token(
    services: Services, claims: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "jwks.json"
    file.write_text(json.dumps(KEY_SET))
    pem = base64.urlsafe_b64encode(public_pem(RSA_KEY))
    forged = jwt.encode(claims, pem, "HS256", headers={"kid": "rsa"})
    wrong = {
        "alg none": unsigned(claims),
        "alg none in capitals": unsigned(claims, "NONE"),
        "no signature": jwt.encode(claims, SECRET).rsplit(".", 1)[0] + ".AAAA",
        "HS384": jwt.encode(claims, SECRET * 2, "HS384"),
        "another secret": jwt.encode(claims, SECRET[::-1]),
        "another key": jwt.encode(claims, OTHER_RSA_KEY, "RS256", headers={"kid": "rsa"}),
        "unknown key": jwt.encode(claims, RSA_KEY, "RS256", headers={"kid": "new"}),
        "key of another type": jwt.encode(claims, EC_KEY, "ES256", headers={"kid": "rsa"}),
        "HS256 with the public key": forged,
    }
    async with trusting(services, jwt_secret=SECRET, jwt_jwks=str(file)) as client:
        assert {name: await recall(client, token) for name, token in wrong.items()} == dict.fromkeys(
            wrong, UNAUTHORIZED
        )


async def test_only_configured_algorithms_count(services: Services, claims: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "jwks.json"
    file.write_text(json.dumps(KEY_SET))
    settings = {"jwt_secret": SECRET, "jwt_jwks": str(file), "jwt_algorithms": ["RS256"]}
    async with trusting(services, **settings) as client:
        assert (await recall(client, jwt.encode(claims, RSA_KEY, "RS256", headers={"kid": "rsa"})))[0] == 200
        assert await recall(client, jwt.encode(claims, SECRET)) == UNAUTHORIZED
        assert await recall(client, jwt.encode(claims, EC_KEY, "ES256", headers={"kid": "ec"})) == UNAUTHORIZED


async def test_without_configuration_a_token_is_unauthorized(services: Services, claims: dict[str, Any]) -> None:
    async with trusting(services) as client:
        assert await recall(client, jwt.encode(claims, SECRET)) == UNAUTHORIZED


async def test_on_any_other_route_a_token_is_unauthorized(services: Services, claims: dict[str, Any]) -> None:
    from memd.app import endpoints

    token = jwt.encode(claims, SECRET)
    async with trusting(services, jwt_secret=SECRET, trusted_proxies=["127.0.0.1"]) as client:
        for number, endpoint in enumerate(endpoints()):
            if endpoint.name == "POST /api/mcp/recall":
                continue
            headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": f"198.51.100.{number}"}
            reply = await client.request(endpoint.method, endpoint.path, headers=headers)
            assert (endpoint.name, reply.status_code, reply.json()) == (endpoint.name, *UNAUTHORIZED)


class KeyServer(LoopbackServer):
    """Serves a key set, and counts how often."""

    def __init__(self) -> None:
        super().__init__(_KeySetHandler)
        self.asked, self.status, self.body = 0, 200, json.dumps(KEY_SET).encode()


class _KeySetHandler(LoopbackHandler):
    server: KeyServer  # pyrefly: ignore[bad-override-mutable-attribute]

    def answer(self) -> None:
        self.server.asked += 1
        self.reply(self.server.status, self.server.body)


@pytest.fixture
def key_server() -> Iterator[KeyServer]:
    with answering(KeyServer()) as server:
        yield server


async def test_the_key_set_of_a_url_is_kept_for_ten_minutes(
    services: Services, claims: dict[str, Any], key_server: KeyServer
) -> None:
    now = services.clock()
    url = f"{key_server.address}/keys"
    settings = services.settings.model_copy(update={"jwt_jwks": url, "jwt_issuer": ISSUER, "jwt_audience": AUDIENCE})
    verifier = JwtVerifier(settings, lambda: now)
    token = jwt.encode(claims, RSA_KEY, "RS256", headers={"kid": "rsa"})
    stranger = jwt.encode(claims, RSA_KEY, "RS256", headers={"kid": "stranger"})
    assert encode("usr", await verifier.subject(token)) == claims["sub"]
    now += 599_999
    await verifier.subject(token)
    with pytest.raises(Unauthorized):
        await verifier.subject(stranger)
    assert key_server.asked == 1
    now += 1
    key_server.status = 500
    await verifier.subject(token)
    assert key_server.asked == 2
    now += 600_000
    key_server.status, key_server.body = 200, json.dumps({"keys": [jwk(OTHER_RSA_KEY, "rsa")]}).encode()
    with pytest.raises(Unauthorized):
        await verifier.subject(token)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"jwt_secret": "x" * 31}, "MEMD_JWT_SECRET is shorter than 32 bytes"),
        ({"jwt_issuer": None}, "MEMD_JWT_ISSUER is missing"),
        ({"jwt_audience": ""}, "MEMD_JWT_AUDIENCE is missing"),
    ],
)
def test_settings_that_leave_a_door_open_refuse_the_start(settings: dict[str, Any], message: str) -> None:
    good = {"jwt_secret": SECRET, "jwt_issuer": ISSUER, "jwt_audience": AUDIENCE}
    check_settings(Settings(**good))
    with pytest.raises(JwtSettingsError, match=message):
        check_settings(Settings(**(good | settings)))


async def test_a_token_lives_for_a_day_at_most(services: Services, claims: dict[str, Any]) -> None:
    now, day = services.clock() // 1000, 24 * 3600
    lives = [
        {"exp": now + day - 10},
        {"exp": now + day + 600},
        {"iat": now - 3600, "exp": now + day - 3600},
        {"iat": now - 3600, "exp": now + day - 600},
        {"iat": now + 2 * day, "exp": now + day + 600},
    ]
    async with trusting(services, jwt_secret=SECRET) as client:
        found = [(await recall(client, jwt.encode(claims | life, SECRET)))[0] for life in lives]
    assert found == [200, 401, 200, 401, 401]
