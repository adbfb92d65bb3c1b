"""Contract 17.7 as a truth table over HTTP: scopes of the acting key, act, target."""

import asyncio
from itertools import compress
from typing import Any

import pytest

from tests.memd.accounts.test_key_rights import ALL, Family, family
from tests.memd.accounts.test_keys import own_key

__all__ = ["family"]

ACTORS = {
    "read": ["read"],
    "write": ["read", "write"],
    "keys": ["keys"],
    "manager": ["read", "write", "keys"],
    "admin": ["read", "write", "admin"],
    "all": ALL,
}
"""Scopes of the acting key; all are made by the same first key."""

MAKES = [
    # wanted scopes, and the actors who may make such a key; the others get 403
    (["read"], {"write", "manager", "admin", "all"}),
    (["read", "write"], {"write", "manager", "admin", "all"}),
    (["keys"], {"keys", "manager", "all"}),
    (["write", "keys"], {"manager", "all"}),
    (["admin"], {"admin", "all"}),
    (["read", "write", "act_as"], {"admin", "all"}),
    (ALL, {"all"}),
]


@pytest.mark.rule("17.7 making")
@pytest.mark.parametrize("actor", ACTORS)
async def test_a_key_makes_keys_with_its_own_scopes_only(family: Family, actor: str) -> None:
    key = (await family.make(family.user.key, scopes=ACTORS[actor]))["apiKey"]
    made = {
        tuple(wanted): (await family.ask(key, "POST", "", {"scopes": wanted})).status_code for wanted, _actors in MAKES
    }
    assert made == {tuple(wanted): 201 if actor in actors else 403 for wanted, actors in MAKES}


TARGETS = ("itself", "its own child", "its grandchild", "a sibling", "a stronger sibling", "its maker")
MANAGED = {
    # actor: what it may rotate, change and revoke
    "read": set[str](),
    "write": {"itself", "its own child"},
    "keys": {"itself", "its own child", "its grandchild"},
    "manager": {"itself", "its own child", "its grandchild", "a sibling"},
    "admin": {"itself", "its own child"},
    "all": set(TARGETS),
}


async def target_of(family: Family, actor: str, kind: str) -> tuple[str, dict[str, Any]]:
    """The secret of the acting key, and the key that it acts on."""
    me = await family.make(family.user.key, scopes=ACTORS[actor])
    if kind == "itself":
        return me["apiKey"], me
    if kind == "its maker":
        return me["apiKey"], {"id": await own_key(family.user)}
    if kind in {"a sibling", "a stronger sibling"}:
        scopes = ["read", "write"] if kind == "a sibling" else ALL
        return me["apiKey"], await family.make(family.user.key, scopes=scopes)
    scopes = ["keys"] if actor == "keys" else ["read", "write"]
    child = await family.make(me["apiKey"], scopes=scopes)
    return me["apiKey"], child if kind == "its own child" else await family.make(child["apiKey"], scopes=scopes)


@pytest.mark.rule("17.7 managing")
@pytest.mark.parametrize(
    "act", [("PATCH", ""), ("POST", "/rotate"), ("DELETE", "")], ids=["change", "rotate", "revoke"]
)
@pytest.mark.parametrize("actor", ACTORS)
async def test_a_key_manages_itself_and_those_it_made_and_with_keys_all(
    family: Family, actor: str, act: tuple[str, str]
) -> None:
    method, suffix = act
    targets = [kind for kind in TARGETS if actor != "read" or "its" not in kind or kind == "its maker"]
    if actor == "all":
        targets.remove("its maker")  # which the other cases work with
    await family.make(family.user.key, scopes=ALL)  # so that no key here is the last that can administrate

    async def managed(kind: str) -> bool:
        secret, target = await target_of(family, actor, kind)
        fields = {"label": "new"} if method == "PATCH" else None
        reply = await family.ask(secret, method, f"/{target['id']}{suffix}", fields)
        assert reply.status_code in {200, 403}, reply.text
        return reply.status_code == 200

    done = await asyncio.gather(*map(managed, targets))
    assert set(compress(targets, done)) == MANAGED[actor] - ({"its maker"} if actor == "all" else set())
