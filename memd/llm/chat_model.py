"""The chat model as jobs and requests use it: asked within a budget, with a cooldown after failures."""

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar
from uuid import UUID

import structlog

from memd.access.rate_limits.ledger import LedgerSource
from memd.cooldown import Cooldown
from memd.llm.chat import Chat, ChatError
from memd.llm.prompts import Prompt

log = structlog.get_logger()
HOUR_MS: Final = 3_600_000
COOLDOWN_S: Final = 3_600.0
T = TypeVar("T")


class ChatModel:
    """A chat model with a cooldown for everybody and an hourly budget for each user; it never raises for the model."""

    def __init__(self, chat: Chat, ledgers: LedgerSource, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives the seconds of the cooldown."""
        self._chat = chat
        self._spent = ledgers.ledger("llm", HOUR_MS)
        self._cooldown = Cooldown(COOLDOWN_S, clock)

    async def ask(
        self,
        prompt: Prompt,
        read: Callable[[object], T | None],
        budgets: Sequence[tuple[UUID, int | None]],
        timeout_s: float,
    ) -> T | None:
        """The model's JSON as parsed by `read`, or None.

        None when calls are suspended or fail, when `read` rejects the answer, or when one of the budgets is
        spent: a user, and how many such questions the user has in an hour (None = any number).
        """
        if self._cooldown.is_active or timeout_s <= 0:
            return None
        if not await self._spend(prompt, budgets):
            return None
        try:
            answer = read(await self._chat.answer(prompt, timeout_s))
        except ChatError as error:
            self._note_failure(prompt, str(error))
            return None
        if answer is None:
            self._note_failure(prompt, "the answer has another form")
            return None
        self._cooldown.record_success()
        return answer

    async def _spend(self, prompt: Prompt, budgets: Sequence[tuple[UUID, int | None]]) -> bool:
        """Take one question from every budget, or from none."""
        spent: list[str] = []
        for user_id, limit in budgets:
            bucket = f"{prompt.name}:{user_id}"
            if limit is None:
                continue
            if not (await self._spent.take(bucket, 1, limit)).allowed:
                for each in spent:
                    await self._spent.refund(each, 1)
                return False
            spent.append(bucket)
        return True

    def _note_failure(self, prompt: Prompt, reason: str) -> None:
        log.warning("llm.failed", prompt=prompt.name, reason=reason)
        if self._cooldown.record_failure():
            log.warning("llm.paused", minutes=round(COOLDOWN_S / 60))
