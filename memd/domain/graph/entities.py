"""Entities in a memory, found by the way they are written (contract 11.10, built-in method).

Names, handles, code identifiers, quoted terms and the key phrase of the title. The type follows from the wording alone,
so that the same phrase gets the same `<type>:<slug>` in every memory.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memd.domain.text.names import COMMON_WORDS, proper_names
from memd.domain.text.sentences import cut_words
from memd.domain.types import NodeType

NODE_STRENGTH: Final = 0.5
NODE_CONFIDENCE: Final = 0.6
MAX_LABEL: Final = 80
_PHRASE_WORDS: Final = 4
_HEADLINE_WORDS: Final = 8
_SENTENCE_ENDS: Final = (".", "!", "?", "…", "。")
_WORD: Final = re.compile(r"[^\W_][\w-]{2,}")
_HEADS: Final = {
    NodeType.PROJECT: "project service services app application repo repository product platform website api module package",
    NodeType.TOOL: "tool library framework database cluster server editor cli sdk engine compiler linter plugin browser",
    NodeType.EVENT: "meeting conference workshop release launch outage incident festival party wedding trip concert race "
    "summit standup retrospective interview",
    NodeType.RESOURCE: "document doc docs file report spreadsheet dashboard wiki page runbook handbook guide manual folder",
    NodeType.GOAL: "goal objective milestone deadline target",
    NodeType.DECISION: "decision adr",
    NodeType.CHANNEL: "channel",
}
_TYPE_OF_HEAD: Final = {word: node_type for node_type, words in _HEADS.items() for word in words.split()}
_TOOLS: Final = frozenset(
    {"postgres", "postgresql", "pgvector", "redis", "sqlite", "mysql", "kafka", "docker", "kubernetes", "terraform"}
    | {"python", "rust", "java", "javascript", "typescript", "node", "react", "django", "flask", "fastapi", "alembic"}
    | {"git", "github", "gitlab", "slack", "jira", "grafana", "prometheus", "nginx", "pytest", "ruff", "pyright", "vim"}
)
_URL: Final = re.compile(r"https?://[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]")
_HANDLE: Final = re.compile(r"(?<![\w.@/])@[A-Za-z][\w-]{1,38}\b(?!\.\w)")
_HASH: Final = re.compile(r"(?<![\w&#/])#[a-z][\w-]{1,40}\b")
_HEADING: Final = re.compile(r"^([^:\n(]{1,60}) \(\d{1,2} \w+ \d{4}\):", re.MULTILINE)
_MARKED: Final = (("):", _HEADING), ("://", _URL), ("@", _HANDLE), ("#", _HASH))
"""What a text must contain, and the phrases that it may have then."""
_BACKTICKS: Final = re.compile(r"`([^`\n]{2,60})`")
_IDENTIFIER: Final = re.compile(
    r"(?<![\w/.-])(?:[A-Za-z]\w*_\w+(?:\.\w+)*|[a-z]+[A-Z]\w+|(?:[\w-]+/)*[\w-]+\.(?:py|js|ts|tsx|go|rs|java|md|toml|ya?ml|json"
    r"|sql|sh|html|css|txt|cfg|ini|lock)|[a-z]+(?:-[a-z]+)+-(?:api|service|worker|db|app|server|job))(?![\w/])"
)
_WITHIN_IDENTIFIER: Final = re.compile(r"_|[a-z][A-Z]|\.[a-z]|-[a-z]")
"""A part of every identifier that few sentences have: looking for it takes a sixth of the time."""
_QUOTED: Final = re.compile(r"[\"“«]((?:[^\W_][\w'’&-]*)(?: [\w'’&-]+){0,4})[\"”»]")
_PERSON_AFTER: Final = re.compile(
    r"\s(?:\(\d{1,2} \w+ \d{4}\):|(?:said|says|told|asked|thinks|prefers|likes|loves|wants|wanted|joined|works|worked|lives|lived|moved"
    r"|agreed|decided|owns|leads|reports to|is responsible|is (?:my|our|the) \w+)\b)"
)
_PERSON_BEFORE: Final = re.compile(
    r"(?:\b(?:my|our) (?:\w+ )?(?:wife|husband|friend|brother|sister|son|daughter|mother|father|boss|manager|colleague|lead|mentor)"
    r"|\b(?:mr|mrs|ms|dr|prof)\.?|\b(?:hey|hi|hello|dear|thanks|sure|wow|yeah|yes|no|bye|congrats),?|assigned to|owned by|talked (?:to|with)|met(?: with)?),? $",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(r"\s+v?\d[\d.]*$")
_PATH_LIKE: Final = re.compile(r"/|\.\w{1,4}$")
_SLUG_GAP: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that a memory mentions, as it is written there."""

    label: str
    node_type: NodeType

    @property
    def key(self) -> str:
        """The canonical key of its node."""
        return canonical_key(self.node_type, self.label)


@lru_cache(maxsize=1_000)
def slug(label: str) -> str:
    """The label in NFKC and lower case, letters and digits of any script joined by `-`; empty when it has none."""
    return _SLUG_GAP.sub("-", unicodedata.normalize("NFKC", label).casefold()).strip("-")


def canonical_key(node_type: NodeType, label: str) -> str:
    """`<type>:<slug>`, which identifies a node of a user (contract 11.10)."""
    return f"{node_type.value}:{slug(label)}"


def settled_type(found: NodeType, known: Collection[NodeType]) -> NodeType:
    """The type to use when nodes of the same slug exist already: a node known as something definite stays that."""
    definite = [node_type for node_type in known if node_type is not NodeType.CONCEPT]
    return definite[0] if found is NodeType.CONCEPT and definite else found


def entity(label: str, *, text: str = "") -> Entity | None:
    """The entity of a phrase that occurs in `text`; None for a phrase of function words only."""
    phrase = cut_words(" ".join(label.split()).strip("\"'“”‘’«»`.,;:!?()[]"), MAX_LABEL)
    versionless = _VERSION.sub("", phrase)
    phrase = versionless if versionless.lower() in _TOOLS else phrase
    words = phrase.split(" ")
    if not slug(phrase) or all(word.lower() in COMMON_WORDS or len(slug(word)) < 2 for word in words):
        return None
    return Entity(phrase, _node_type(phrase, text))


def find_entities(text: str) -> list[Entity]:
    """The distinct entities written in `text`: speakers, handles, identifiers, quoted terms, names, in this order."""
    found: dict[str, Entity] = {}
    for phrase in _phrases(text):
        candidate = entity(phrase, text=text)
        if candidate and candidate.label.lower() not in _TYPE_OF_HEAD:
            found.setdefault(slug(candidate.label), candidate)
    return list(found.values())


def key_phrase(title: str) -> Entity | None:
    """The longest run of informative words, at most four, in a title that is not a sentence; the first if equal."""
    words = title.split()
    if len(words) > _HEADLINE_WORDS or title.rstrip().endswith(_SENTENCE_ENDS):
        return None
    runs: list[list[str]] = [[]]
    for word in words:
        telling = _WORD.fullmatch(word) and word.lower() not in COMMON_WORDS
        if not telling or len(runs[-1]) == _PHRASE_WORDS:
            runs.append([])
        if telling:
            runs[-1].append(word)
    return entity(" ".join(max(runs, key=len)), text=title)


def _phrases(text: str) -> Iterator[str]:
    for sign, pattern in _MARKED:
        if sign in text:
            yield from pattern.findall(text)
    if "`" in text:
        yield from (term for term in _BACKTICKS.findall(text) if " " not in term.strip())
    if _WITHIN_IDENTIFIER.search(text):
        yield from _IDENTIFIER.findall(text)
    yield from _QUOTED.findall(text)
    yield from proper_names(_QUOTED.sub("…", text))


def _node_type(phrase: str, text: str) -> NodeType:
    written = _type_by_form(phrase)
    if written:
        return written
    index = text.find(phrase)
    if phrase[0].isupper() and index >= 0:
        after, before = text[index + len(phrase) :][:40], text[:index][-40:]
        if _PERSON_AFTER.match(after) or _PERSON_BEFORE.search(before):
            return NodeType.PERSON
    return NodeType.CONCEPT


def _type_by_form(phrase: str) -> NodeType | None:
    """The type that the spelling of the phrase alone shows."""
    head = re.split(r"[\s-]", phrase.lower())[-1]
    if phrase.startswith(("@", "#")):
        return NodeType.PERSON if phrase[0] == "@" else NodeType.CHANNEL
    if head in _TYPE_OF_HEAD:
        return _TYPE_OF_HEAD[head]
    if phrase.lower() in _TOOLS:
        return NodeType.TOOL
    return NodeType.RESOURCE if _PATH_LIKE.search(phrase) or _IDENTIFIER.fullmatch(phrase) else None
