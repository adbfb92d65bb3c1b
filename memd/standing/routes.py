"""Standing questions over HTTP (contract 17.8)."""

import re
from typing import Any

from memctl.wire.standing import (
    STANDING_NAME,
    CreateStandingRequest,
    DeliveryState,
    StandingAnswer,
    StandingChange,
    StandingCreated,
    StandingDeliveryRow,
    StandingList,
    StandingRemoved,
    StandingRow,
)
from memd.access.endpoint import Call, NoBody, Room
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.errors import NotFound
from memd.standing import service
from memd.standing.service import Answer, Delivery, Question

room = Room("standing")


@room.endpoint(
    "POST",
    "/api/standing",
    credits=10,
    scope=KeyScope.WRITE,
    body=CreateStandingRequest,
    reply=StandingCreated,
    status=201,
    errors=(409,),
)
async def create(call: Call[CreateStandingRequest]) -> StandingCreated:
    """Keep the answer of a query fresh; the secret that signs its deliveries is shown only now."""
    made = await service.create(call.context, call.body)
    return StandingCreated(**_answer(made), webhook_secret=made.question.webhook_secret)


@room.endpoint("GET", "/api/standing", credits=1, scope=KeyScope.READ, reply=StandingList)
async def standing(call: Call[NoBody]) -> StandingList:
    """All standing questions, by name."""
    return StandingList(standing=[StandingRow(**_row(one)) for one in await service.questions(call.context)])


@room.endpoint("GET", "/api/standing/{name}", credits=1, scope=KeyScope.READ, reply=StandingAnswer, errors=(404,))
async def show(call: Call[NoBody]) -> StandingAnswer:
    """The answer of a standing question as last computed, and what changed in it."""
    return StandingAnswer(**_answer(await service.answer(call.context, _name(call))))


@room.endpoint(
    "POST", "/api/standing/{name}/run", credits=10, scope=KeyScope.WRITE, reply=StandingAnswer, errors=(404,)
)
async def run(call: Call[NoBody]) -> StandingAnswer:
    """Compute the answer of a standing question now."""
    return StandingAnswer(**_answer(await service.run_by_hand(call.context, _name(call))))


@room.endpoint("DELETE", "/api/standing/{name}", credits=1, scope=KeyScope.WRITE, reply=StandingRemoved, errors=(404,))
async def remove(call: Call[NoBody]) -> StandingRemoved:
    """Remove a standing question with its answer and deliveries."""
    name = _name(call)
    await service.remove(call.context, name)
    return StandingRemoved(name=name)


def _name(call: Call[NoBody]) -> str:
    """The name in the path; `NotFound` for what can be no name."""
    name = call.path["name"]
    if re.fullmatch(STANDING_NAME, name) is None:
        raise NotFound
    return name


def _row(one: Question) -> dict[str, Any]:
    shown = one._asdict()
    for hidden in ("webhook_secret", "due_at", "complete", "changed_at", "added", "removed", "changed"):
        del shown[hidden]
    change = None
    if one.changed_at is not None:
        change = StandingChange(at=one.changed_at, added=one.added, removed=one.removed, changed=one.changed)
    return {**shown, "next_at": one.due_at, "change": change}


def _answer(found: Answer) -> dict[str, Any]:
    deliveries = [_delivery(one) for one in found.deliveries]
    return {**_row(found.question), "text": found.text, "ids": found.ids, "deliveries": deliveries}


def _delivery(one: Delivery) -> StandingDeliveryRow:
    return StandingDeliveryRow(
        id=encode("dlv", one.id),
        state=DeliveryState(one.state),
        attempts=one.attempts,
        created_at=one.created_at,
        error=one.error,
        ended_at=one.ended_at,
    )
