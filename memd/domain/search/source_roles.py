"""Which knowledge bases suit a query: its intent, their roles, and how many of them recall asks (contract 11.3)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final
from uuid import UUID

from memd.domain.search.text_match import QueryTerms, text_match, tokens
from memd.domain.types import SourceRole

NAME_MATCH_WEIGHT: Final = 20.0


class RecallIntent(StrEnum):
    """The intent of a query; the order decides ties, `general` applies when no cue word is found."""

    MESSAGE_HISTORY = "message_history"
    VOICE_STYLE = "voice_style"
    CODING_PROJECT = "coding_project"
    CLIENT_SPECIFIC = "client_specific"
    FACTUAL_FRAMEWORK = "factual_framework"
    GENERAL = "general"


def _cues(*words: str, other: str = "") -> re.Pattern[str]:
    """Matches any of the words, alone or in the plural, or the `other` expression."""
    plain = "|".join(word.replace(" ", r"\s+") for word in words)
    return re.compile(rf"\b(?:{plain})(?:e?s)?\b{other}", re.IGNORECASE)


_FILE_NAME: Final = (
    r"|(?<![\w-])[\w-]++\.(?:c|cc|cfg|cpp|cs|css|go|h|html?|ini|java|js|json|jsx|kt|lock|lua|md|php|py|rb|rs|sh|sql"
    r"|swift|tf|toml|ts|tsx|vue|xml|ya?ml)\b|\b(?:Dockerfile|Makefile)\b"
)
_CUES: Final[Mapping[RecallIntent, re.Pattern[str]]] = {
    RecallIntent.MESSAGE_HISTORY: _cues("said", "told", "asked", "last time", "chat"),
    RecallIntent.VOICE_STYLE: _cues("tone", "voice", "style", "wording", "phrase"),
    RecallIntent.CODING_PROJECT: _cues("code", "repo", "bug", "deploy", "branch", "test", other=_FILE_NAME),
    RecallIntent.CLIENT_SPECIFIC: _cues("client", "customer", "account"),
    RecallIntent.FACTUAL_FRAMEWORK: _cues(
        "what is", "define", "framework", "principle", "policy", "policies", "standard", "how does"
    ),
}

_COLUMNS: Final = (
    SourceRole.CANONICAL_REFERENCE,
    SourceRole.CLIENT_CONTEXT,
    SourceRole.VOICE_STYLE,
    SourceRole.PERSONA_GUARDRAIL,
    SourceRole.MESSAGE_HISTORY,
    SourceRole.PROJECT_CONTEXT,
    SourceRole.USER_PREFERENCE,
    SourceRole.UNKNOWN,
)
_ROWS: Final[Mapping[RecallIntent, Sequence[float]]] = {
    RecallIntent.FACTUAL_FRAMEWORK: (1, 0.05, -0.6, -0.45, -0.12, 0.32, 0.2, 0.42),
    RecallIntent.VOICE_STYLE: (0.28, 0.18, 1, 0.66, 0.18, 0.12, 0.45, 0.2),
    RecallIntent.MESSAGE_HISTORY: (0.22, 0.74, 0.08, 0.1, 1, 0.2, 0.42, 0.2),
    RecallIntent.CODING_PROJECT: (0.24, 0.12, 0.06, 0.08, 0.34, 1, 0.48, 0.3),
    RecallIntent.CLIENT_SPECIFIC: (0.62, 1, 0.14, 0.18, 0.76, 0.1, 0.34, 0.28),
    RecallIntent.GENERAL: (0.72, 0.58, 0.22, 0.24, 0.4, 0.54, 0.48, 0.38),
}
_VALUES: Final[Mapping[tuple[RecallIntent, SourceRole], float]] = {
    (intent, role): value for intent, row in _ROWS.items() for role, value in zip(_COLUMNS, row, strict=True)
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Ties go to the earlier role, so a "style guide" is about style and a "client handbook" about a client.
_ROLE_WORDS: Final[Mapping[SourceRole, frozenset[str]]] = {
    SourceRole.VOICE_STYLE: _words("voice tone style wording brand branding copywriting"),
    SourceRole.PERSONA_GUARDRAIL: _words("persona personality guardrail boundary boundaries"),
    SourceRole.MESSAGE_HISTORY: _words("message chat conversation transcript inbox email"),
    SourceRole.CLIENT_CONTEXT: _words("client customer account crm"),
    SourceRole.PROJECT_CONTEXT: _words("project repo repository repositories code codebase roadmap sprint"),
    SourceRole.USER_PREFERENCE: _words("preference favorite favourite habit"),
    SourceRole.CANONICAL_REFERENCE: _words(
        "canonical reference handbook manual guide guideline documentation doc policy policies standard spec "
        "specification framework principle glossary wiki encyclopedia faq"
    ),
}


@dataclass(frozen=True, slots=True)
class FanOut:
    """How wide the knowledge base lane of a recall is."""

    knowledge_bases: int
    hits_per_knowledge_base: int


@dataclass(frozen=True, slots=True)
class KnowledgeSource:
    """The fields of a visible knowledge base that ranking reads; `source_role` is None when it is not set."""

    id: UUID
    name: str
    source_role: SourceRole | None = None
    tags: tuple[str, ...] = ()

    @classmethod
    def stored(cls, id_: UUID, name: str, role: str | None) -> "KnowledgeSource":
        """One whose role is stored as text, if at all; ValueError for a text that is not a role."""
        return cls(id_, name, SourceRole(role) if role else None)


def classify_intent(query: str) -> RecallIntent:
    """The class with most distinct cue words in the query; ties go to the earlier class, no cue word is `general`."""
    counts = {intent: len({cue.lower() for cue in pattern.findall(query)}) for intent, pattern in _CUES.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else RecallIntent.GENERAL


def role_of(source: KnowledgeSource) -> SourceRole:
    """The role of a knowledge base: the one set, else the one that most words of its name and tags indicate, else unknown."""
    return source.source_role or _role_in(" ".join((source.name, *source.tags)))


@lru_cache(maxsize=4_096)
def _role_in(text: str) -> SourceRole:
    words = set(tokens(text))
    words |= {word.removesuffix("s") for word in words}
    counts = {role: len(words & telling) for role, telling in _ROLE_WORDS.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else SourceRole.UNKNOWN


def role_value(intent: RecallIntent, role: SourceRole) -> float:
    """The value of a role for an intent, −0.6..1 (the table of contract 11.3)."""
    return _VALUES[intent, role]


def priority(source: KnowledgeSource, intent: RecallIntent, terms: QueryTerms) -> float:
    """Role value + 20 × text match of the name with the query (contract 11.1 step 11)."""
    return role_value(intent, role_of(source)) + NAME_MATCH_WEIGHT * text_match(terms, source.name)


def fan_out(intent: RecallIntent) -> FanOut:
    """8 knowledge bases × 3 hits; for a factual intent 12 × 6."""
    return FanOut(12, 6) if intent is RecallIntent.FACTUAL_FRAMEWORK else FanOut(8, 3)


def sources_to_search(
    visible: Iterable[KnowledgeSource], intent: RecallIntent, terms: QueryTerms
) -> list[KnowledgeSource]:
    """The visible knowledge bases that recall asks, best priority first (ties by id), cut to the fan-out."""
    ordered = sorted(visible, key=lambda source: (-priority(source, intent, terms), source.id))
    return ordered[: fan_out(intent).knowledge_bases]
