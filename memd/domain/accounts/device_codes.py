"""Codes and polls of the device authorization as pure decisions (contract 9.3)."""

from dataclasses import dataclass
from typing import Final

USER_ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
USER_LENGTH: Final = 8
LIFETIME_MS: Final = 600_000
FIRST_INTERVAL_S: Final = 5
SLOWER_BY_S: Final = 5
SLOWEST_INTERVAL_S: Final = 60
POLLS_AT_ONCE: Final = 10
POLL_REFILL_MS: Final = 5_000


def shown_user_code(letters: str) -> str:
    """Eight letters as people read them: `XXXX-XXXX`."""
    half = USER_LENGTH // 2
    return f"{letters[:half]}-{letters[half:]}"


def plain_user_code(text: str) -> str:
    """The letters of a code as typed: case, blanks and dashes are ignored."""
    return "".join(char for char in text.upper() if char.isalnum())


@dataclass(frozen=True, slots=True)
class Poll:
    """Whether a poll is let through, what to remember of it, and for a refused one how long to wait."""

    paid_until: int
    wait_ms: int | None


def poll(paid_until: int, now: int) -> Poll:
    """One poll against a bucket of ten that gets one back every five seconds.

    The bucket is one number, the moment (epoch ms) at which it is full again: each poll moves it five seconds on, and
    it is at most fifty seconds ahead; one that is farther ahead is from before the clock was set back, and the bucket
    is full. The form is the generic cell rate algorithm of ITU-T I.371.
    """
    is_known = now < paid_until <= now + POLLS_AT_ONCE * POLL_REFILL_MS
    moved = (paid_until if is_known else now) + POLL_REFILL_MS
    ahead = moved - now - POLLS_AT_ONCE * POLL_REFILL_MS
    return Poll(paid_until, ahead) if ahead > 0 else Poll(moved, None)


def slower(interval_s: int) -> int:
    """The interval to ask for, in seconds, after a client polled too fast."""
    return min(interval_s + SLOWER_BY_S, SLOWEST_INTERVAL_S)
