"""Allowances of users: tiers and policies as data, the credit window and the import price (contract 2).

None means "no limit" everywhere in this module; `wire_number` turns it into the 999999 of the wire.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self

from memctl.wire.limits import CHUNKS_PER_REQUEST_MAX, NO_LIMIT
from memd.domain.types import Policy, Tier

WINDOW_MS: Final = 60_000
WARNING_PERCENT: Final = 90
IMPORT_PAGE: Final = 100
IMPORT_PAGE_CREDITS: Final = 5


@dataclass(frozen=True, slots=True)
class Allowance:
    """Everything a policy grants; counts are per user, None = no limit."""

    credits_per_minute: int | None
    concurrent_requests: int | None
    embeddings_per_day: int | None
    memories: int | None
    messages: int | None
    message_ttl_days: int
    checkpoints: int | None
    memories_per_checkpoint: int
    graph_enrichments_per_hour: int | None


_UNLIMITED: Final = Allowance(None, None, None, None, None, 365, 20, 1000, None)

ALLOWANCES: Final[Mapping[Policy, Allowance]] = {
    Policy.MANAGED_FREE: Allowance(100, 2, 50, 500, 500, 7, 1, 50, 0),
    Policy.MANAGED_STARTER: Allowance(250, 5, 200, 25_000, 25_000, 30, 5, 200, 25),
    Policy.MANAGED_PRO: Allowance(500, 10, 500, 25_000, 25_000, 30, 5, 200, 25),
    Policy.MANAGED_ULTRA: Allowance(2000, 50, 5000, None, None, 90, 10, 500, 50),
    Policy.MANAGED_UNLIMITED: _UNLIMITED,
    Policy.SELF_HOSTED_UNMETERED: replace(_UNLIMITED, checkpoints=None),
}
ADDRESS_CREDITS: Final = ALLOWANCES[Policy.MANAGED_FREE].credits_per_minute or NO_LIMIT
"""Credits per minute of an address whose requests have no valid key (contract 1.4)."""

TIER_POLICIES: Final[Mapping[Tier, Policy]] = {
    Tier.FREE: Policy.MANAGED_FREE,
    Tier.STARTER: Policy.MANAGED_STARTER,
    Tier.PRO: Policy.MANAGED_PRO,
    Tier.ULTRA: Policy.MANAGED_ULTRA,
    Tier.UNLIMITED: Policy.MANAGED_UNLIMITED,
}

_UNMETERED: Final = frozenset((Policy.MANAGED_UNLIMITED, Policy.SELF_HOSTED_UNMETERED))


def effective_policy(tier: Tier, policy: Policy | None) -> Policy:
    """The policy in force: the user's explicit one, else that of the tier (contract 2.1)."""
    return policy or TIER_POLICIES[tier]


def is_unmetered(policy: Policy) -> bool:
    """Whether no product quota holds; authentication and server-wide safeguards still do."""
    return policy in _UNMETERED


def allowance_for(policy: Policy, *, unmetered_message_ttl_days: int = 365) -> Allowance:
    """The allowance that `policy` grants; the message TTL of an unmetered policy is a setting, in days."""
    allowance = ALLOWANCES[policy]
    return replace(allowance, message_ttl_days=unmetered_message_ttl_days) if is_unmetered(policy) else allowance


def narrowest(one: Allowance, other: Allowance) -> Allowance:
    """The smaller of two limits, for each of them."""
    pairs = {each.name: (getattr(one, each.name), getattr(other, each.name)) for each in fields(Allowance)}
    smaller: dict[str, Any] = {
        name: min((limit for limit in pair if limit is not None), default=None) for name, pair in pairs.items()
    }
    return replace(one, **smaller)


def wire_number(limit: int | None) -> int:
    """A limit where the wire needs a number: "none" is 999999."""
    return NO_LIMIT if limit is None else limit


def import_cost(chunks: int | None, credits_per_minute: int | None) -> int:
    """Credits of an import of `chunks` chunks: 5 for every 100 begun, at least 5, at most the tier's minute.

    `chunks` is None when the number cannot be read; that and more than 10,000 cost 5 (the request is then refused).
    """
    if chunks is None or not 0 < chunks <= CHUNKS_PER_REQUEST_MAX:
        return IMPORT_PAGE_CREDITS
    cost = IMPORT_PAGE_CREDITS * -(-chunks // IMPORT_PAGE)
    return cost if credits_per_minute is None else max(IMPORT_PAGE_CREDITS, min(cost, credits_per_minute))


@dataclass(frozen=True, slots=True)
class CreditWindow:
    """A fixed window of `length` ms that began at `start` (epoch ms) and in which `used` credits were spent."""

    start: int
    used: int = 0
    length: int = WINDOW_MS

    @property
    def end(self) -> int:
        """The epoch ms at which the window is over."""
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Debit:
    """The answer to a debit: whether and how much was taken, and the window to keep."""

    allowed: bool
    window: CreditWindow
    retry_after_ms: int | None
    taken: int = 0


@dataclass(frozen=True, slots=True)
class RateView:
    """The numbers of the rate headers; `reset` in Unix seconds, `warning` the percentage used from 90 on.

    `taken` credits were taken just before.
    """

    limit: int
    remaining: int
    reset: int
    warning: int | None = None
    taken: int = 0

    @classmethod
    def of(cls, window: CreditWindow, limit: int) -> Self:
        """The numbers of a window with this limit."""
        return cls(limit, remaining(window, limit), reset_seconds(window), warning_percent(window.used, limit))

    @property
    def headers(self) -> dict[str, str]:
        """The rate headers of contract 1.4."""
        numbers = {"Limit": self.limit, "Remaining": self.remaining, "Reset": self.reset, "Warning": self.warning}
        return {f"X-RateLimit-{name}": str(number) for name, number in numbers.items() if number is not None}


def running_window(window: CreditWindow | None, now: int, length: int = WINDOW_MS) -> CreditWindow:
    """The window that holds at `now` (epoch ms): the given one until it ends, else a new one that begins now.

    A window that begins after `now`, since the clock was set back, does not hold.
    """
    return window if window is not None and window.start <= now < window.end else CreditWindow(now, length=length)


def debit(
    window: CreditWindow | None,
    cost: int,
    limit: int | None,
    now: int,
    length: int = WINDOW_MS,
    *,
    minimum: int | None = None,
) -> Debit:
    """Take `cost` credits; above the remainder it is refused, debits nothing and says how long the window lasts.

    With `minimum`, a smaller remainder of at least that many credits is taken instead.
    """
    current = running_window(window, now, length)
    if limit is not None and cost > (left := remaining(current, limit)):
        if minimum is None or left < minimum:
            return Debit(allowed=False, window=current, retry_after_ms=retry_after_ms(current, now))
        cost = left
    return Debit(allowed=True, window=replace(current, used=current.used + cost), retry_after_ms=None, taken=cost)


def refund(window: CreditWindow, cost: int) -> CreditWindow:
    """The window with `cost` given back."""
    return replace(window, used=max(0, window.used - cost))


def remaining(window: CreditWindow, limit: int) -> int:
    """Credits left in the window, never negative (a change of tier keeps what is used)."""
    return max(0, limit - window.used)


def reset_seconds(window: CreditWindow) -> int:
    """`X-RateLimit-Reset`: the Unix second, rounded up, at which the window has ended."""
    return -(-window.end // 1000)


def retry_after_ms(window: CreditWindow, now: int) -> int:
    """`retryAfterMs`: time to the window's end, at least 1 ms."""
    return max(1, window.end - now)


def retry_after_seconds(wait_ms: int) -> int:
    """`Retry-After`: whole seconds, rounded up, at least 1."""
    return max(1, -(-wait_ms // 1000))


def warning_percent(used: int, limit: int | None) -> int | None:
    """`X-RateLimit-Warning`: the percentage used, rounded down, from 90 % on; None below, and when unmetered."""
    if not limit:
        return None
    percent = used * 100 // limit
    return percent if percent >= WARNING_PERCENT else None
