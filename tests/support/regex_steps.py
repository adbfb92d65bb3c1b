"""Counts the steps of a backtracking regular expression: its cost on any machine, the same in every run.

`SteppedPattern` answers as the `re.Pattern` it is made of. Alongside, a plain backtracking matcher walks the same
parsed expression and counts a step for each character, position, alternative and repetition that it tries; the span
that it finds has to be the span of `re`. `counting_steps` puts one in the place of each pattern of a module.
"""

import re
from collections.abc import Callable, Iterator
from copy import copy
from functools import cache, reduce
from itertools import groupby
from re import _compiler, _constants, _parser  # pyrefly: ignore[missing-module-attribute]
from types import ModuleType
from typing import Any, Final, cast

import pytest

from tests.support.regex_repeats import (
    Node,
    Steps,
    Then,
    Walk,
    accept,
    groups,
    longest_first,
    possessive,
    shortest_first,
)

_compiled: Final[dict[tuple[str, int], re.Pattern[str]]] = {}
_ONE_CHARACTER: Final = frozenset({_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN})


class SteppedPattern:
    """A compiled pattern of which every search adds its steps to `steps`."""

    def __init__(self, pattern: re.Pattern[str], steps: Steps) -> None:
        self.pattern = pattern.pattern
        self._real, self._steps, self._node = pattern, steps, _node_of(pattern)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        end = len(text) if end is None else min(end, len(text))
        match = self._real.search(text, start, end)
        self._compare(match, text, start, end)
        return match

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        match = self._real.match(text, start)
        self._compare(match, text, start, len(text), anchored=accept)
        return match

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As `re.Pattern.fullmatch`."""
        match = self._real.fullmatch(text)
        self._compare(match, text, 0, len(text), anchored=lambda stop: stop if stop == len(text) else None)
        return match

    def findall(self, text: str) -> list[Any]:
        """As `re.Pattern.findall`, for patterns that match no empty text."""
        list(self.finditer(text))
        return self._real.findall(text)

    def sub(self, new: Any, text: str, count: int = 0) -> str:
        """As `re.Pattern.sub`, for patterns that match no empty text."""
        list(self.finditer(text))
        return self._real.sub(new, text, count)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`, for patterns that match no empty text."""
        start = 0
        for match in self._real.finditer(text):
            self._compare(match, text, start, len(text))
            start = match.end()
            yield match
        self._compare(None, text, start, len(text))

    def _compare(
        self, match: re.Match[str] | None, text: str, start: int, end: int, anchored: Then | None = None
    ) -> None:
        walk = Walk(text, end, self._steps)
        found = None
        for at in (start,) if anchored else range(start, end + 1):
            self._steps.count += 1
            stop = self._node(walk, at, anchored or accept)
            if stop is not None:
                found = (at, stop)
                break
        if found != (match.span() if match else None):
            raise AssertionError(f"{self.pattern}: steps were counted to {found}, re found {match}")


def counting_steps(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> Steps:
    """From here on, the steps of all patterns that the module names are counted."""
    steps = Steps()
    for name, value in vars(module).copy().items():
        if isinstance(value, re.Pattern):
            monkeypatch.setattr(module, name, SteppedPattern(cast("re.Pattern[str]", value), steps))
    return steps


@cache
def _node_of(pattern: re.Pattern[str]) -> Node:
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    return _sequence(parsed, pattern.flags)


def _sequence(parsed: Any, flags: int) -> Node:
    nodes: list[Node] = []
    for is_run, items in groupby(parsed, key=lambda item: item[0] in _ONE_CHARACTER):
        if is_run:
            nodes.append(_characters([_is_one_of(parsed, item, flags) for item in items]))
        else:
            nodes += [_node(parsed, item, flags) for item in items]
    return reduce(lambda rest, first: _one_then(first, rest), reversed(nodes)) if nodes else _nothing


def _one_then(first: Node, rest: Node) -> Node:
    def both(walk: Walk, at: int, then: Then) -> int | None:
        return first(walk, at, lambda after: rest(walk, after, then))

    return both


def _nothing(_walk: Walk, at: int, then: Then) -> int | None:
    return then(at)


def _node(parent: Any, item: Any, flags: int) -> Node:
    kind, value = item
    if kind is _constants.AT:
        return _place(parent, item, flags)
    return _COMPOUND[kind](kind, value, flags)


def _real(parent: Any, item: Any, flags: int) -> re.Pattern[str]:
    """The pattern of one item, compiled once however often it occurs."""
    key = (repr(item), flags)
    if key not in _compiled:
        state = copy(parent.state)
        state.flags = flags  # the compiler adds those of the whole pattern, such as IGNORECASE inside `(?-i:…)`
        _compiled[key] = _compiler.compile(_parser.SubPattern(state, [item]), flags)
    return _compiled[key]


def _is_one_of(parent: Any, item: Any, flags: int) -> Callable[[str], bool]:
    return _fits(_real(parent, item, flags))


@cache
def _fits(real: re.Pattern[str]) -> Callable[[str], bool]:
    return cache(lambda character: real.match(character) is not None)


def _characters(run: list[Callable[[str], bool]]) -> Node:
    """Single characters one after the other."""

    def characters(walk: Walk, at: int, then: Then) -> int | None:
        for fits in run:
            walk.steps.count += 1
            if at >= walk.end or not fits(walk.text[at]):
                return None
            at += 1
        return then(at)

    return characters


def _place(parent: Any, item: Any, flags: int) -> Node:
    real = _real(parent, item, flags)

    def place(walk: Walk, at: int, then: Then) -> int | None:
        walk.steps.count += 1
        return then(at) if real.match(walk.text, at, walk.end) else None

    return place


def _group(_kind: Any, value: Any, flags: int) -> Node:
    number, added, removed, content = value
    inner = _sequence(content, (flags | added) & ~removed)
    if number is None:
        return inner

    def group(walk: Walk, at: int, then: Then) -> int | None:
        before = walk.groups.get(number)

        def closed(stop: int) -> int | None:
            walk.groups[number] = (at, stop)
            return then(stop)

        stop = inner(walk, at, closed)
        if stop is None and before is not None:
            walk.groups[number] = before
        return stop

    return group


def _same_as_group(_kind: Any, number: int, _flags: int) -> Node:
    def same(walk: Walk, at: int, then: Then) -> int | None:
        walk.steps.count += 1
        if number not in walk.groups:
            return None
        start, stop = walk.groups[number]
        part = walk.text[start:stop]
        fits = walk.text.startswith(part, at) and at + len(part) <= walk.end
        return then(at + len(part)) if fits else None

    return same


def _branch(_kind: Any, value: Any, flags: int) -> Node:
    alternatives = [_sequence(each, flags) for each in value[1]]

    def branch(walk: Walk, at: int, then: Then) -> int | None:
        for alternative in alternatives:
            walk.steps.count += 1
            stop = alternative(walk, at, then)
            if stop is not None:
                return stop
        return None

    return branch


def _assertion(kind: Any, value: Any, flags: int) -> Node:
    direction, inner = value
    wanted = kind is _constants.ASSERT
    node = _sequence(inner, flags)
    back = inner.getwidth()[0] if direction < 0 else 0

    def assertion(walk: Walk, at: int, then: Then) -> int | None:
        walk.steps.count += 1
        holds = at >= back and node(walk, at - back, accept) is not None
        return then(at) if holds is wanted else None

    return assertion


def _atomic(_kind: Any, value: Any, flags: int) -> Node:
    inner = _sequence(value, flags)

    def atomic(walk: Walk, at: int, then: Then) -> int | None:
        stop = inner(walk, at, accept)
        return None if stop is None else then(stop)

    return atomic


def _repeat(kind: Any, value: Any, flags: int) -> Node:
    least, most, inner = value
    if kind is _constants.POSSESSIVE_REPEAT:
        return possessive(least, most, _sequence(inner, flags))
    if len(inner) == 1 and inner[0][0] in _ONE_CHARACTER:
        fits = _is_one_of(inner, inner[0], flags)
        return (longest_first if kind is _constants.MAX_REPEAT else shortest_first)(least, most, fits)
    return groups(least, most, _sequence(inner, flags), greedy=kind is _constants.MAX_REPEAT)


_COMPOUND: Final[dict[Any, Callable[[Any, Any, int], Node]]] = {
    _constants.SUBPATTERN: _group,
    _constants.GROUPREF: _same_as_group,
    _constants.BRANCH: _branch,
    _constants.ASSERT: _assertion,
    _constants.ASSERT_NOT: _assertion,
    _constants.ATOMIC_GROUP: _atomic,
    _constants.MAX_REPEAT: _repeat,
    _constants.MIN_REPEAT: _repeat,
    _constants.POSSESSIVE_REPEAT: _repeat,
}
