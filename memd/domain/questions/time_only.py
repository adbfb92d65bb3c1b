"""Questions about a past time and nothing else: "what happened last month?", "what did we decide in February 2025?".

Their words match by chance; what was stored in that time answers them. English and German.
"""

import re
from typing import Final, NamedTuple

from memd.domain.dates.time_window import Window
from memd.domain.dates.zone import TimeZone
from memd.domain.periods.temporal_phrases import TALK_WORDS, find_phrase
from memd.domain.questions.past import READ_CHARACTERS, asked_past, asked_present_month
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS
from memd.domain.types import Category

_WORD: Final = re.compile(r"[^\W_]+")
_DECISION: Final = "decide decided decision decisions entschieden beschlossen entscheidung entscheidungen"
_LESSON: Final = "learn learned learnt lesson lessons gelernt"
_CATEGORIES: Final = {
    **dict.fromkeys(_DECISION.split(), Category.DECISION),
    **dict.fromkeys(_LESSON.split(), Category.LESSON),
}
"""Words that ask for one kind of memory."""
_TALK: Final = """
    made make took place passiert geschehen gesagt gesprochen geredet besprochen los gab getan gemacht erzählt
"""
_WITHOUT_MEANING: Final = (
    STOP_WORDS[Language.ENGLISH]
    | STOP_WORDS[Language.GERMAN]
    | TALK_WORDS
    | frozenset(_TALK.split())
    | _CATEGORIES.keys()
)
_AHEAD: Final = frozenset(["will", "shall", "wird", "werden"])


class AskedTime(NamedTuple):
    """The time in which the memories that answer a question were stored, and their kind; None for any."""

    window: Window
    category: Category | None

    def holds(self, created_at: int, category: str) -> bool:
        """Whether a memory of this time (epoch ms) and category answers the question."""
        return created_at in self.window and self.category in {None, category}


def asked_time(question: str, now: int, zone: TimeZone) -> AskedTime | None:
    """The time as seen at an instant (epoch ms), in whole days of the zone.

    None for a question that names something else to look for, or no time.
    """
    text = " ".join(question[:READ_CHARACTERS].split())
    local = zone.local(now)
    past, phrase = asked_past(text, local) or asked_present_month(text, local), find_phrase(text, local)
    if past is not None:
        named, first, last = past.words, past.from_ms, past.valid_at
    elif phrase is not None:
        named, first, last = phrase.text, phrase.from_ms, phrase.to_ms
    else:
        return None
    before, _, after = text.lower().partition(named.lower())
    words = _WORD.findall(f"{before} {after}")
    if not words or any(word not in _WITHOUT_MEANING or word in _AHEAD for word in words):
        return None
    window = Window(zone.instant(first), zone.last_instant(last))
    return AskedTime(window, next((_CATEGORIES[word] for word in words if word in _CATEGORIES), None))
