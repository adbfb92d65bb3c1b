"""Repetitions of a counting matcher of regular expressions (tests/support/regex_steps.py), and what all its nodes share."""

from collections.abc import Callable
from typing import TypeAlias

Then: TypeAlias = Callable[[int], int | None]
"""The continuation after a node: from a position to the end of the match, or None."""
Node: TypeAlias = Callable[["Walk", int, Then], int | None]


class Steps:
    """A counter that patterns share."""

    def __init__(self) -> None:
        self.count = 0


class Walk:
    """One try to match a text."""

    def __init__(self, text: str, end: int, steps: Steps) -> None:
        self.text, self.end, self.steps = text, end, steps
        self.groups: dict[int, tuple[int, int]] = {}


def accept(at: int) -> int:
    """The end of what has to match."""
    return at


def possessive(least: int, most: int, inner: Node) -> Node:
    def walked(walk: Walk, at: int, then: Then) -> int | None:
        times = 0
        while times < most:
            stop = inner(walk, at, accept)
            if stop is None or stop == at:
                break
            at, times = stop, times + 1
        return then(at) if times >= least else None

    return walked


def _run(walk: Walk, at: int, most: int, fits: Callable[[str], bool]) -> int:
    times = 0
    while times < most and at + times < walk.end and fits(walk.text[at + times]):
        times += 1
    walk.steps.count += times + 1
    return times


def longest_first(least: int, most: int, fits: Callable[[str], bool]) -> Node:
    """A repeated single character, without recursion."""

    def walked(walk: Walk, at: int, then: Then) -> int | None:
        for times in range(_run(walk, at, most, fits), least - 1, -1):
            walk.steps.count += 1
            stop = then(at + times)
            if stop is not None:
                return stop
        return None

    return walked


def shortest_first(least: int, most: int, fits: Callable[[str], bool]) -> Node:
    """As `longest_first`."""

    def walked(walk: Walk, at: int, then: Then) -> int | None:
        times = _run(walk, at, least, fits)
        while times >= least:
            stop = then(at + times)
            if stop is not None:
                return stop
            if times == most or not _run(walk, at + times, 1, fits):
                return None
            times += 1
        return None

    return walked


def groups(least: int, most: int, inner: Node, *, greedy: bool) -> Node:
    def walked(walk: Walk, at: int, then: Then) -> int | None:
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

    return walked
