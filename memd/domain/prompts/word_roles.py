"""Words that say who did what to whom, and from where to where: without them a short text reverses the meaning.

"Alice was hired by Bob" is not "Alice hired Bob", and "from MySQL to Postgres" is not "MySQL Postgres".
"""

from collections.abc import Iterator, Sequence
from typing import Final

from memd.domain.prompts.verb_particles import CLAUSE_END, EDGES
from memd.domain.text.word_cache import WordCache

NEAR: Final = 4
"""How many words may stand between the auxiliary and `by`, and between `from` and `to`."""
_BE: Final = frozenset(["am", "is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"])
_OWNERS: Final = frozenset(["mine", "yours", "hers", "ours", "theirs"])
_ROLES: Final = frozenset(["by", "from", "been"])
_CLAUSE_ENDS: Final = "".join(CLAUSE_END)
_IRREGULAR: Final = """
    paid led sold built made run done sent held kept taught told bought brought found said read put cut set hit
    won lost met fed left caught sung known shown grown thrown drawn flown worn torn born written spent
    understood bound bred
"""
_PARTICIPLES: Final = frozenset(_IRREGULAR.split())


def may_have_role(word: str) -> bool:
    """Whether `kept_indexes` can depend on this word: a text without such a word has none."""
    bare = _bare(word)
    return bare in _ROLES or bare.rstrip(_CLAUSE_ENDS) in _OWNERS


def kept_indexes(words: Sequence[str]) -> Iterator[int]:
    """The places of words that stay: `was … by` around a participle, `from … to`, `to … from`, `been to`, `is ours`."""
    bare = list(map(_BARE.__getitem__, words))
    for index, word in enumerate(bare):
        if word == "by":
            auxiliary = _auxiliary_before(bare, index)
            if auxiliary is not None:
                yield auxiliary
                yield index
        elif word == "from":
            end = _end_of_route(bare, index) or _end_before(bare, index)
            if end is not None:
                yield index
                yield end
        elif word == "been" and bare[index + 1 : index + 2] == ["to"]:
            yield index
            yield index + 1
        elif word.rstrip(_CLAUSE_ENDS) in _OWNERS and _BE.intersection(bare[max(0, index - 2) : index]):
            yield index


def _bare(word: str) -> str:
    return word.strip(EDGES).lower()


_BARE: Final = WordCache(_bare)


def _end_before(bare: Sequence[str], start: int) -> int | None:
    """The `to` before this `from`, in "to Zed from Helix"; None before a number or after the end of a clause."""
    if start + 1 < len(bare) and bare[start + 1][:1].isdigit():
        return None
    for index in range(start - 1, max(-1, start - NEAR - 2), -1):
        if bare[index].endswith(CLAUSE_END):
            return None
        if bare[index] == "to":
            return index
    return None


def _auxiliary_before(bare: Sequence[str], by: int) -> int | None:
    """The form of `be` of the passive that names its agent with this `by`."""
    has_participle = False
    for index in range(by - 1, max(-1, by - NEAR - 2), -1):
        word = bare[index]
        if word.endswith(CLAUSE_END):
            return None
        if word in _BE:
            return index if has_participle else None
        has_participle |= word.endswith(("ed", "en")) or word in _PARTICIPLES
    return None


def _end_of_route(bare: Sequence[str], start: int) -> int | None:
    """The `to` that this `from` belongs to; None between numbers, where `to` alone says it."""
    if start + 1 < len(bare) and bare[start + 1][:1].isdigit():
        return None
    for index in range(start + 1, min(len(bare), start + NEAR + 2)):
        if bare[index] == "to":
            return index
        if bare[index].endswith(CLAUSE_END):
            return None
    return None
