"""When a service that memd calls is asked again: after which status codes, and the header `Retry-After`."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import httpx

RETRYABLE_STATUSES: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""The status codes of refusals that may pass."""


def retry_after_s(response: "httpx.Response") -> float:
    """Seconds that the service asks to wait; 0 when it names none, or a date."""
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 0.0
