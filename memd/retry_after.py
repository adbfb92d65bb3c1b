"""The header `Retry-After` in answers of the services that memd calls."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx


def retry_after_s(response: "httpx.Response") -> float:
    """Seconds that the service asks to wait; 0 when it names none, or a date."""
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 0.0
