"""Contract 17.7 as a property: whatever is done with a key, no secret that comes of it has more rights or a later end."""

from dataclasses import dataclass, replace
from typing import Any

import httpx
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp

from memd.context import Services
from memd.domain.accounts.key_rules import Grant, networks_of
from memd.domain.types import KeyScope
from tests.support.service import BASE, MakeUser

R, W, A, K, X = KeyScope
HOUR = 3_600_000
NETWORKS = ["127.0.0.0/8", "127.0.0.1/32", "0.0.0.0/0", "::1/128"]
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "scopes": st.lists(st.sampled_from([scope.value for scope in KeyScope]), min_size=1, unique=True),
        "expiresAt": st.none() | st.integers(1, 5),
        "allowedAddresses": st.lists(st.sampled_from(NETWORKS), max_size=2, unique=True),
        "graceSeconds": st.sampled_from([0, 3600, 86_400]),
    },
)


@dataclass(frozen=True)
class Step:
    """One act: by the secret at `actor` of those obtained so far, on the key at `target` of all keys of the user.

    `enrol` makes a user, who is an administrator too and comes with a first key.
    """

    act: str
    actor: int
    target: int
    fields: dict[str, Any]


STEPS = st.lists(
    st.builds(
        Step,
        st.sampled_from(["make", "make", "change", "rotate", "rotate", "enrol"]),
        st.integers(0, 9),
        st.integers(0, 9),
        FIELDS,
    ),
    min_size=1,
    max_size=8,
)
STARTS = st.sampled_from([(R, W), (W,), (R, W, K), (K,), (R, W, A), (W, A, K), (R, W, X)])


class Holder:
    """Somebody who was given one key, and all the secrets that come of it; `enrolled` are those of other users."""

    def __init__(self, app: ASGIApp, now: int, secret: str) -> None:
        self.app = app
        self.now = now
        self.secrets = [secret]
        self.enrolled = set[str]()

    async def ask(self, secret: str, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {secret}"}
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
            return await http.request(method, path, json=body)

    async def take(self, step: Step, keys: list[str]) -> None:
        """Do one step; a secret in the answer is one more to go on with."""
        path = f"/api/keys/{keys[step.target % len(keys)]}"
        method, url, names = {
            "make": ("POST", "/api/keys", {"scopes", "expiresAt", "allowedAddresses"}),
            "change": ("PATCH", path, {"expiresAt", "allowedAddresses"}),
            "rotate": ("POST", f"{path}/rotate", {"graceSeconds"}),
            "enrol": ("POST", "/api/admin/users", set[str]()),
        }[step.act]
        body = {name: value for name, value in step.fields.items() if name in names}
        body |= {"name": "x", "admin": True} if step.act == "enrol" else {}
        if body.get("expiresAt") is not None:
            body["expiresAt"] = self.now + body["expiresAt"] * HOUR
        actor = self.secrets[step.actor % len(self.secrets)]
        reply = await self.ask(actor, method, url, body)
        assert reply.status_code < 500, reply.text
        if "apiKey" in reply.json():
            self.secrets.append(reply.json()["apiKey"])
            if step.act == "enrol" or actor in self.enrolled:
                self.enrolled.add(reply.json()["apiKey"])


async def grants(services: Services, holder: Holder) -> list[Grant]:
    """The rights of each secret, as the database that judges requests has them; of other users' keys without the scopes.

    A new user's first key reads and writes for that user, whatever the key of the administrator may do.
    """
    from memd.accounts import store as accounts
    from memd.accounts.new_keys import hash_key

    found = list[Grant]()
    for secret in holder.secrets:
        row = await accounts.find_caller(services.database, hash_key(secret))
        if row is not None:
            scopes = frozenset(map(KeyScope, row.scopes))
            grant = Grant(scopes, row.expires_at, networks_of(row.allowed_addresses))
            found.append(replace(grant, scopes=frozenset()) if secret in holder.enrolled else grant)
    return found


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, start=STARTS, end=st.none() | st.integers(1, 5), bound=st.booleans())
@example(steps=[Step("enrol", 0, 0, {}), Step("make", 1, 0, {})], start=(A,), end=1, bound=True)
async def test_no_sequence_of_calls_gains_rights(
    services: Services,
    app: ASGIApp,
    make_user: MakeUser,
    steps: list[Step],
    start: tuple[KeyScope, ...],
    end: int | None,
    bound: bool,
) -> None:
    user = await make_user(admin=True, scopes=(R, W, A, K))
    now = services.clock()
    fields: dict[str, Any] = {"scopes": [scope.value for scope in start]}
    fields |= {"expiresAt": now + end * HOUR} if end else {}
    fields |= {"allowedAddresses": ["127.0.0.0/8"]} if bound else {}
    given_key = (await user.http.post("/api/keys", json=fields)).json()["apiKey"]
    strong = (await user.http.post("/api/keys", json={"scopes": ["read", "write", "admin", "keys"]})).json()["apiKey"]
    await user.http.post("/api/keys", json={"scopes": ["read"]})
    holder = Holder(app, now, given_key)
    [own] = await grants(services, holder)
    for step in steps:
        listed = (await holder.ask(strong, "GET", "/api/keys")).json()["keys"]
        await holder.take(step, [row["id"] for row in listed])
        for gained in await grants(services, holder):
            assert own.covers(gained), (own, gained, step)
