"""A cache of decisions about single words: texts repeat their words, and a look-up is cheaper than a decision."""

from collections.abc import Callable
from typing import Final, TypeVar

MAX_KEPT_LENGTH: Final = 32
"""Characters; longer words are rarely words and never common."""
MAX_KEPT: Final = 16_384

T = TypeVar("T")


class WordCache(dict[str, T]):
    """`cache[word]` is what the pure function `decide` says of the word; holds a few megabytes at most.

    Threads may share it: what two of them decide at once is the same.
    """

    __slots__ = ("_decide",)

    def __init__(self, decide: Callable[[str], T]) -> None:
        super().__init__()
        self._decide = decide

    def __missing__(self, word: str) -> T:
        """Decide, and cache a word of ordinary length; a full cache is cleared."""
        decision = self._decide(word)
        if len(word) <= MAX_KEPT_LENGTH:
            if len(self) >= MAX_KEPT:
                self.clear()
            self[word] = decision
        return decision
