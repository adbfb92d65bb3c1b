"""Waiting before a refused request is sent again: what the server asks for, and a random part on top."""

import random
from collections.abc import Callable
from typing import Any, Final, cast

import httpx

RETRIED: Final = frozenset((429, 503))
"""Statuses with which memd refuses a request before it does anything (contract 1.5)."""
MAX_WAIT_S: Final = 30.0
"""A longer wait, such as for the credits of the next day, is left to the caller."""
FIRST_WAIT_S: Final = 0.5
JITTER: Final = 0.25
"""The random part as a share of the wait, so that clients refused together do not come back together."""


def seconds_before_retry(
    answer: httpx.Response, attempt: int, uniform: Callable[[float, float], float] = random.uniform
) -> float | None:
    """How long to wait before sending a request again; None for a reply to return unchanged.

    `attempt` counts from 0. Without a wait named by the server it doubles with each attempt.
    """
    if answer.status_code not in RETRIED:
        return None
    wait = _named_wait(answer)
    if wait is None:
        wait = FIRST_WAIT_S * 2**attempt
    return None if wait > MAX_WAIT_S else wait + uniform(0, JITTER * max(wait, FIRST_WAIT_S))


def _named_wait(answer: httpx.Response) -> float | None:
    """`retryAfterMs` of the body, which is exact, else the header `Retry-After` in whole seconds."""
    try:
        body: Any = answer.json()
        milliseconds: Any = cast("dict[str, Any]", body).get("retryAfterMs") if isinstance(body, dict) else None
        return max(
            0.0, float(milliseconds) / 1000 if milliseconds is not None else float(answer.headers["Retry-After"])
        )
    except (KeyError, OverflowError, RecursionError, TypeError, ValueError):
        return None
