"""The rules in force: the shipped files `memd/policy.d/*.toml`, then those of the operator's directory.

Files are read in the order of their names; the order of the rules in them is the order of the table in contract 12.
An operator adds rules, disables one (`enabled = false`) or sets its `action`, always by `threat_id`.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import fields, replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from memd.domain.policy.content_policy import Matcher, Pattern, PolicyRules, Rule
from memd.policy.parsing import Adjustment, PolicyRulesError, parse

EVALUATOR = 3
"""Raised when `evaluate` or a check decides differently for the same rules; part of the version."""


def load_rules(extra_dir: Path | None) -> PolicyRules:
    """The enabled rules of the package and of `extra_dir`; `PolicyRulesError` names the file and the key at fault."""
    rules: dict[str, tuple[Rule, bool]] = {}
    for adjustment in _read(resources.files("memd").joinpath("policy.d")):
        _apply(rules, adjustment)
    if extra_dir is not None:
        if not extra_dir.is_dir():
            raise PolicyRulesError(f"{extra_dir}: is not a directory")
        for adjustment in _read(extra_dir):
            _apply(rules, adjustment)
    in_force = tuple(rule for rule, enabled in rules.values() if enabled)
    return PolicyRules(in_force, policy_version(in_force))


def policy_version(rules: Iterable[Rule]) -> str:
    """16 hexadecimal characters that stay the same for the same rules in the same order, on every machine."""
    lines = [str(EVALUATOR)]
    for rule in rules:
        lines.append(f"{rule.threat_id} {rule.reason} {rule.action} {rule.literals!r} {rule.urls}")
        lines.extend(_describe(matcher) for matcher in rule.matchers)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _describe(matcher: Matcher) -> str:
    return repr([(field.name, _plain(getattr(matcher, field.name))) for field in fields(matcher) if field.init])


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return repr([_plain(item) for item in cast("tuple[Any, ...]", value)])
    if isinstance(value, re.Pattern):
        return cast("Pattern", value).pattern
    return str(getattr(value, "__name__", value))


def _read(folder: Traversable) -> Iterable[Adjustment]:
    files = (file for file in folder.iterdir() if file.name.endswith(".toml") and file.is_file())
    for file in sorted(files, key=lambda file: file.name):
        try:
            document = tomllib.loads(file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise PolicyRulesError(f"{file.name}: is not readable as TOML: {error}") from error
        yield from parse(file.name, document)


def _apply(rules: dict[str, tuple[Rule, bool]], adjustment: Adjustment) -> None:
    known = rules.get(adjustment.threat_id)
    if adjustment.rule is not None:
        if known is not None:
            raise PolicyRulesError(f"{adjustment.where}threat_id: {adjustment.threat_id} exists; set action or enabled")
        rules[adjustment.threat_id] = (adjustment.rule, adjustment.enabled is not False)
        return
    if known is None:
        raise PolicyRulesError(
            f"{adjustment.where}threat_id: no rule is named {adjustment.threat_id}; to add it, give reason and match"
        )
    rule, enabled = known
    rules[adjustment.threat_id] = (
        replace(rule, action=adjustment.action or rule.action),
        enabled if adjustment.enabled is None else adjustment.enabled,
    )
