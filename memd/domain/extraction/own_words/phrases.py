"""Alternatives of a pattern, written as a list of phrases."""

import re


def any_of(phrases: str) -> str:
    """A pattern for one of the phrases, which commas separate; the longest matches first."""
    found = {" ".join(phrase.split()) for phrase in phrases.split(",")} - {""}
    return f"(?:{'|'.join(re.escape(phrase) for phrase in sorted(found, key=lambda one: (-len(one), one)))})"
