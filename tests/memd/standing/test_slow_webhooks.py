"""Webhooks that never answer hold up neither other work nor other users (contract 17.8)."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
import pytest_asyncio

from memd.context import Services
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.schema.migrate import migrate
from memd.db.session import Deferral
from memd.domain.ids import new_id
from memd.jobs.enqueue import defer_chunk_enrichment
from memd.settings import Settings
from memd.standing import store
from memd.standing.service import DELIVER, delivery_lock
from memd.standing.store import Delivery, Question
from tests.support.postgres import empty_database
from tests.support.service import add_user, serving
from tests.support.webhook import silent_webhook

USERS = 5
"""More than the places of general work and of what users wait for."""
CHANGES = 4
"""Of each user; more than one first and, on a slow machine, one second attempt and one third."""


@pytest_asyncio.fixture(loop_scope="session")
async def reaching(embedded_postgres: EmbeddedPostgres, service_settings: Settings) -> AsyncIterator[Services]:
    """Services with a database and a worker of their own, which may deliver to loopback."""
    settings = service_settings.model_copy(update={"webhook_private_addresses": True})
    with empty_database(embedded_postgres) as conninfo:
        migrate(conninfo)
        async with serving(settings, conninfo) as services:
            yield services


def question(url: str, now: int) -> Question:
    """A question that is due in an hour."""
    due = now + 3_600_000
    return Question(
        *("mill", "When does the mill open?", 1_000, "every 1h", None, None, False, url, "whsec_test", now, due),
        *(now, True, None, [], [], [], 0),
    )


async def changed(services: Services, user_id: UUID, url: str, changes: int) -> None:
    """Give the user a question with this many changes to deliver."""
    async with services.database.write(user_id) as session:
        await store.add(session, question(url, services.clock()))
        for _ in range(changes):
            delivery = Delivery(new_id(), "mill", [], [], [], "pending", 0, None, services.clock(), None)
            await store.add_delivery(session, delivery, changes)
            session.defer(Deferral(DELIVER, {"delivery_id": str(delivery.id)}, lock=delivery_lock(user_id, 0)))


async def worked(services: Services, user_id: UUID) -> None:
    """Wait until a general job of this user has been done."""
    async with services.database.write(user_id) as session:
        defer_chunk_enrichment(session)
    waiting = "SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE args->>'user_id' = %(user)s)"
    is_waiting = True
    while is_waiting:
        await asyncio.sleep(0.05)
        async with services.database.system() as session:
            is_waiting = await session.value(waiting, {"user": str(user_id)})


@pytest.mark.rule("17.8 webhook")
async def test_silent_webhooks_delay_neither_other_users_nor_other_work(reaching: Services) -> None:
    async with silent_webhook() as silent:
        for number in range(USERS):
            user_id, _ = await add_user(reaching)
            await changed(reaching, user_id, f"http://127.0.0.1:{silent.port}/{number}", changes=CHANGES)
        await silent.until(connections=USERS)
        other_id, _ = await add_user(reaching)
        await worked(reaching, other_id)
    assert len(silent.came) == USERS
    assert max(silent.most_open.values()) < CHANGES
