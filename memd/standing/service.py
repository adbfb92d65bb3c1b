"""The use cases of standing questions: create, list, read, run and remove them (contract 17.8)."""

import secrets
from collections.abc import Collection
from typing import Final, NamedTuple
from uuid import UUID

import structlog

from memctl.wire.prompt_context import ContextRequest
from memctl.wire.standing import CreateStandingRequest
from memd.accounts import service as accounts
from memd.context import Context
from memd.db.session import Deferral, OwnerSession, WriteSession
from memd.domain.ids import encode, new_id
from memd.domain.prompts.context_packing import ContextRow, Group, PackedContext, render
from memd.domain.schedule.standing import AnswerChange, by_id, difference, is_public, parse_schedule
from memd.domain.types import KeyScope
from memd.errors import BadRequest, Conflict, Forbidden, NotFound
from memd.knowledge_bases.service import visible_chunks
from memd.prompt_context.service import build_context
from memd.standing import store
from memd.standing.store import Delivery, Line, Question

__all__ = [
    "Answer",
    "Delivery",
    "Question",
    "answer",
    "create",
    "delivery_lock",
    "questions",
    "remove",
    "run",
    "shown_lines",
    "text_of",
]
log = structlog.get_logger()
MAX_QUESTIONS: Final = 20
"""Standing questions of a user."""
KEPT_DELIVERIES: Final = 20
"""Deliveries that are kept per question."""
DELIVER: Final = "standing_delivery"
"""The kind of job that makes a delivery."""


class StandingQuestionExists(Conflict):
    """409: the user has a standing question of this name."""

    error = "Standing question already exists"


class StandingLimitReached(Conflict):
    """409: the user has as many standing questions as one may have."""

    error = "Too many standing questions"


class Answer(NamedTuple):
    """A question, the text and the ids of its answer, and its deliveries."""

    question: Question
    text: str
    ids: list[str]
    deliveries: list[Delivery]


async def questions(context: Context) -> list[Question]:
    """All questions of the user, by name."""
    async with context.database.owner(context.user_id) as session:
        return await store.questions(session)


async def answer(context: Context, name: str) -> Answer:
    """A question with its answer as last computed; `NotFound` without one of this name."""
    async with context.database.owner(context.user_id) as session:
        question = await store.find(session, name)
        if question is None:
            raise NotFound
        lines = await shown_lines(context, session, question)
        deliveries = await store.deliveries(session, name)
    return Answer(question, text_of(lines, complete=question.complete), _ids(lines), deliveries)


async def shown_lines(context: Context, session: OwnerSession, question: Question) -> list[Line]:
    """The lines of an answer that the question still sees: a memory may have got another channel since."""
    scopes = context.scopes(question.channel, question.agent_id, all_channels=question.all_channels)
    return await store.shown_lines(session, scopes, question.name, await visible_chunks(session, scopes))


async def create(context: Context, request: CreateStandingRequest) -> Answer:
    """Add a question with its first answer; `Forbidden`, `StandingQuestionExists`, `StandingLimitReached`, `BadRequest`.

    Both are one transaction, since only the reply shows the webhook's secret.
    """
    _require_read(context)
    question = _new(context, request)
    _check_addable(question.name, [one.name for one in await questions(context)])
    built = await build_context(context, _request(question))
    async with context.database.write(context.user_id) as session:
        await store.lock_all(session)
        _check_addable(question.name, [one.name for one in await store.questions(session)])
        await store.add(session, question)
        await accounts.audit(session, context, "create", "standing", question.name)
        await _keep(session, context, question, built.packed)
    return await answer(context, question.name)


async def remove(context: Context, name: str) -> None:
    """Delete a question with its answer and deliveries; `NotFound` without one of this name."""
    async with context.database.write(context.user_id) as session:
        if not await store.remove(session, name):
            raise NotFound
        await accounts.audit(session, context, "delete", "standing", name)


async def run(context: Context, name: str) -> Answer:
    """Compute the answer of a question now, note what changed and deliver it; `NotFound` without one of this name.

    The answer is dropped when another run that began later has stored one.
    """
    async with context.database.owner(context.user_id) as session:
        question = await store.find(session, name)
    if question is None:
        raise NotFound
    built = await build_context(context, _request(question))
    async with context.database.write(context.user_id) as session:
        locked = await store.lock(session, name)
        if locked is None or locked.created_at != question.created_at:
            raise NotFound
        stored_at = locked.computed_at
        if stored_at is None or stored_at == question.computed_at or stored_at <= context.now:
            await _keep(session, context, question, built.packed)
    return await answer(context, name)


async def run_by_hand(context: Context, name: str) -> Answer:
    """As `run`, for a key that may read, with an audit row."""
    _require_read(context)
    found = await run(context, name)
    async with context.database.write(context.user_id) as session:
        await accounts.audit(session, context, "run", "standing", name)
    return found


def text_of(lines: list[Line], *, complete: bool) -> str:
    """The text of an answer, as in a context (contract 17.3)."""
    rows = (
        ContextRow(one.row_id, Group(one.section), one.heading, one.line, "", 0.0, 0.0, one.timestamp) for one in lines
    )
    return render(rows, complete=complete)


def delivery_lock(user_id: UUID, attempts: int) -> str:
    """The lock of an attempt: of each user, one first attempt runs at a time, one second attempt, and so on.

    Attempts of the same number have the same delay, so none waits for one that is due later.
    """
    return f"standing_delivery:{user_id}:{attempts}"


def _require_read(context: Context) -> None:
    """Raise `Forbidden` for a key without the scope `read`: answers and webhooks would reveal memories that it may not recall."""
    if not context.principal.may(KeyScope.READ):
        raise Forbidden


def _check_addable(name: str, names: Collection[str]) -> None:
    if name in names:
        raise StandingQuestionExists
    if len(names) >= MAX_QUESTIONS:
        raise StandingLimitReached


def _new(context: Context, request: CreateStandingRequest) -> Question:
    try:
        due_at = parse_schedule(request.schedule).after(context.now)
    except ValueError:
        raise BadRequest("Field schedule must be every 5m to 7d, such as `every 1h`, or a time HH:MM (UTC)") from None
    if request.webhook_url is not None:
        _check_url(context, request.webhook_url)
    return Question(
        name=request.name,
        query=request.query,
        token_budget=request.token_budget,
        schedule=request.schedule.strip(),
        channel=request.channel,
        agent_id=request.agent_id,
        all_channels=request.all_channels,
        webhook_url=request.webhook_url,
        webhook_secret=None if request.webhook_url is None else f"whsec_{secrets.token_urlsafe(32)}",
        created_at=context.now,
        due_at=due_at,
        computed_at=None,
        complete=True,
        changed_at=None,
        added=[],
        removed=[],
        changed=[],
        dead_deliveries=0,
    )


def _check_url(context: Context, url: str) -> None:
    """`BadRequest` unless it is an http(s) URL of a public host; host names are resolved on delivery."""
    from memd.standing.webhook import parse_url  # httpx takes 0.2 s to load

    try:
        host = str(parse_url(url).hostname)
    except ValueError:
        raise BadRequest("Field webhookUrl must be an http or https URL without credentials") from None
    if context.services.settings.webhook_private_addresses:
        return
    try:
        is_allowed = is_public(host)
    except ValueError:
        is_allowed = host != "localhost" and not host.endswith(".localhost")
    if not is_allowed:
        raise BadRequest("Field webhookUrl must name a public host")


def _request(question: Question) -> ContextRequest:
    return ContextRequest(
        query=question.query,
        token_budget=question.token_budget,
        channel=question.channel,
        agent_id=question.agent_id,
        all_channels=question.all_channels,
    )


async def _keep(session: WriteSession, context: Context, question: Question, packed: PackedContext) -> None:
    """Store the new answer, the change since the last one, and the delivery of that change."""
    existing = await store.lock_sources(session, [entry.row.id for entry in packed.included])
    new = [_line(entry.row) for entry in packed.included if entry.row.id in existing]
    change = difference(_compared(await store.lines(session, question.name)), _compared(new))
    await store.replace_lines(session, question.name, new)
    due_at = parse_schedule(question.schedule).after(context.now)
    await store.record_run(session, question.name, context.now, due_at, complete=not packed.left_out)
    if change.is_empty:
        return
    await store.record_change(session, question.name, context.now, change)
    if question.webhook_url is not None:
        await _deliver(session, context, question.name, change)


async def _deliver(session: WriteSession, context: Context, name: str, change: AnswerChange) -> None:
    delivery = Delivery(new_id(), name, *change, "pending", 0, None, context.now, None)
    await store.add_delivery(session, delivery, KEPT_DELIVERIES)
    session.defer(Deferral(DELIVER, {"delivery_id": str(delivery.id)}, lock=delivery_lock(context.user_id, 0)))


def _line(row: ContextRow) -> Line:
    return Line(row.id, row.group.value, row.heading, row.line, row.compact_line, row.timestamp)


def _compared(lines: list[Line]) -> dict[str, list[str]]:
    """The lines by id. The compact form is compared: how much of a text is shown depends on the other rows."""
    return by_id((_wire_id(one), one.compact_line) for one in lines)


def _ids(lines: list[Line]) -> list[str]:
    return list(dict.fromkeys(_wire_id(one) for one in lines))


def _wire_id(line: Line) -> str:
    return encode("msg" if line.section == Group.MESSAGES else "mem", line.row_id)
