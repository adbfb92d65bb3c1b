"""The lines of a context that say what is known about the subjects of a query (contract 17.3, section `profile`)."""

from collections.abc import Iterator, Sequence
from typing import Final

from memd.domain.dates.calendar_day import iso_day
from memd.domain.dates.zone import TimeZone
from memd.domain.facts.profiles import Profile, ProfileFact
from memd.domain.graph.entities import slug
from memd.domain.ids import encode
from memd.domain.prompts.context_packing import ContextRow, Group
from memd.domain.prompts.session_text import excerpt
from memd.domain.ranking.evidence import WEAK_BELOW
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.query import query_language
from memd.domain.text_analysis.stemming import stem

MAX_FACTS: Final = 8
LEFT_TO_MEMORIES: Final = frozenset({"preference", "likes", "dislikes"})
"""Attributes with many values, of which the memory that answers the query says more than a line for each."""
ASKED: Final = 1.0
"""The fit of a fact that matches a word of the query other than its subject; others rank after all strong rows."""
FACT_CHARACTERS: Final = 300


def fact_rows(profiles: Sequence[Profile], query: str, default: Language, zone: TimeZone) -> list[ContextRow]:
    """A row for each current fact, those that the query asks for first, then the last seen ones."""
    language = query_language(query, default)
    rows = list(_rows(profiles, _stems(query, language), language, zone))
    return sorted(rows, key=lambda row: (-row.fit, -row.timestamp))[:MAX_FACTS]


def _rows(
    profiles: Sequence[Profile], asked: frozenset[str], language: Language, zone: TimeZone
) -> Iterator[ContextRow]:
    for profile in profiles:
        words = asked - _stems(profile.subject, language)
        for fact in profile.facts:
            if fact.attribute in LEFT_TO_MEMORIES:
                continue
            is_asked = not words.isdisjoint(_stems(f"{fact.attribute} {fact.value}", language))
            yield _row(profile.subject, fact, ASKED if is_asked else WEAK_BELOW, zone)


def _row(subject: str, fact: ProfileFact, fit: float, zone: TimeZone) -> ContextRow:
    """The line of a fact: its day, subject, attribute, value and the newest memory that states it."""
    text = f"{subject}, {fact.name}: {fact.value}"
    contested = " (other memories say otherwise)" if fact.contested else ""
    memory_id = fact.evidence[0]
    day = iso_day(zone.local(fact.last_seen))
    line = f"- {day} {excerpt(text, FACT_CHARACTERS)}{contested} [{encode('mem', memory_id)}]"
    return ContextRow(memory_id, Group.PROFILE, "Facts:", line, line, fit, fit, fact.last_seen)


def _stems(text: str, language: Language) -> frozenset[str]:
    return frozenset(stem(language, word) for word in slug(text).split("-") if word)
