"""Messages about the period of a memory, for the commands that store one."""

import time
from typing import Final

from memctl.diagnostics import note
from memctl.text import day_of, left_out_of_recall, period
from memctl.wire.memories import SupersedeReply

PERIOD_FIELDS: Final = frozenset({"valid_from", "valid_until"})
_READ: Final = ", read from the text (--valid-from and --valid-until set it)"


def tell_period(start_ms: int | None, end_ms: int | None, *, is_read: bool = False) -> None:
    """Say when a memory is true, and that recall leaves it out if that is over or has not begun.

    `is_read` if memd has read it from the text.
    """
    if named := period(start_ms, end_ms):
        note(f"valid {named}{_READ if is_read else ''}")
    now_ms = int(time.time() * 1000)
    if warning := left_out_of_recall(start_ms, end_ms, now_ms):
        is_over = end_ms is not None and end_ms <= now_ms
        note(f"{warning} ({'--include-ended' if is_over else f'--valid-at {day_of(start_ms or 0)}'} shows it)")


def tell_new_period(reply: SupersedeReply, *, is_read: bool) -> None:
    """The same for a memory that replaces another: unless something else is named, it begins now, which needs no words."""
    tell_period(reply.named_start(), reply.valid_until, is_read=is_read)
