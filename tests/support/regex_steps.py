"""Counts the steps of a backtracking regular expression: its cost on any machine, the same in every run.

`SteppedPattern` answers as the `re.Pattern` it is made of. Beside it a plain backtracking matcher walks the same parsed
expression and counts a step for each character, position, alternative and repetition that it tries; the span that it
finds has to be the span of `re`.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from re import _compiler, _constants, _parser  # pyright: ignore[reportAttributeAccessIssue, reportPrivateUsage]
from typing import Any, Final, TypeAlias

Then: TypeAlias = Callable[[int], int | None]
"""What has to match after a node: from a position to the end of the match, or None."""
Node: TypeAlias = Callable[["_Walk", int, Then], int | None]

_ONE_CHARACTER: Final = frozenset({_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN})


class Steps:
    """A counter that patterns share."""

    def __init__(self) -> None:
        self.count = 0


class _Walk:
    """One try to match a text."""

    def __init__(self, text: str, end: int, steps: Steps) -> None:
        self.text, self.end, self.steps = text, end, steps
        self.groups: dict[int, tuple[int, int]] = {}


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

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`, for patterns that match no empty text."""
        start = 0
        for match in self._real.finditer(text):
            self._compare(match, text, start, len(text))
            start = match.end()
            yield match
        self._compare(None, text, start, len(text))

    def _compare(self, match: re.Match[str] | None, text: str, start: int, end: int) -> None:
        walk = _Walk(text, end, self._steps)
        found = None
        for at in range(start, end + 1):
            self._steps.count += 1
            stop = self._node(walk, at, _accept)
            if stop is not None:
                found = (at, stop)
                break
        if found != (match.span() if match else None):
            raise AssertionError(f"{self.pattern}: steps were counted to {found}, re found {match}")


def _accept(at: int) -> int:
    return at


@cache
def _node_of(pattern: re.Pattern[str]) -> Node:
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    return _sequence(parsed, pattern.flags)


def _sequence(parsed: Any, flags: int) -> Node:
    nodes = [_node(parsed, item, flags) for item in parsed]

    def sequence(walk: _Walk, at: int, then: Then) -> int | None:
        def rest(index: int, at: int) -> int | None:
            if index == len(nodes):
                return then(at)
            return nodes[index](walk, at, lambda after: rest(index + 1, after))

        return rest(0, at)

    return nodes[0] if len(nodes) == 1 else sequence


def _node(parent: Any, item: Any, flags: int) -> Node:
    kind, value = item
    if kind in _ONE_CHARACTER:
        return _character(_is_one_of(parent, item, flags))
    if kind is _constants.AT:
        return _place(parent, item, flags)
    return _COMPOUND[kind](kind, value, flags)


def _is_one_of(parent: Any, item: Any, flags: int) -> Callable[[str], bool]:
    real = _compiler.compile(_parser.SubPattern(parent.state, [item]), flags)
    return cache(lambda character: real.match(character) is not None)


def _character(fits: Callable[[str], bool]) -> Node:
    def character(walk: _Walk, at: int, then: Then) -> int | None:
        walk.steps.count += 1
        return then(at + 1) if at < walk.end and fits(walk.text[at]) else None

    return character


def _place(parent: Any, item: Any, flags: int) -> Node:
    real = _compiler.compile(_parser.SubPattern(parent.state, [item]), flags)

    def place(walk: _Walk, at: int, then: Then) -> int | None:
        walk.steps.count += 1
        return then(at) if real.match(walk.text, at, walk.end) else None

    return place


def _group(_kind: Any, value: Any, flags: int) -> Node:
    number, added, removed, content = value
    inner = _sequence(content, (flags | added) & ~removed)
    if number is None:
        return inner

    def group(walk: _Walk, at: int, then: Then) -> int | None:
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
    def same(walk: _Walk, at: int, then: Then) -> int | None:
        walk.steps.count += 1
        if number not in walk.groups:
            return None
        start, stop = walk.groups[number]
        said = walk.text[start:stop]
        fits = walk.text.startswith(said, at) and at + len(said) <= walk.end
        return then(at + len(said)) if fits else None

    return same


def _branch(_kind: Any, value: Any, flags: int) -> Node:
    alternatives = [_sequence(each, flags) for each in value[1]]

    def branch(walk: _Walk, at: int, then: Then) -> int | None:
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

    def assertion(walk: _Walk, at: int, then: Then) -> int | None:
        walk.steps.count += 1
        holds = at >= back and node(walk, at - back, _accept) is not None
        return then(at) if holds is wanted else None

    return assertion


def _atomic(_kind: Any, value: Any, flags: int) -> Node:
    inner = _sequence(value, flags)

    def atomic(walk: _Walk, at: int, then: Then) -> int | None:
        stop = inner(walk, at, _accept)
        return None if stop is None else then(stop)

    return atomic


def _repeat(kind: Any, value: Any, flags: int) -> Node:
    least, most, inner = value
    if kind is _constants.POSSESSIVE_REPEAT:
        return _possessive(least, most, _sequence(inner, flags))
    if len(inner) == 1 and inner[0][0] in _ONE_CHARACTER:
        fits = _is_one_of(inner, inner[0], flags)
        return (_longest_first if kind is _constants.MAX_REPEAT else _shortest_first)(least, most, fits)
    return _groups(least, most, _sequence(inner, flags), greedy=kind is _constants.MAX_REPEAT)


def _possessive(least: int, most: int, inner: Node) -> Node:
    def possessive(walk: _Walk, at: int, then: Then) -> int | None:
        times = 0
        while times < most:
            stop = inner(walk, at, _accept)
            if stop is None or stop == at:
                break
            at, times = stop, times + 1
        return then(at) if times >= least else None

    return possessive


def _run(walk: _Walk, at: int, most: int, fits: Callable[[str], bool]) -> int:
    times = 0
    while times < most and at + times < walk.end and fits(walk.text[at + times]):
        times += 1
    walk.steps.count += times + 1
    return times


def _longest_first(least: int, most: int, fits: Callable[[str], bool]) -> Node:
    """A repeated single character, without recursion."""

    def longest_first(walk: _Walk, at: int, then: Then) -> int | None:
        for times in range(_run(walk, at, most, fits), least - 1, -1):
            walk.steps.count += 1
            stop = then(at + times)
            if stop is not None:
                return stop
        return None

    return longest_first


def _shortest_first(least: int, most: int, fits: Callable[[str], bool]) -> Node:
    """As `_longest_first`."""

    def shortest_first(walk: _Walk, at: int, then: Then) -> int | None:
        times = _run(walk, at, least, fits)
        while times >= least:
            stop = then(at + times)
            if stop is not None:
                return stop
            if times == most or not _run(walk, at + times, 1, fits):
                return None
            times += 1
        return None

    return shortest_first


def _groups(least: int, most: int, inner: Node, *, greedy: bool) -> Node:
    def groups(walk: _Walk, at: int, then: Then) -> int | None:
        def after(times: int, at: int) -> int | None:
            walk.steps.count += 1

            def once_more() -> int | None:
                if times == most:
                    return None
                return inner(walk, at, lambda stop: after(times + 1, stop) if stop > at or times < least else None)

            if times < least:
                return once_more()
            stop = once_more() if greedy else then(at)
            if stop is not None:
                return stop
            return then(at) if greedy else once_more()

        return after(0, at)

    return groups


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
