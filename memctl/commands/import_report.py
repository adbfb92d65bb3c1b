"""The outcome of `memctl kb import`, and the rejections of every import, for a person or for a program."""

import re
from collections.abc import Sequence
from typing import Any

from memctl import output
from memctl.diagnostics import note
from memctl.importers.delivery import ImportSummary
from memctl.importers.pieces import Refusal
from memctl.importers.reasons import by_reason, rest
from memctl.importers.records import Kept
from memctl.options import Form
from memctl.text import count

SHOWN_REASONS = 20
SHOWN_ABSENT = 5
SHOWN_KEPT = 20
RATE_FROM_S = 1.0
"""Seconds below which a rate says more about the clock than about the import."""
_OF_A_RULE = re.compile(r"\[\w+\]$")


def report(base_id: str, summary: ImportSummary, seconds: float, form: Form, *, complete: bool) -> None:
    """The summary on standard output; rejections with their reasons."""
    if form is Form.JSON:
        rate = summary.sent / seconds if seconds else 0.0
        times = {"seconds": round(seconds, 3), "chunksPerSecond": round(rate, 1)}
        output.document(
            {"knowledgeBaseId": base_id or None, "complete": complete, **_counts_and_lists(summary), **times}
        )
        return
    output.say(_counts(summary) + _duration(summary, seconds))
    say_rejected(summary.rejected)
    if any(_OF_A_RULE.search(each.reason) for each in summary.rejected):
        note("[…] names a rule of the content policy, which the operator of memd sets: docs/settings.md")
    for line in by_reason(summary.skipped, len(summary.skipped)):
        output.say(f"  skipped {line}")
    if summary.pending:
        note(f"{count(summary.pending, 'chunk')} will be embedded later")
    for warning in (*by_reason(summary.remarks, len(summary.remarks)), *summary.warnings):
        note(f"warning: {warning}")
    _report_absent(summary.gone, summary.left_out)


def say_rejected(rejected: Sequence[Refusal]) -> None:
    """What was rejected: a line for each reason, with the first of its rows."""
    for line in by_reason(rejected, SHOWN_REASONS):
        output.say(f"  rejected {line}")
    if more := rest(rejected, SHOWN_REASONS):
        output.say(f"  … and {more:,} more; --json lists them all")


def say_kept(kept: Sequence[Kept]) -> None:
    """What an export holds in an older version than memd: a line for each of the first, and how to replace them."""
    for each in kept[:SHOWN_KEPT]:
        output.say(f"  kept the newer {each.title!r} of memd ({each.memory_id}, {each.reason})")
    if kept[SHOWN_KEPT:]:
        output.say(f"  … and {len(kept) - SHOWN_KEPT:,} more; --json lists them all")
    if kept:
        note(f"{count(len(kept), 'row')} of the import older than what memd has, and left out; see --overwrite")


def _counts(summary: ImportSummary) -> str:
    same_text = f" ({summary.moved:,} of them with the same text)" if summary.moved else ""
    parts = [f"{summary.new:,} new", f"{summary.updated:,} updated{same_text}", f"{summary.unchanged:,} unchanged"]
    parts += [f"{summary.removed:,} removed"] if summary.removed else []
    parts += [f"{summary.duplicates:,} duplicates left out"] if summary.duplicates else []
    return ", ".join([*parts, f"{len(summary.rejected):,} rejected"])


def _duration(summary: ImportSummary, seconds: float) -> str:
    """How long it took, and the rate where it means something; nothing for the changes of a watched folder."""
    if not seconds:
        return ""
    rate = f" ({summary.sent / seconds:.0f} chunks/s)" if summary.sent and seconds >= RATE_FROM_S else ""
    return f" in {seconds:.1f} s{rate}"


def _counts_and_lists(summary: ImportSummary) -> dict[str, Any]:
    """The summary for a program."""
    return {
        "new": summary.new,
        "updated": summary.updated,
        "moved": summary.moved,
        "unchanged": summary.unchanged,
        "removed": summary.removed,
        "duplicates": summary.duplicates,
        "pendingEmbeddings": summary.pending,
        "rejected": [{"origin": each.origin, "reason": each.reason} for each in summary.rejected],
        "skipped": [{"origin": each.origin, "reason": each.reason} for each in summary.skipped],
        "warnings": [*(f"{each.origin}: {each.reason}" for each in summary.remarks), *summary.warnings],
        "gone": summary.gone,
        "leftOut": summary.left_out,
    }


def _report_absent(gone: Sequence[str], left_out: Sequence[str]) -> None:
    """Warn about files of earlier imports that this one did not read, whose chunks are still found."""
    if gone:
        verb, whose = ("is", "its") if len(gone) == 1 else ("are", "their")
        what = f"{count(len(gone), 'file')} imported earlier {verb} gone: {_named(gone)}"
        note(f"warning: {what}; the same command with --prune archives {whose} chunks")
    if left_out:
        verb, whose = ("is", "its") if len(left_out) == 1 else ("are", "their")
        what = f"{count(len(left_out), 'file')} imported earlier {verb} there but left out now: {_named(left_out)}"
        note(f"warning: {what}; {whose} chunks stay (see --include and --exclude), and --prune would archive them")


def _named(names: Sequence[str]) -> str:
    """The first of the names, and how many more there are."""
    return ", ".join(names[:SHOWN_ABSENT]) + (
        f" and {len(names) - SHOWN_ABSENT:,} more" if names[SHOWN_ABSENT:] else ""
    )
