"""Applications: an account with a service key, and clients that act for its end users (contract 17.1)."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from starlette.types import ASGIApp

from memctl.client import MemdClient
from memd.domain.ids import decode
from memd.domain.types import KeyScope
from tests.support.service import BASE, MakeUser, TestUser

HEADER = "X-Memd-User"
OWNER_SCOPES = (KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN, KeyScope.KEYS)
SERVICE_SCOPES = ["read", "write", "act_as"]


@dataclass
class Application:
    """An account, its owner's key and its service key."""

    app: ASGIApp
    owner: TestUser
    key: str
    key_id: str
    opened: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def http(self, name: str | None = None) -> httpx.AsyncClient:
        """A bare client with the service key; the header names an end user if there is a name."""
        transport = httpx.ASGITransport(self.app, client=("192.0.2.9", 1))
        headers = {b"Authorization": f"Bearer {self.key}".encode()}
        if name is not None:
            headers[HEADER.encode()] = name.encode()
        client = httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers, timeout=60)
        return await self.opened.enter_async_context(client)

    async def service(self) -> TestUser:
        """The service key as a user that names nobody."""
        return TestUser(self.owner.id, self.key, MemdClient(BASE, self.key), await self.http())

    async def end_user(self, name: str) -> TestUser:
        """An end user whom the header names; it is made by this."""
        http = await self.http(name)
        who = await http.get("/api/mcp/auth")
        assert who.status_code == 200, who.text
        return TestUser(decode("usr", who.json()["userId"]), self.key, MemdClient(BASE, self.key), http)


@asynccontextmanager
async def application(app: ASGIApp, make_user: MakeUser, **options: Any) -> AsyncGenerator[Application]:
    """A new account with a service key that its owner makes over HTTP."""
    owner = await make_user(admin=True, scopes=OWNER_SCOPES, **options)
    made = await owner.http.post("/api/keys", json={"label": "service", "scopes": SERVICE_SCOPES})
    assert made.status_code == 201, made.text
    one = Application(app, owner, made.json()["apiKey"], made.json()["id"])
    async with one.opened:
        await (await one.service()).http.get(
            "/api/mcp/auth"
        )  # memd knows the key: later calls are not counted by address
        yield one
