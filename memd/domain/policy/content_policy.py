"""The content policy (contract 12): decides, from rules that are data, whether a text may be stored.

`evaluate` is a pure function of the rules and the text. It answers with the names of rules only: the matched text
never leaves this module, so it cannot reach a log line or a response.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, cast

from memctl.wire.invisible import without_invisible
from memd.domain.policy.word_clues import Clue, WordClues
from memd.domain.text_analysis.folding import few_marks
from memd.domain.types import BlockReason

Pattern = re.Pattern[str]
Check = Callable[[re.Match[str]], bool]

INVISIBLE: Final = "invisible_unicode"
"""The rule under which a row is flagged that was stored without its invisible characters."""
LEAD_REACH = 80
"""Characters before a match in which its `lead` is looked for."""
SENTENCE_REACH = 200
"""Characters before a match that can belong to its sentence."""
QUOTE_REACH = (600, 160)
"""Characters before and after a quoted match in which words about the quotation are searched."""

_SENTENCE_END = re.compile(r"""[.!?]["')\]]?\s|\n""")
_OPEN_QUOTE = re.compile(r"""(?<!\w)["'`«]\s{0,2}(?:[\w,:]+\s){0,4}\Z""")
_PLAIN_QUOTES = (("\u2018", "'"), ("\u2019", "'"), ("\u201c", '"'), ("\u201d", '"'), ("\u201e", '"'))


class Action(StrEnum):
    """The action of a rule on a text that it matches."""

    BLOCK = "block"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Matcher:
    """One way of catching a text: a match of `pattern` for which every condition that is set holds.

    Unless `case_sensitive`, patterns see the text in lower case with typographic quotes made plain.
    """

    pattern: Pattern
    literals: tuple[str, ...] = ()
    """At least one of these occurs in the text; looked for before any pattern because that is cheap."""
    word: Pattern | None = None
    """Matches within a single run without white space, ignoring case; equally cheap, since words recur."""
    case_sensitive: bool = False
    min_length: int = 0
    """Code points that the text must have."""
    also: tuple[Pattern, ...] = ()
    """Each is found somewhere in the text."""
    near: tuple[Pattern, ...] = ()
    """Each is found at most `window` characters away from the match."""
    before: tuple[Pattern, ...] = ()
    """Each is found in the `window` characters before the match, where `\\Z` is its beginning.

    A pattern that reaches from one word to another far away tries every pair of places; instead, match the rare end of
    it and look back.
    """
    window: int = 200
    lead: Pattern | None = None
    """Ends where the match begins: how a command or a line starts."""
    check: Check | None = None
    """Checks that no pattern can express: check digits, neighbours in Unicode."""
    unless_text: Pattern | None = None
    """Spares the whole text."""
    unless_near: Pattern | None = None
    """Exempts a match if this occurs within `window` characters of it."""
    unless_before: Pattern | None = None
    """Exempts a match if this precedes it in the same sentence: reports, negations."""
    unless_quoted: Pattern | None = None
    """Exempts a quoted match if this occurs around it: the text talks about the words instead of using them."""
    clues: frozenset[Clue] = field(init=False, repr=False, compare=False)
    """`literals`, or else `word`, as clues to find in the words of a text; empty when the pattern is the only test."""

    def __post_init__(self) -> None:
        literals = frozenset([(literal, self.case_sensitive) for literal in self.literals])
        object.__setattr__(self, "clues", literals or frozenset([self.word] if self.word else []))


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table of contract 12; catches a text when one of its matchers does."""

    threat_id: str
    reason: BlockReason
    action: Action
    matchers: tuple[Matcher, ...]
    literals: tuple[str, ...] = ()
    """As those of a matcher, for all of them, in lower case."""
    urls: bool = True
    """Whether addresses are judged too: long encoded runs and numbers are ordinary there."""


@dataclass(frozen=True, slots=True)
class PolicyRules:
    """The enabled rules in table order; `version` changes whenever a decision could."""

    rules: tuple[Rule, ...]
    version: str
    clues: WordClues = field(init=False, repr=False, compare=False)
    """Finds what all rules look for in words."""
    needs: tuple[frozenset[Clue] | None, ...] = field(init=False, repr=False, compare=False)
    """For each rule, the clues of which a text needs at least one to match; None if it may match without."""

    def __post_init__(self) -> None:
        needs = tuple(map(_needs, self.rules))
        matchers = [matcher for rule in self.rules for matcher in rule.matchers]
        clues = {clue for need in needs for clue in need or ()}
        clues |= {clue for matcher in matchers for clue in (*matcher.clues, *((matcher.word,) if matcher.word else ()))}
        object.__setattr__(self, "needs", needs)
        object.__setattr__(self, "clues", WordClues(clues, _fold))


def _needs(rule: Rule) -> frozenset[Clue] | None:
    if rule.literals:
        return frozenset([(literal, False) for literal in rule.literals])
    if not all(matcher.clues for matcher in rule.matchers):
        return None
    return frozenset([clue for matcher in rule.matchers for clue in matcher.clues])


@dataclass(frozen=True, slots=True)
class Block:
    """Why a text is refused."""

    reason: BlockReason
    threat_id: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision: the first blocking rule, if any, and every flagging rule in table order."""

    blocked: Block | None
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Text:
    """A text in NFKC (`exact`), the same text folded for rules that ignore case, and its clues."""

    exact: str
    folded: str
    clues: frozenset[Clue]


def evaluate(rules: PolicyRules, title: str, content: str, details: str = "", url: str = "") -> Verdict:
    """The verdict on a memory: title, content, details, then the address of its source (contract 12).

    Rules in table order; the first block wins. An address is judged by the rules for addresses alone.

    Texts are judged, and are to be stored, without invisible characters; a title or content that had some is flagged.
    """
    blocked: Block | None = None
    caught: set[str] = set()
    shown_title, shown_content = without_invisible(title), without_invisible(content)
    if (shown_title, shown_content) != (title, content):
        caught.add(INVISIBLE)
    fields = ((shown_title, False), (shown_content, False), (details, False), (url, True))
    for text, is_url in [(_normalise(rules, text), is_url) for text, is_url in fields if text]:
        for rule in _candidates(rules, text, is_url=is_url):
            if rule.action is Action.FLAG:
                if rule.threat_id not in caught and _catches(rule, text):
                    caught.add(rule.threat_id)
            elif blocked is None and _catches(rule, text):
                blocked = Block(rule.reason, rule.threat_id)
    return Verdict(blocked, tuple([rule.threat_id for rule in rules.rules if rule.threat_id in caught]))


def details_text(tags: Iterable[str], triggers: Iterable[str], metadata: Any) -> str:
    """The text to check besides title and content: tags, triggers, names and texts of the metadata, a line each."""
    return "\n".join([*tags, *triggers, *_texts_of(metadata)])


def _texts_of(value: Any) -> Iterator[str]:
    """Every text in a JSON value, names included; a value of one field follows its name as in `password: …`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in cast("dict[str, Any]", value).items():
            if isinstance(each, str):
                yield f"{name}: {each}"
            else:
                yield name
                yield from _texts_of(each)
    elif isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _texts_of(each)


def _fold(text: str) -> str:
    folded = text.lower()
    if not folded.isascii():
        for typographic, plain in _PLAIN_QUOTES:
            folded = folded.replace(typographic, plain)
    return folded


def _normalise(rules: PolicyRules, text: str) -> _Text:
    exact = text if text.isascii() else unicodedata.normalize("NFKC", few_marks(without_invisible(text)))
    folded = _fold(exact)
    return _Text(exact, folded, rules.clues.found(exact, folded))


def _candidates(rules: PolicyRules, text: _Text, *, is_url: bool) -> list[Rule]:
    """The rules for such a text that its clues do not rule out, in table order."""
    found = text.clues
    pairs = zip(rules.rules, rules.needs, strict=True)
    return [
        rule for rule, needs in pairs if (rule.urls or not is_url) and (needs is None or not found.isdisjoint(needs))
    ]


def _catches(rule: Rule, text: _Text) -> bool:
    return any(_may_match(matcher, text) and _matches(matcher, text) for matcher in rule.matchers)


def _may_match(matcher: Matcher, text: _Text) -> bool:
    """Whether a matcher may match, by what is already known of the text."""
    if len(text.exact) < matcher.min_length or (matcher.clues and text.clues.isdisjoint(matcher.clues)):
        return False
    return matcher.word is None or matcher.word in text.clues


def _matches(matcher: Matcher, text: _Text) -> bool:
    view = text.exact if matcher.case_sensitive else text.folded
    if not all(pattern.search(view) for pattern in matcher.also):
        return False
    if _found(matcher.unless_text, view, 0, len(view)):
        return False
    return any(_holds(matcher, match) for match in matcher.pattern.finditer(view))


def _holds(matcher: Matcher, match: re.Match[str]) -> bool:
    text, start = match.string, match.start()
    if matcher.lead and not matcher.lead.search(text, max(0, start - LEAD_REACH), start):
        return False
    if matcher.check and not matcher.check(match):
        return False
    left, right = max(0, start - matcher.window), match.end() + matcher.window
    if not all(pattern.search(text, left, right) for pattern in matcher.near):
        return False
    if not all(pattern.search(text, left, start) for pattern in matcher.before):
        return False
    return not (_found(matcher.unless_near, text, left, right) or _is_talked_about(matcher, match))


def _is_talked_about(matcher: Matcher, match: re.Match[str]) -> bool:
    """Whether the sentence or, for a quotation, its surroundings show that the words are reported, not meant."""
    text, start = match.string, match.start()
    if matcher.unless_before and _found(matcher.unless_before, text, _sentence_start(text, start), start):
        return True
    if not matcher.unless_quoted or not _OPEN_QUOTE.search(text, max(0, start - LEAD_REACH), start):
        return False
    before, after = QUOTE_REACH
    return _found(matcher.unless_quoted, text, max(0, start - before), match.end() + after)


def _sentence_start(text: str, position: int) -> int:
    start = max(0, position - SENTENCE_REACH)
    for end in _SENTENCE_END.finditer(text, start, position):
        start = end.end()
    return start


def _found(pattern: Pattern | None, text: str, start: int, end: int) -> bool:
    return pattern is not None and pattern.search(text, start, end) is not None
