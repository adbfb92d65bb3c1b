"""The optional external moderation endpoint (contract 12): a second opinion that may fail.

It speaks the OpenAI-compatible form: POST `{"input": text}` answers `{"results": [{"flagged", "categories"}]}`. It has
three seconds; after any failure the answer is None and the local rules decide. Neither the text nor the reply is
ever logged.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx
import structlog

from memd.cooldown import Cooldown
from memd.domain.policy.content_policy import Block
from memd.domain.types import BlockReason

THREAT_ID = "moderation"
TIMEOUT_SECONDS = 3.0
COOLDOWN_S = 30.0

log = structlog.get_logger()

_REASONS: tuple[tuple[BlockReason, tuple[str, ...]], ...] = (
    (BlockReason.PERSONAL_INFO_EXPOSURE, ("pii", "privacy", "personal")),
    (BlockReason.COPYRIGHT_VIOLATION, ("copyright", "intellectual")),
    (BlockReason.VIOLENT_CONTENT, ("violen", "threat", "harm", "suicide", "weapon", "hate", "harass")),
)
"""A word in the name of a category and the reason it maps to; every other category is illegal_activity."""


class ModerationError(Exception):
    """The endpoint did not give a usable answer; the text says how, without any content."""


class Moderator:
    """A client of one endpoint, with a cooldown after failures, which may take 3 s each."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        url: str,
        *,
        api_key: str | None = None,
        model: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        cooldown_s: float = COOLDOWN_S,
    ) -> None:
        self._client = client
        self._url = url
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._model = {"model": model} if model else {}
        self._timeout_seconds = timeout_seconds
        self._cooldown = Cooldown(cooldown_s)

    async def moderate(self, title: str, content: str) -> Block | None:
        """The block of the endpoint, or None when it has no objection, fails or is in its cooldown; never raises for the endpoint."""
        if self._cooldown.is_active:
            return None
        try:
            async with asyncio.timeout(self._timeout_seconds):
                block = await self._ask(f"{title}\n\n{content}")
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, ModerationError) as error:
            self._note_failure(error)
            return None
        self._cooldown.record_success()
        return block

    async def _ask(self, text: str) -> Block | None:
        response = await self._client.post(
            self._url, json={"input": text, **self._model}, headers=self._headers, timeout=self._timeout_seconds
        )
        if not response.is_success:
            raise ModerationError(f"status {response.status_code}")
        try:
            return read_verdict(response.json())
        except (ValueError, RecursionError) as error:
            raise ModerationError("not JSON") from error

    def _note_failure(self, error: Exception) -> None:
        cause = str(error) if isinstance(error, ModerationError) else type(error).__name__
        log.warning("policy.moderation_failed", cause=cause)
        self._cooldown.record_failure()


def read_verdict(reply: Any) -> Block | None:
    """The block in the decoded reply, or None when nothing is flagged; `ModerationError` for every other shape."""
    try:
        result = reply["results"][0]
        flagged, categories = result["flagged"], result.get("categories", {})
        names = [str(name) for name, value in categories.items() if value is True]
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        raise ModerationError("unexpected shape") from error
    if not isinstance(flagged, bool):
        raise ModerationError("unexpected shape")
    return Block(_reason(names), THREAT_ID) if flagged else None


def _reason(categories: Sequence[str]) -> BlockReason:
    """The reason of the first category, in the order of the reply; without any, illegal_activity."""
    first = categories[0].lower() if categories else ""
    for reason, words in _REASONS:
        if any(word in first for word in words):
            return reason
    return BlockReason.ILLEGAL_ACTIVITY
