"""The job `standing_delivery`: a change of an answer goes to the webhook of its question (contract 17.8)."""

import json
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from memd.accounts.service import job_context
from memd.context import Services
from memd.db.session import Deferral
from memd.domain.ids import encode
from memd.domain.schedule.standing import signature
from memd.standing import store
from memd.standing.service import DELIVER, delivery_lock, shown_lines, text_of
from memd.standing.store import Delivery, Question

TRIES: Final = 6
FIRST_DELAY_MS: Final = 10_000
"""Before the second attempt; each later delay is four times as long, the last one 43 minutes."""


async def deliver(services: Services, user_id: UUID, payload: Mapping[str, Any]) -> None:
    """Make one attempt; after a failure the next one is enqueued, and after the last one the delivery is dead.

    A delivery that is repeated because its job died has the same id. The text is the answer at the time of sending.
    Nothing is sent for a user who is deactivated.
    """
    context = await job_context(services, user_id)
    async with services.database.owner(user_id) as session:
        delivery = await store.find_delivery(session, UUID(payload["delivery_id"]))
        question = await store.find(session, delivery.name) if delivery else None
        if delivery is None or question is None or delivery.state != "pending":
            return
        lines = await shown_lines(context, session, question) if context else []
    if context:
        ended = await attempt(services, user_id, question, delivery, text_of(lines, complete=question.complete))
    else:
        ended = delivery._replace(state="dead", error="the user is deactivated", ended_at=services.clock())
    async with services.database.write(user_id) as session:
        noted = await store.record_attempt(session, ended)
        if noted and ended.state == "pending":
            delay_ms = FIRST_DELAY_MS * 4 ** (ended.attempts - 1)
            lock = delivery_lock(user_id, ended.attempts)
            session.defer(Deferral(DELIVER, dict(payload), lock=lock, delay_ms=delay_ms))


async def attempt(services: Services, user_id: UUID, question: Question, delivery: Delivery, text: str) -> Delivery:
    """The delivery after one more attempt."""
    from memd.standing.webhook import WebhookError, WebhookRefusedError, post  # httpx takes 0.2 s to load

    body = _body(question, delivery, text)
    signed = signature(question.webhook_secret or "", services.clock() // 1000, body)
    headers = {"X-Memd-Delivery": encode("dlv", delivery.id), "X-Memd-Signature": signed}
    attempts = delivery.attempts + 1
    private = services.settings.webhook_private_addresses
    try:
        await post(question.webhook_url or "", body, headers, sender=user_id, private=private)
    except WebhookError as error:
        is_dead = attempts >= TRIES or isinstance(error, WebhookRefusedError)
        state, ended_at = ("dead", services.clock()) if is_dead else ("pending", None)
        return delivery._replace(state=state, attempts=attempts, error=str(error), ended_at=ended_at)
    return delivery._replace(state="delivered", attempts=attempts, error=None, ended_at=services.clock())


def _body(question: Question, delivery: Delivery, text: str) -> bytes:
    change = {"added": delivery.added, "removed": delivery.removed, "changed": delivery.changed}
    content = {
        "id": encode("dlv", delivery.id),
        "name": question.name,
        "query": question.query,
        "computedAt": question.computed_at,
        "text": text,
        "change": {"at": delivery.created_at, **change},
    }
    return json.dumps(content, ensure_ascii=False).encode()
