"""Rule tables of the content policy: a decoded TOML document becomes rules and adjustments, or one clear error.

A document holds `[[rule]]` tables and optionally `[words]`: named lists of alternatives that the patterns of the same
file quote as `{name}`. In a word list a space matches any white space, and a word may quote a list above its own.
A rule that gives only `threat_id` with `action` or `enabled` adjusts the rule of that name; every other rule is new.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from memd.domain.policy.checks import CHECKS
from memd.domain.policy.content_policy import Action, Matcher, Pattern, Rule
from memd.domain.types import BlockReason

_QUOTED_LIST = re.compile(r"\{([a-z_]+)\}")
_DOCUMENT_KEYS = frozenset({"words", "rule"})
_RULE_KEYS = frozenset({"threat_id", "reason", "action", "enabled", "literals", "urls", "match"})
_CONTEXT_KEYS = ("lead", "unless_text", "unless_near", "unless_before", "unless_quoted")
_MATCH_KEYS = frozenset(
    {
        *("pattern", "literals", "word", "case_sensitive", "min_length", "window", "check", "also", "near", "before"),
        *_CONTEXT_KEYS,
    }
)
_THREAT_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")


class PolicyRulesError(ValueError):
    """A rule file that cannot be used; the text names the file and the key."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """The entry of a file for one rule: a new rule, or another action for, or the end of, a known one."""

    threat_id: str
    enabled: bool | None
    action: Action | None
    rule: Rule | None
    where: str


@dataclass(frozen=True, slots=True)
class _Table:
    """A TOML table that knows its location, so that every error can name it."""

    where: str
    values: Mapping[str, Any]

    def refuse(self, key: str, complaint: str) -> PolicyRulesError:
        return PolicyRulesError(f"{self.where}{key}: {complaint}")

    def known(self, allowed: frozenset[str]) -> None:
        for key in self.values:
            if key not in allowed:
                raise self.refuse(key, f"unknown key; known are {', '.join(sorted(allowed))}")

    def text(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is not None and (not isinstance(value, str) or not value):
            raise self.refuse(key, "must be a string that is not empty")
        return value

    def flag(self, key: str, *, default: bool = False) -> bool:
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise self.refuse(key, "must be true or false")
        return value

    def number(self, key: str, default: int) -> int:
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100_000:
            raise self.refuse(key, "must be a whole number from 0 to 100000")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in cast("list[Any]", value)):
            raise self.refuse(key, "must be a list of strings that are not empty")
        return tuple(cast("list[str]", value))

    def tables(self, key: str) -> "list[_Table]":
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in cast("list[Any]", value)):
            raise self.refuse(key, f"must be tables, written [[{key}]]")
        items = cast("list[dict[str, Any]]", value)
        return [_Table(f"{self.where}{key}[{index}].", item) for index, item in enumerate(items)]


def parse(file: str, document: Mapping[str, Any]) -> list[Adjustment]:
    """The adjustments of one decoded document in its order; `PolicyRulesError` names `file` and the key at fault."""
    table = _Table(f"{file}: ", document)
    table.known(_DOCUMENT_KEYS)
    words = _words(table)
    return [_adjustment(rule, words) for rule in table.tables("rule")]


def _words(document: _Table) -> dict[str, str]:
    value = document.values.get("words", {})
    if not isinstance(value, dict):
        raise document.refuse("words", "must be a table of lists")
    lists = _Table(f"{document.where}words.", cast("dict[str, Any]", value))
    words: dict[str, str] = {}
    for name in lists.values:
        alternatives = lists.texts(name)
        if not alternatives:
            raise lists.refuse(name, "must hold at least one word")
        words[name] = _spell_out(lists, name, f"(?:{'|'.join(alternatives)})", words).replace(" ", r"\s+")
    return words


def _adjustment(table: _Table, words: Mapping[str, str]) -> Adjustment:
    table.known(_RULE_KEYS)
    threat_id = table.text("threat_id")
    if threat_id is None or not _THREAT_ID.fullmatch(threat_id):
        raise table.refuse("threat_id", "must be a name of lower-case letters, digits and underscores")
    action = _action(table)
    matches = table.tables("match")
    rule = None
    if matches or "reason" in table.values:
        matchers = tuple(_matcher(match, words) for match in matches)
        if not matchers:
            raise table.refuse("match", "a new rule needs at least one")
        literals, urls = table.texts("literals"), table.flag("urls", default=True)
        rule = Rule(threat_id, _reason(table), action or Action.BLOCK, matchers, literals, urls)
    return Adjustment(
        threat_id, table.flag("enabled") if "enabled" in table.values else None, action, rule, table.where
    )


def _action(table: _Table) -> Action | None:
    value = table.text("action")
    if value is not None and value not in set(Action):
        raise table.refuse("action", f"must be one of {', '.join(Action)}")
    return None if value is None else Action(value)


def _reason(table: _Table) -> BlockReason:
    value = table.text("reason")
    if value not in set(BlockReason):
        raise table.refuse("reason", f"must be one of {', '.join(BlockReason)}")
    return BlockReason(value)


def _matcher(table: _Table, words: Mapping[str, str]) -> Matcher:
    table.known(_MATCH_KEYS)
    pattern = _pattern(table, "pattern", table.text("pattern"), words)
    if pattern is None:
        raise table.refuse("pattern", "is missing")
    if pattern.search(""):
        raise table.refuse("pattern", "matches the empty text, hence every text")
    check = table.text("check")
    if check is not None and check not in CHECKS:
        raise table.refuse("check", f"must be one of {', '.join(CHECKS)}")
    return Matcher(
        pattern,
        literals=table.texts("literals"),
        word=_pattern(table, "word", table.text("word"), words),
        case_sensitive=table.flag("case_sensitive"),
        min_length=table.number("min_length", 0),
        window=table.number("window", 200),
        check=None if check is None else CHECKS[check],
        also=_patterns(table, "also", words),
        near=_patterns(table, "near", words),
        before=_patterns(table, "before", words),
        **{key: _pattern(table, key, table.text(key), words) for key in _CONTEXT_KEYS},
    )


def _patterns(table: _Table, key: str, words: Mapping[str, str]) -> tuple[Pattern, ...]:
    compiled = (_pattern(table, key, source, words) for source in table.texts(key))
    return tuple(pattern for pattern in compiled if pattern is not None)


def _pattern(table: _Table, key: str, source: str | None, words: Mapping[str, str]) -> Pattern | None:
    if source is None:
        return None
    try:
        return re.compile(_spell_out(table, key, source, words))
    except re.error as error:
        raise table.refuse(key, f"is not a regular expression: {error}") from error


def _spell_out(table: _Table, key: str, source: str, words: Mapping[str, str]) -> str:
    for name in _QUOTED_LIST.findall(source):
        if name not in words:
            raise table.refuse(key, f"no word list above is named {name}")
    return _QUOTED_LIST.sub(lambda quoted: words[quoted[1]], source)
