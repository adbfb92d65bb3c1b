"""What an import left out or remarks on, in few lines: many rows often have one reason."""

from collections.abc import Sequence

from memctl.importers.pieces import Refusal, Remark, Skipped

NAMED = 3
"""Of the rows with one reason, so many are named."""


def by_reason(found: Sequence[Refusal | Skipped | Remark], shown: int) -> list[str]:
    """A line for each of the first `shown` reasons: how many rows have it, and the first of them."""
    origins: dict[str, list[str]] = {}
    for each in found:
        origins.setdefault(each.reason, []).append(each.origin)
    return [_line(reason, names) for reason, names in [*origins.items()][:shown]]


def rest(found: Sequence[Refusal | Skipped | Remark], shown: int) -> int:
    """How many rows have a reason that is not among the first `shown`."""
    first = [*dict.fromkeys(each.reason for each in found)][:shown]
    return sum(each.reason not in first for each in found)


def _line(reason: str, names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]}: {reason}"
    more = ", …" if names[NAMED:] else ""
    return f"{len(names):,} × {reason} ({', '.join(names[:NAMED])}{more})"
