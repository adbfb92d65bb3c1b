"""Patterns made of lists: any of many words, either of some patterns."""


def any_of(words: str) -> str:
    """A group of words, the first that matches: of `bin sind zu_hause` it is `(?:bin|sind|zu hause)`.

    A word may be a pattern; an underscore is a space.
    """
    return either(*(word.replace("_", " ") for word in words.split()))


def either(*patterns: str) -> str:
    """A group of patterns, the first that matches."""
    return f"(?:{'|'.join(patterns)})"
