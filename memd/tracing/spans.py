"""Spans, wherever memd spends time; nothing is imported or recorded while no tracer is active.

Names and attributes come from our code alone: no text, parameter, path or error message ever goes into a span.
"""

from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from inspect import currentframe
from types import FrameType
from typing import Final, Protocol, TypeAlias

Value: TypeAlias = str | int
TRACEPARENT: Final = "traceparent"
"""The header of W3C Trace Context, and the field of a job's payload."""


class Kind(StrEnum):
    """The kind of a span, as OpenTelemetry names it."""

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
        """Mark the work of the span as failed."""
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


_SESSIONS: Final = ("memd.db.statements", "memd.db.session", "memd.tracing.", "contextlib")
_NOTHING: Final[Mapping[str, Value]] = {}
_NO_SPAN: Final[AbstractContextManager[Span]] = nullcontext(_NoSpan())
_ACTIVE: Final = _Active()


def span(
    name: str, attributes: Mapping[str, Value] = _NOTHING, *, kind: Kind = Kind.INTERNAL, parent: str | None = None
) -> AbstractContextManager[Span]:
    """A span for the block, a child of the current one or of `parent`, a traceparent of another process."""
    tracer = _ACTIVE.tracer
    return _NO_SPAN if tracer is None else tracer.span(name, kind, attributes, parent)


def statement_span(statements: int) -> AbstractContextManager[Span]:
    """A span for this number of statements in one round trip; its name is never part of a statement."""
    if _ACTIVE.tracer is None:
        return _NO_SPAN
    attributes = {"db.system.name": "postgresql", "db.operation.batch.size": statements}
    return span(_name(currentframe()), attributes, kind=Kind.CLIENT)


def _name(frame: FrameType | None) -> str:
    """Module and function outside of the sessions, such as `recall.lane_store.nearest`, with `commit` at the end of a transaction.

    Coroutines that await each other are on one stack.
    """
    suffix = ""
    while frame is not None:
        module, function = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        if not module.startswith(_SESSIONS):
            return f"{module.removeprefix('memd.')}.{function}{suffix}"
        if module == "memd.db.session" and function == "end":
            suffix = " commit"
        frame = frame.f_back
    return "statement"


def current_traceparent() -> str | None:
    """The current span as W3C Trace Context writes it, for work that continues elsewhere; None outside of one."""
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
