"""Scores live in 0..1; this is the one way a value gets there."""


def cut(value: float) -> float:
    """The value cut to 0..1; not-a-number is 0."""
    return min(1.0, max(0.0, value))
