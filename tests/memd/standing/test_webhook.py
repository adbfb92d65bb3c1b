"""Deliveries of standing questions to a webhook: signature, retries, dead letters, addresses (contract 17.8)."""

import asyncio
import dataclasses
import json
import socket
import threading
from typing import Any
from uuid import UUID, uuid4

import pytest

from memd.context import Services
from memd.domain.ids import encode, new_id
from memd.domain.schedule.standing import signature
from memd.standing import delivery as deliveries
from memd.standing import store
from memd.standing.store import Delivery
from memd.standing.webhook import LOOK_UPS, NOT_ALLOWED, WebhookError, post
from tests.support.service import TestUser
from tests.support.webhook import Webhook, webhook
from tests.support.wire import capture, send

SECRET = "whsec_test"


def reaching_loopback(services: Services) -> Services:
    """The same services, which may deliver to the webhook of the test."""
    settings = services.settings.model_copy(update={"webhook_private_addresses": True})
    return dataclasses.replace(services, settings=settings)


async def planned(services: Services, user: TestUser, url: str) -> Delivery:
    """A delivery of a question with this webhook; no job knows of it."""
    memory_id = await capture(user, title="Mill", content="The mill opens at six.")
    await send(user, "POST", "/api/standing", {"name": "mill", "query": "mill"}, status=201)
    planned = Delivery(new_id(), "mill", [memory_id], [], [], "pending", 0, None, services.clock(), None)
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE standing_question SET webhook_url = %(url)s, webhook_secret = %(secret)s WHERE user_id = %(user)s",
            {"user": user.id, "url": url, "secret": SECRET},
        )
        await store.add_delivery(session, planned, 5)
    return planned


async def delivered(services: Services, user: TestUser, planned: Delivery) -> dict[str, Any]:
    """The row of the delivery after an attempt."""
    await deliveries.deliver(services, user.id, {"delivery_id": str(planned.id)})
    (row,) = (await send(user, "GET", "/api/standing/mill"))["deliveries"]
    assert row["id"] == encode("dlv", planned.id)
    return row


@pytest.mark.rule("17.8 webhook")
async def test_a_delivery_is_signed_and_made_once(services: Services, user: TestUser) -> None:
    with webhook() as server:
        one = await planned(services, user, server.url)
        assert (await delivered(reaching_loopback(services), user, one))["state"] == "delivered"
        assert (await delivered(reaching_loopback(services), user, one))["attempts"] == 1
    (sent,) = server.requests
    assert sent.path == "/hook"
    assert sent.headers["x-memd-delivery"] == encode("dlv", one.id)
    timestamp = sent.headers["x-memd-signature"].partition(",")[0].removeprefix("t=")
    assert sent.headers["x-memd-signature"] == signature(SECRET, int(timestamp), sent.body)
    body = json.loads(sent.body)
    assert (body["name"], body["query"], body["change"]["added"]) == ("mill", "mill", one.added)
    assert "The mill opens at six." in body["text"]


@pytest.mark.rule("17.8 retries")
async def test_a_failed_attempt_is_queued_again(services: Services, user: TestUser) -> None:
    with webhook(500) as server:
        one = await planned(services, user, server.url)
        row = await delivered(reaching_loopback(services), user, one)
    async with services.database.system() as session:
        queued = await session.values(
            "SELECT id FROM procrastinate_jobs WHERE task_name = 'standing_delivery' AND args->>'delivery_id' = %(id)s",
            {"id": str(one.id)},
        )
    assert row["attempts"] > 1 or (row["state"], row["error"], len(queued)) == ("pending", "status 500", 1)


@pytest.mark.rule("17.8 retries")
async def test_the_last_failure_makes_a_dead_letter(services: Services, user: TestUser) -> None:
    with webhook(503) as server:
        one = await planned(services, user, server.url)
        one = one._replace(attempts=deliveries.TRIES - 1)
        async with services.database.write(user.id) as session:
            await store.record_attempt(session, one)
        row = await delivered(reaching_loopback(services), user, one)
    assert (row["state"], row["attempts"], row["error"]) == ("dead", deliveries.TRIES, "status 503")
    (listed,) = (await send(user, "GET", "/api/standing"))["standing"]
    assert listed["deadDeliveries"] == 1


@pytest.mark.rule("17.8 webhook")
async def test_nothing_is_sent_for_a_deactivated_user(services: Services, user: TestUser) -> None:
    with webhook() as server:
        one = await planned(services, user, server.url)
        async with services.database.system() as session:
            await session.execute("UPDATE app_user SET active = false WHERE user_id = %(user)s", {"user": user.id})
        await deliveries.deliver(reaching_loopback(services), user.id, {"delivery_id": str(one.id)})
        async with services.database.owner(user.id) as session:
            ended = await store.find_delivery(session, one.id)
    assert server.requests == []
    assert ended is not None
    assert (ended.state, ended.error) == ("dead", "the user is deactivated")


@pytest.mark.rule("17.8 addresses")
async def test_nothing_is_sent_to_an_address_that_is_not_public(services: Services, user: TestUser) -> None:
    with webhook() as server:
        one = await planned(services, user, server.url)
        row = await delivered(services, user, one)
    assert (row["state"], row["error"]) == ("dead", NOT_ALLOWED)
    assert server.requests == []


@pytest.mark.rule("17.8 addresses")
async def test_a_private_name_looks_like_one_that_does_not_exist(services: Services, user: TestUser) -> None:
    """Users cannot ask which names the operator's network knows: the same error, and the same number of attempts."""
    known = await delivered(services, user, await planned(services, user, "http://localhost:9/hook"))
    async with services.database.write(user.id) as session:
        unknown = Delivery(new_id(), "mill", [], [], [], "pending", 0, None, services.clock(), None)
        await session.execute(
            "UPDATE standing_question SET webhook_url = 'http://nowhere.invalid/hook' WHERE user_id = %(user)s",
            {"user": user.id},
        )
        await store.add_delivery(session, unknown, 5)
    await deliveries.deliver(services, user.id, {"delivery_id": str(unknown.id)})
    rows = (await send(user, "GET", "/api/standing/mill"))["deliveries"]
    (found,) = [row for row in rows if row["id"] == encode("dlv", unknown.id)]
    assert (found["state"], found["error"], found["attempts"]) == (known["state"], known["error"], known["attempts"])
    assert (known["state"], known["error"]) == ("pending", NOT_ALLOWED)


async def _posted(server: Webhook, host: str, *, private: bool) -> None:
    await post(f"http://{host}:{server.server_port}/hook?a=1", b"{}", {}, sender=uuid4(), private=private)


@pytest.mark.rule("17.8 addresses")
async def test_a_name_that_leads_to_loopback_is_refused() -> None:
    with webhook() as server:
        with pytest.raises(WebhookError, match=NOT_ALLOWED):
            await _posted(server, "localhost", private=False)
        assert server.requests == []
        await _posted(server, "localhost", private=True)
    (sent,) = server.requests
    assert (sent.path, sent.headers["host"]) == ("/hook?a=1", f"localhost:{server.server_port}")


@pytest.mark.rule("17.8 addresses")
@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_redirects_are_not_followed(status: int) -> None:
    with webhook(status, 200) as server, pytest.raises(WebhookError, match=f"status {status}"):
        await _posted(server, "127.0.0.1", private=True)
    assert len(server.requests) == 1


@pytest.mark.rule("17.8 webhook")
async def test_names_that_are_never_resolved_hold_up_their_own_sender_only(monkeypatch: pytest.MonkeyPatch) -> None:
    released, resolve = threading.Event(), socket.getaddrinfo

    def stuck(host: str, *given: Any, **options: Any) -> Any:
        if host == "stuck.example":
            released.wait(60)
        return resolve("127.0.0.1" if host == "stuck.example" else host, *given, **options)

    monkeypatch.setattr(socket, "getaddrinfo", stuck)
    sender = uuid4()
    with webhook() as server:

        async def send(by: UUID, host: str) -> None:
            await post(f"http://{host}:{server.server_port}/hook", b"{}", {}, sender=by, private=True)

        waiting = [asyncio.create_task(send(sender, "stuck.example")) for _ in range(LOOK_UPS)]
        await asyncio.sleep(0)
        with pytest.raises(WebhookError, match="earlier look-ups"):
            await send(sender, "127.0.0.1")
        await send(uuid4(), "127.0.0.1")
        assert len(server.requests) == 1
        released.set()
        await asyncio.gather(*waiting)
        await send(sender, "127.0.0.1")
    assert len(server.requests) == LOOK_UPS + 2
