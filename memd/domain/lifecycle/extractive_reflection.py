"""Reflection without a model: decisions, lessons and open loops of the rows, and a digest of the strongest sentences."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memd.domain.dates.calendar_day import day_text
from memd.domain.extraction.cues import KEEP, Voice, read_sentence
from memd.domain.facts.measured import measured_fact
from memd.domain.lifecycle.reflection import (
    HEADING,
    MAX_OF_A_KIND,
    MAX_SUBJECT,
    Kind,
    ReflectionGroup,
    ReflectionInput,
    ReflectionMemory,
    reflection_memory,
    summary_memory,
)
from memd.domain.text.sentences import cut_words, is_question, sentences
from memd.domain.types import Category

_DIGEST_LINES: Final = 8
_DIGEST_LINE: Final = 300
_MAX_SENTENCES: Final = 40
_STATED: Final = 1.0
_KIND_OF: Final = {
    Category.DECISION: Kind.DECISION,
    Category.LESSON: Kind.LESSON,
    Category.GOAL: Kind.OPEN_LOOP,
}
_MOVED: Final = re.compile(
    r"\b(?:moved|pushed|shifted|postponed|delayed|extended|re-?scheduled|brought|raised|lowered|reduced|cut)\b",
    re.IGNORECASE,
)
_OPEN: Final = re.compile(
    r"\b(?:not|never|want\w*|should|will|would|could|must|may|might|ha(?:s|ve) to|needs?)\b|n['’]t\b", re.IGNORECASE
)
_OPEN_LOOP: Final = re.compile(
    r"\b(?:todo|to-do|still (?:needs?|open|missing|unclear|to be)|have yet to|open (?:question|issue|point)|unresolved"
    r"|blocked (?:on|by)|waiting (?:for|on)|follow[- ]up|next steps? (?:is|are)|remains? to|will revisit|tbd)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Finding:
    """A sentence of a row, word for word: its topic, text, kind (if any) and score."""

    row: ReflectionInput
    subject: str
    text: str
    kind: Kind | None
    score: float


def reflect(group: ReflectionGroup) -> list[ReflectionMemory]:
    """At most five decisions, lessons and open loops each, in order of time, then the summary; equal for equal rows."""
    findings = [finding for row in group.rows for finding in _findings(row)]
    memories = [
        reflection_memory(kind, found.subject, found.text, [found.row])
        for kind in (Kind.DECISION, Kind.LESSON, Kind.OPEN_LOOP)
        for found in _strongest((found for found in findings if found.kind is kind), MAX_OF_A_KIND)
    ]
    return [*memories, summary_memory(group, _digest(group, findings))]


def _findings(row: ReflectionInput) -> list[_Finding]:
    """The whole row where it was stored as a decision, lesson or goal; else each sentence that says something."""
    kind = _KIND_OF.get(row.category)
    if kind:
        return [_Finding(row, cut_words(row.title, MAX_SUBJECT), row.content, kind, _STATED)]
    statements = [text for text in sentences(row.content)[:_MAX_SENTENCES] if not is_question(text)]
    return [found for text in statements if (found := _finding(row, text))]


def _finding(row: ReflectionInput, text: str) -> _Finding | None:
    bare = HEADING.sub("", text)
    subject = cut_words(bare, MAX_SUBJECT)
    loop = Kind.OPEN_LOOP if _OPEN_LOOP.search(bare) else None
    reading = read_sentence(bare, Voice.USER)
    if reading and reading.score >= KEEP:
        kind = None if reading.category is Category.GOAL and _is_done(bare) else _KIND_OF.get(reading.category)
        return _Finding(row, subject, text, kind or loop, reading.score)
    return _Finding(row, subject, text, loop, KEEP) if loop else None


def _is_done(sentence: str) -> bool:
    """Whether a sentence states a change that was made: "We pushed the deadline to May" leaves nothing open."""
    measured = measured_fact(sentence)
    return measured is not None and measured.changed and bool(_MOVED.search(sentence)) and not _OPEN.search(sentence)


def _strongest(findings: Iterable[_Finding], count: int) -> list[_Finding]:
    """The `count` strongest findings, each subject once, in order of time."""
    once: dict[str, _Finding] = {}
    for found in findings:
        once.setdefault(found.subject.casefold(), found)
    strongest = sorted(once.values(), key=lambda found: -found.score)[:count]
    return sorted(strongest, key=lambda found: (found.row.created_at, found.row.id))


def _digest(group: ReflectionGroup, findings: list[_Finding]) -> str:
    """How many memories of which days, then the strongest text of up to eight rows, or their titles."""
    best: dict[object, _Finding] = {}
    for found in findings:
        if found.row.id not in best or found.score > best[found.row.id].score:
            best[found.row.id] = found
    texts = [found.text for found in _strongest(best.values(), _DIGEST_LINES)]
    sentences_or_titles = texts or [row.title for row in group.rows[-_DIGEST_LINES:]]
    lines = dict.fromkeys(cut_words(" ".join(text.split()), _DIGEST_LINE) for text in sentences_or_titles)
    first, last = day_text(group.rows[0].created_at), day_text(group.rows[-1].created_at)
    number = "1 memory" if len(group.rows) == 1 else f"{len(group.rows)} memories"
    heading = f"{number} of {last if first == last else f'{first} to {last}'}."
    return "\n".join([heading, *(f"- {line}" for line in lines)])
