"""The span of a round trip to Postgres, named after the function that runs the statements."""

from contextlib import AbstractContextManager
from inspect import currentframe
from types import FrameType
from typing import Final

from memd.tracing.spans import Kind, Span, is_tracing, span

_SESSIONS: Final = ("memd.db.statements", "memd.db.session", "memd.tracing.", "contextlib")


def statement_span(statements: int) -> AbstractContextManager[Span]:
    """A span for so many statements in one round trip; its name is never part of a statement."""
    if not is_tracing():
        return span("")
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
