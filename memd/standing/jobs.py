"""The scheduled job `standing`: every question that is due is answered (contract 17.8)."""

import asyncio
from typing import Final

import structlog

from memd.accounts.every_user import JobResult, for_found_users
from memd.context import Context, Services
from memd.domain.ids import encode
from memd.domain.schedule.clock_jump import TOLERANCE_MS
from memd.domain.schedule.standing import parse_schedule
from memd.errors import NotFound
from memd.standing import store
from memd.standing.service import Question, questions, run

log = structlog.get_logger()
RETRY_MS: Final = 600_000
"""When a question is tried again whose answer could not be computed."""
ANSWER_S: Final = 10.0
"""The most time for one answer; one that takes longer counts as failed."""
USER_S: Final = 20.0
"""After this time no further question of a user is begun in a run."""


async def run_due(services: Services) -> JobResult:
    """The scheduled job `standing`: answer every question that is due; rows = answers."""
    now = services.clock()
    return await for_found_users(services, lambda session: store.users_with_due(session, now), _run_due)


async def _run_due(context: Context) -> int:
    """Answer a user's due questions for at most `USER_S`; the rest follow in the next run, so that other users have their turn."""
    due = [one for one in await questions(context) if _is_due(one, context.now)]
    end = asyncio.get_running_loop().time() + USER_S
    failures: list[Exception] = []
    answered = 0
    for question in sorted(due, key=lambda one: one.due_at):
        if answered and asyncio.get_running_loop().time() > end:
            break
        answered += 1
        try:
            async with asyncio.timeout(ANSWER_S):
                await run(context, question.name)
        except NotFound:
            continue  # removed since
        except Exception as error:  # the next question does not wait for this one
            log.exception("standing.failed", userId=encode("usr", context.user_id))
            failures.append(error)
            await _postpone(context, question)
    if failures:
        raise failures[0]
    return answered


def _is_due(question: Question, now: int) -> bool:
    """Whether a question is due, or set to later than its next scheduled time, as by a clock that was ahead."""
    return not now < question.due_at <= parse_schedule(question.schedule).after(now + TOLERANCE_MS)


async def _postpone(context: Context, question: Question) -> None:
    """Try a question again that has failed: after `RETRY_MS`, or when it is due next if that is sooner."""
    due_at = min(context.now + RETRY_MS, parse_schedule(question.schedule).after(context.now))
    async with context.database.write(context.user_id) as session:
        await store.postpone(session, question.name, due_at)
