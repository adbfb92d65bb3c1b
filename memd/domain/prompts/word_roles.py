"""Words that say who did what to whom, and from where to where: without them a short text reverses the meaning.

"Alice was hired by Bob" is not "Alice hired Bob", and "from MySQL to Postgres" is not "MySQL Postgres".
"""

from collections.abc import Iterator, Sequence
from typing import Final

from memd.domain.prompts.verb_particles import CLAUSE_END, EDGES

NEAR: Final = 4
"""How many words may stand between the auxiliary and `by`, and between `from` and `to`."""
_BE: Final = frozenset(["am", "is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"])
_OWNERS: Final = frozenset(["mine", "yours", "hers", "ours", "theirs"])
_IRREGULAR: Final = """
    paid led sold built made run done sent held kept taught told bought brought found said read put cut set hit
    won lost met fed left caught sung known shown grown thrown drawn flown worn torn born written spent
    understood bound bred
"""
_PARTICIPLES: Final = frozenset(_IRREGULAR.split())


def kept_places(words: Sequence[str]) -> Iterator[int]:
    """The places of words that stay: `was … by` around a participle, `from … to`, `to … from`, `been to`, `is ours`."""
    bare = [word.strip(EDGES).lower() for word in words]
    for place, word in enumerate(bare):
        if word == "by":
            auxiliary = _auxiliary_before(bare, place)
            if auxiliary is not None:
                yield auxiliary
                yield place
        elif word == "from":
            end = _end_of_route(bare, place) or _end_before(bare, place)
            if end is not None:
                yield place
                yield end
        elif word == "been" and bare[place + 1 : place + 2] == ["to"]:
            yield place
            yield place + 1
        elif word.rstrip("".join(CLAUSE_END)) in _OWNERS and _BE.intersection(bare[max(0, place - 2) : place]):
            yield place


def _end_before(bare: Sequence[str], start: int) -> int | None:
    """The `to` before this `from`, in "to Zed from Helix"; None before a number or after the end of a clause."""
    if start + 1 < len(bare) and bare[start + 1][:1].isdigit():
        return None
    for place in range(start - 1, max(-1, start - NEAR - 2), -1):
        if bare[place].endswith(CLAUSE_END):
            return None
        if bare[place] == "to":
            return place
    return None


def _auxiliary_before(bare: Sequence[str], by: int) -> int | None:
    """The form of `be` of the passive that names its agent with this `by`."""
    has_participle = False
    for place in range(by - 1, max(-1, by - NEAR - 2), -1):
        word = bare[place]
        if word.endswith(CLAUSE_END):
            return None
        if word in _BE:
            return place if has_participle else None
        has_participle |= word.endswith(("ed", "en")) or word in _PARTICIPLES
    return None


def _end_of_route(bare: Sequence[str], start: int) -> int | None:
    """The `to` that this `from` belongs to; None between numbers, where `to` alone says it."""
    if start + 1 < len(bare) and bare[start + 1][:1].isdigit():
        return None
    for place in range(start + 1, min(len(bare), start + NEAR + 2)):
        if bare[place] == "to":
            return place
        if bare[place].endswith(CLAUSE_END):
            return None
    return None
