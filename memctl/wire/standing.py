"""Wire types of standing questions (contract 17.8)."""

import re
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, StringConstraints, WithJsonSchema

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.fields import Flag, Integer, QueryText, ScopeText
from memctl.wire.prompt_context import TOKEN_BUDGET_MAX, TOKEN_BUDGET_MIN
from memctl.wire.refusals import wrong_type

STANDING_NAME: Final = r"^[a-z0-9][a-z0-9._-]{0,63}$"
"""Lower-case letters, digits, dots, hyphens and underscores: a name is a part of the path."""

WEBHOOK_URL: Final = r"^https?://"


def _is_name(value: str) -> str:
    if re.fullmatch(STANDING_NAME, value) is None:
        raise wrong_type("lower-case letters, digits, `.`, `_` and `-`, at most 64, beginning with a letter or digit")
    return value


StandingName = Annotated[
    str,
    StringConstraints(strict=True),
    AfterValidator(_is_name),
    WithJsonSchema({"type": "string", "pattern": STANDING_NAME}, mode="validation"),
]


class CreateStandingRequest(RequestModel):
    """POST /api/standing; `schedule` is `every 1h` (s, m, h, d; 5 minutes to 7 days) or a time of day `08:30` (UTC)."""

    name: StandingName
    query: QueryText
    schedule: Annotated[str, StringConstraints(strict=True, max_length=32)] = "every 1h"
    token_budget: Annotated[int, Integer(TOKEN_BUDGET_MIN, TOKEN_BUDGET_MAX)] = 1_000
    channel: ScopeText = None
    agent_id: ScopeText = None
    all_channels: Flag = False
    webhook_url: Annotated[str, StringConstraints(strict=True, max_length=2_000, pattern=WEBHOOK_URL)] | None = None


class StandingChange(WireModel):
    """The ids that entered the answer, left it, or have another text, at the last run that changed anything."""

    at: int
    added: list[str]
    removed: list[str]
    changed: list[str]


class DeliveryState(StrEnum):
    """Where a delivery is; a dead one was given up."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"


class StandingDeliveryRow(WireModel):
    """A delivery to the webhook; `error` is that of the last attempt."""

    id: str
    state: DeliveryState
    attempts: int
    created_at: int
    error: str | None = absent()
    ended_at: int | None = absent()


class StandingRow(WireModel):
    """A standing question; `nextAt` is when its answer is computed next, `deadDeliveries` how many were given up."""

    name: str
    query: str
    schedule: str
    token_budget: int
    created_at: int
    next_at: int
    dead_deliveries: int
    all_channels: bool
    channel: str | None = absent()
    agent_id: str | None = absent()
    webhook_url: str | None = absent()
    computed_at: int | None = absent()
    change: StandingChange | None = absent()


class StandingAnswer(StandingRow):
    """A standing question with its answer: the text for a prompt, the ids in it, and the newest deliveries."""

    text: str
    ids: list[str]
    deliveries: list[StandingDeliveryRow]


class StandingCreated(StandingAnswer):
    """A new standing question; `webhookSecret`, which signs its deliveries, is shown only now."""

    webhook_secret: str | None = absent()


class StandingList(WireModel):
    """All standing questions of the caller, by name."""

    standing: list[StandingRow]


class StandingRemoved(WireModel):
    """The standing question is gone, and its answer and deliveries with it."""

    success: Literal[True] = True
    name: str
