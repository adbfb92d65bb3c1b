"""Captures and messages by day: a calendar of weeks, a curve, and the words for both."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from math import log1p

from rich.text import Text

from memctl.text import count
from memctl.wire.stats import ActivityReply

from ..colors import HEAT_LEVELS

_LABELS = ("Mon", "", "Wed", "", "Fri", "", "")
_BESIDE = len("Mon ")
_DAY_CELLS = 2
_MONTH_CELLS = 4
_BLOCKS = "▁▂▃▄▅▆▇█"


def totals(reply: ActivityReply) -> list[int]:
    """Captures and messages together, by day."""
    return [captures + messages for captures, messages in zip(reply.captures, reply.messages, strict=True)]


def calendar(reply: ActivityReply, width: int) -> Text:
    """A column for each week, a row for each day from Monday on; as many of the last weeks as `width` cells hold."""
    numbers = totals(reply)
    first = date.fromisoformat(reply.first_day)
    last = first + timedelta(days=len(numbers) - 1)
    weeks = min(max((width - _BESIDE) // _DAY_CELLS, 1), len(numbers) // 7)
    monday = last - timedelta(days=last.weekday() + 7 * (weeks - 1))
    maximum = max(numbers, default=0)
    lines = [Text(" " * _BESIDE + _months([monday + timedelta(weeks=week) for week in range(weeks)]), style="dim")]
    for weekday, label in enumerate(_LABELS):
        line = Text(f"{label:<{_BESIDE}}", style="dim")
        for week in range(weeks):
            day = monday + timedelta(days=7 * week + weekday)
            inside = first <= day <= last
            level = heat(numbers[(day - first).days], maximum) if inside else 0
            line.append("■ " if inside else "  ", style=f"heat.{level}")
        lines.append(line)
    return Text("\n").join(lines)


def heat(number: int, maximum: int) -> int:
    """The level of a day, 0 for none up to HEAT_LEVELS, on a logarithmic scale that one busy day does not flatten."""
    return 1 + int((HEAT_LEVELS - 1) * log1p(number) / log1p(maximum)) if number else 0


def _months(mondays: Sequence[date]) -> str:
    """The names of the months over the weeks in which they begin; the first one's, cut off, only where there is space."""
    begun = next((week for week, monday in enumerate(mondays) if monday.month != mondays[0].month), len(mondays))
    line = f"{mondays[0]:%b} " if begun * _DAY_CELLS >= _MONTH_CELLS or begun == len(mondays) else ""
    for week, (before, monday) in enumerate(pairwise(mondays), 1):
        if monday.month != before.month and len(line) <= week * _DAY_CELLS:
            line = f"{line.ljust(week * _DAY_CELLS)}{monday:%b} "
    return line[: max(len(mondays) * _DAY_CELLS, _MONTH_CELLS)]


def curve(numbers: Sequence[int]) -> Text:
    """A spark line: one block for each number."""
    maximum = max(numbers, default=0) or 1
    top = len(_BLOCKS) - 1
    return Text("".join(_BLOCKS[round(top * number / maximum)] for number in numbers), style="bar")


def caption(reply: ActivityReply) -> str:
    """How much was written, and when the most."""
    numbers = totals(reply)
    if not any(numbers):
        return "nothing yet"
    best = max(range(len(numbers)), key=numbers.__getitem__)
    day = date.fromisoformat(reply.first_day) + timedelta(days=best)
    captures, messages = sum(reply.captures), sum(reply.messages)
    busiest = f"busiest day {day:%Y-%m-%d}: {numbers[best]:,}"
    return f"{count(captures, 'capture')} and {count(messages, 'message')} · {busiest}"
