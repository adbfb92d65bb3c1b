"""The address of a collector, and whether this installation can export to one; checked before anything starts."""

from importlib.util import find_spec
from typing import Annotated, Final

from pydantic import AfterValidator

_EXPORTER: Final = "opentelemetry.exporter.otlp.proto.http"
_PATH: Final = "v1/traces"


def _check(address: str) -> str:
    if not address.startswith(("http://", "https://")):
        raise ValueError("an address of a collector begins with http:// or https://")
    return address


def can_export() -> bool:
    """Whether the extra `otel` is installed."""
    try:
        return find_spec(_EXPORTER) is not None and find_spec("opentelemetry.sdk.trace") is not None
    except ModuleNotFoundError:
        return False


CollectorAddress = Annotated[str, AfterValidator(_check)]
"""The address of an OTLP/HTTP collector."""


def traces_address(address: str) -> str:
    """Where a collector takes traces."""
    return address if address.endswith(_PATH) else f"{address.rstrip('/')}/{_PATH}"
