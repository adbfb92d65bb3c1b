"""Contract 9.3, the page /device: sign-in in an HttpOnly session, forms with a token, headers that keep it to itself."""

import re
from typing import Any

import httpx
import pytest

from memd.accounts.new_keys import hash_key
from memd.context import Services
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from tests.memd.devices.test_device_flow import World
from tests.memd.devices.test_device_keys import DAY, device_key
from tests.support.service import MakeUser, TestUser

TEN_MINUTES = 600_000


class Browser:
    """A person's browser: keeps cookies and sends the forms that pages hold."""

    def __init__(self, world: World, address: str = "198.51.100.1") -> None:
        self.http = world.visitor(address)
        self.page = httpx.Response(200, text="")
        self.seen: list[httpx.Response] = []

    async def open(self, user_code: str = "") -> httpx.Response:
        return await self._see(await self.http.get(f"/device?user_code={user_code}" if user_code else "/device"))

    async def send(self, **fields: str) -> httpx.Response:
        """Submit the form of the page, and follow where it leads."""
        return await self._see(await self.http.post("/device", data={**self.hidden(), **fields}))

    async def _see(self, page: httpx.Response) -> httpx.Response:
        self.seen.append(page)
        if page.is_redirect:
            page = await self.http.send(page.next_request or page.request)
            self.seen.append(page)
        self.page = page
        return page

    def hidden(self) -> dict[str, str]:
        fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', self.page.text)
        return dict(fields)


@pytest.fixture
def world(services: Services) -> World:
    return World(services)


@pytest.fixture
def browser(world: World) -> Browser:
    return Browser(world)


async def sign_in(browser: Browser, user: TestUser, user_code: str = "") -> httpx.Response:
    await browser.open(user_code)
    return await browser.send(api_key=user.key, action="sign_in")


@pytest.mark.rule("9.3 GET /device")
async def test_approving_on_the_page_gives_the_device_its_key(world: World, browser: Browser, user: TestUser) -> None:
    codes = await world.start(clientName="Ann's laptop")
    asked = await sign_in(browser, user, codes["user_code"])
    assert "Approve this device?" in asked.text
    assert codes["user_code"] in asked.text
    assert "Ann&#39;s laptop" in asked.text
    assert "198.51.100.20" in asked.text
    assert "Approved" in (await browser.send(action="approve")).text
    assert "apiKey" in (await world.poll(codes)).json()


@pytest.mark.rule("17.7 devices")
@pytest.mark.parametrize(
    ("chosen", "days"), [({}, 180), ({"days": "30"}, 30), ({"days": "0"}, None), ({"days": "7e9"}, 180)]
)
async def test_the_page_offers_how_long_the_key_works(
    world: World, browser: Browser, user: TestUser, chosen: dict[str, str], days: int | None
) -> None:
    codes = await world.start()
    assert '<option value="180" selected>180 days</option>' in (await sign_in(browser, user, codes["user_code"])).text
    await browser.send(action="approve", **chosen)
    end = (await device_key(world, codes))["expiresAt"]
    assert end == (None if days is None else world.clock.now + days * DAY)


@pytest.mark.rule("9.3 GET /device")
async def test_denying_on_the_page(world: World, browser: Browser, user: TestUser) -> None:
    codes = await world.start()
    await sign_in(browser, user, codes["user_code"])
    assert "Denied" in (await browser.send(action="deny")).text
    assert (await world.poll(codes)).json() == {"status": "denied"}


@pytest.mark.rule("9.3 GET /device")
async def test_a_code_may_be_typed_on_the_page(world: World, browser: Browser, user: TestUser) -> None:
    codes = await world.start()
    assert "Enter the code" in (await sign_in(browser, user)).text
    assert "Approve this device?" in (await browser.send(user_code=codes["user_code"].lower(), action="find")).text


async def test_a_wrong_code_says_so_and_counts_as_a_guess(browser: Browser, user: TestUser) -> None:
    await sign_in(browser, user)
    found = [(await browser.send(user_code="AAAA-AAAA", action="find")).status_code for _ in range(6)]
    assert found == [404] * 5 + [429]
    assert "Too many attempts" in browser.page.text
    assert int(browser.page.headers["Retry-After"]) >= 1


@pytest.mark.rule("9.3 GET /device")
async def test_the_key_is_in_no_page_url_or_cookie(world: World, browser: Browser, user: TestUser) -> None:
    codes = await world.start()
    await sign_in(browser, user, codes["user_code"])
    await browser.send(action="approve")
    for page in browser.seen:
        assert user.key not in page.text + str(page.headers) + str(page.url)
    assert user.key not in str(dict(browser.http.cookies))


@pytest.mark.rule("9.3 GET /device")
async def test_the_session_is_http_only_strict_and_ends_after_ten_minutes(
    world: World, browser: Browser, user: TestUser
) -> None:
    codes = await world.start()
    await sign_in(browser, user, codes["user_code"])
    cookies = [page.headers["set-cookie"] for page in browser.seen if "set-cookie" in page.headers]
    assert len(cookies) == 2  # one before, another one after signing in
    assert cookies[0].split(";")[0] != cookies[1].split(";")[0]
    for cookie in cookies:
        assert re.search(r"; HttpOnly; Max-Age=600; Path=/device; SameSite=strict$", cookie)
    world.clock.now += TEN_MINUTES
    assert "API key" in (await browser.open()).text


async def test_behind_https_the_cookie_is_secure(services: Services) -> None:
    world = World(services)
    object.__setattr__(
        world.services, "settings", services.settings.model_copy(update={"base_url": "https://m.example/memory"})
    )
    cookie = (await Browser(world).open()).headers["set-cookie"]
    assert cookie.endswith("Path=/memory/device; SameSite=strict; Secure")


@pytest.mark.rule("9.3 GET /device")
@pytest.mark.parametrize("path", ["/device", "/device?user_code=AAAA-AAAA"])
async def test_pages_keep_to_themselves(browser: Browser, path: str) -> None:
    page = await browser.http.get(path)
    policy = page.headers["Content-Security-Policy"]
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "'unsafe-inline'" not in policy
    assert page.headers["X-Frame-Options"] == "DENY"
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["X-RateLimit-Limit"] == "100"
    assert page.headers["X-Request-Id"].startswith("req_")
    assert "<script" not in page.text


@pytest.mark.rule("9.3 GET /device")
@pytest.mark.parametrize("token", ["", "0" * 64, None])
async def test_a_form_without_the_token_of_its_browser_is_refused(
    world: World, browser: Browser, user: TestUser, token: str | None
) -> None:
    codes = await world.start()
    await sign_in(browser, user, codes["user_code"])
    fields = {"user_code": codes["user_code"], "action": "approve"} | ({} if token is None else {"form_token": token})
    refused = await browser.http.post("/device", data=fields)
    assert refused.status_code == 403
    assert (await world.poll(codes)).json()["status"] == "pending"


async def test_a_form_token_of_another_browser_is_refused(world: World, user: TestUser) -> None:
    mine, theirs = Browser(world), Browser(world)
    codes = await world.start()
    await sign_in(mine, user, codes["user_code"])
    await theirs.open()
    refused = await mine.send(action="approve", form_token=theirs.hidden()["form_token"])
    assert refused.status_code == 403


async def test_without_a_session_nothing_is_decided(world: World, browser: Browser) -> None:
    codes = await world.start()
    await browser.open(codes["user_code"])
    assert "API key" in (await browser.send(action="approve")).text
    assert (await world.poll(codes)).json()["status"] == "pending"


async def test_a_wrong_key_says_so_and_draws_from_its_address(world: World, browser: Browser) -> None:
    await browser.open()
    page = await browser.send(api_key="f" * 64, action="sign_in")
    assert (page.status_code, "not valid here" in page.text) == (401, True)
    assert page.headers["X-RateLimit-Remaining"] == "99"


async def test_a_key_without_write_may_not_sign_in(browser: Browser, make_user: MakeUser) -> None:
    page = await sign_in(browser, await make_user(scopes=(KeyScope.READ,)))
    assert (page.status_code, "lacks the scope write" in page.text) == (403, True)


async def test_revoking_the_key_ends_the_session(world: World, browser: Browser, user: TestUser) -> None:
    codes = await world.start()
    await sign_in(browser, user, codes["user_code"])
    async with world.visitor("198.51.100.9", user.key) as http:
        await http.delete(f"/api/keys/{(await http.get('/api/mcp/auth')).json()['keyId']}")
    assert "API key" in (await browser.send(action="approve")).text
    assert (await world.poll(codes)).json()["status"] == "pending"


@pytest.mark.parametrize(("overlaps", "kept"), [((0,), False), ((60,), True), ((60, 60), False), ((60, 0), False)])
async def test_a_session_ends_with_the_secret_that_opened_it(
    services: Services, browser: Browser, user: TestUser, overlaps: tuple[int, ...], *, kept: bool
) -> None:
    await sign_in(browser, user)
    secret = user.key
    for seconds in overlaps:
        path = f"/api/keys/{(await user.http.get('/api/mcp/auth')).json()['keyId']}/rotate"
        secret = (await user.http.post(path, json={"graceSeconds": seconds})).json()["apiKey"]
        user.http.headers["Authorization"] = f"Bearer {secret}"
    async with services.database.system() as session:
        found = await session.value(
            "SELECT count(*) FROM device_session WHERE key_hash = %(hash)s", {"hash": hash_key(user.key)}
        )
    assert found == int(kept)


@pytest.mark.rule("17.6 DELETE /api/admin/users/:id")
async def test_the_session_of_a_rotated_key_goes_with_its_user(
    services: Services, browser: Browser, user: TestUser, make_user: MakeUser
) -> None:
    await sign_in(browser, user)
    path = f"/api/keys/{(await user.http.get('/api/mcp/auth')).json()['keyId']}/rotate"
    await user.http.post(path, json={"graceSeconds": 3600})
    admin = await make_user(admin=True, scopes=tuple(KeyScope))
    assert (await admin.http.delete(f"/api/admin/users/{encode('usr', user.id)}")).status_code == 202
    async with services.database.system() as session:
        found = await session.value(
            "SELECT count(*) FROM device_session WHERE key_hash = %(hash)s", {"hash": hash_key(user.key)}
        )
    assert found == 0


async def test_signing_out_ends_the_session(world: World, browser: Browser, user: TestUser) -> None:
    await sign_in(browser, user)
    stolen = dict(browser.http.cookies)
    assert "API key" in (await browser.send(action="sign_out")).text
    thief = world.visitor("198.51.100.66")
    thief.cookies.update(stolen)
    assert "API key" in (await thief.get("/device")).text


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x>', "{{ 7 * 6151 }}"])
async def test_names_of_clients_are_text(world: World, browser: Browser, user: TestUser, name: str) -> None:
    codes = await world.start(clientName=name)
    page = await sign_in(browser, user, codes["user_code"])
    assert name not in page.text or "{{" in name
    assert "<script" not in page.text
    assert "43057" not in page.text


@pytest.mark.parametrize("body", [b"\xff\xfe", b"a" * 20_000, b"&" * 100, b"", b"action=approve"])
async def test_bodies_of_any_kind_get_a_page(browser: Browser, body: bytes) -> None:
    await browser.open()
    page = await browser.http.post("/device", content=body)
    assert (page.status_code, page.headers["Content-Type"]) == (403, "text/html; charset=utf-8")


@pytest.mark.parametrize("code", ["<b>", "x" * 5000, "%00", "ÄÖ-?"])
async def test_codes_of_any_kind_get_a_page(browser: Browser, code: Any) -> None:
    page = await browser.open(code)
    assert page.status_code == 200
    assert "<b>" not in page.text
