"""Clamping a score to 0..1."""


def clamp(value: float) -> float:
    """The value clamped to 0..1; not-a-number is 0."""
    if 0.0 <= value <= 1.0:
        return value
    return 1.0 if value > 1.0 else 0.0
