"""Scores live in 0..1; this is the one way a value gets there."""


def cut(value: float) -> float:
    """The value cut to 0..1; not-a-number is 0."""
    if 0.0 <= value <= 1.0:
        return value
    return 1.0 if value > 1.0 else 0.0
