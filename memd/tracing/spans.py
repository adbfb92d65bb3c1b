"""Spans, wherever memd spends time; nothing is imported or recorded while no tracer is active.

Names and attributes come from our code alone: no text, parameter, path or error message ever goes into a span.
"""

from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

Value: TypeAlias = str | int
TRACEPARENT: Final = "traceparent"
"""The header of W3C Trace Context, and the field of a job's payload."""


class Kind(StrEnum):
    """What a span stands for, as OpenTelemetry names it."""

    INTERNAL = "INTERNAL"
    SERVER = "SERVER"
    CLIENT = "CLIENT"
    CONSUMER = "CONSUMER"


class Span(Protocol):
    """A span that has begun."""

    def rename(self, name: str) -> None:
        """Change the name, once more is known."""
        ...

    def note(self, attributes: Mapping[str, Value]) -> None:
        """Add attributes."""
        ...

    def fail(self) -> None:
        """Mark what the span stands for as failed."""
        ...


class Tracer(Protocol):
    """Records spans."""

    def span(
        self, name: str, kind: Kind, attributes: Mapping[str, Value], parent: str | None
    ) -> AbstractContextManager[Span]:
        """A span for the block, a child of the current one or of `parent`, a traceparent; ends as failed on an error."""
        ...

    def traceparent(self) -> str | None:
        """The current span as W3C Trace Context writes it; None outside of one."""
        ...


class _NoSpan:
    def rename(self, name: str) -> None:
        """Do nothing."""

    def note(self, attributes: Mapping[str, Value]) -> None:
        """Do nothing."""

    def fail(self) -> None:
        """Do nothing."""


@dataclass(slots=True)
class _Active:
    """The tracer of the process, if it has one."""

    tracer: Tracer | None = None


_NOTHING: Final[Mapping[str, Value]] = {}
_NO_SPAN: Final[AbstractContextManager[Span]] = nullcontext(_NoSpan())
_ACTIVE: Final = _Active()


def span(
    name: str, attributes: Mapping[str, Value] = _NOTHING, *, kind: Kind = Kind.INTERNAL, parent: str | None = None
) -> AbstractContextManager[Span]:
    """A span for the block, a child of the current one or of `parent`, a traceparent of another process."""
    tracer = _ACTIVE.tracer
    return _NO_SPAN if tracer is None else tracer.span(name, kind, attributes, parent)


def is_tracing() -> bool:
    """Whether spans are recorded; for names and attributes that cost something to find."""
    return _ACTIVE.tracer is not None


def current_traceparent() -> str | None:
    """The current span as W3C Trace Context writes it, for work that goes on elsewhere; None outside of one."""
    tracer = _ACTIVE.tracer
    return None if tracer is None else tracer.traceparent()


@contextmanager
def recording(tracer: Tracer) -> Generator[None]:
    """Record the spans of this process while the block runs."""
    _ACTIVE.tracer = tracer
    try:
        yield
    finally:
        _ACTIVE.tracer = None
