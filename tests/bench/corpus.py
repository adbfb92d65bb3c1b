"""Text to measure on: the language reference that every Python brings along, cut into sentences, memories and queries."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pydoc_data import topics

import numpy as np
import numpy.typing as npt

from memd.embed.providers.provider import Embedder

POOL = 1_000
"""Sentences that are really embedded; a memory is made of some of them."""
NOISE = 0.4
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Text:
    """A memory to be: its text and a vector of length 1 near those of its sentences."""

    title: str
    content: str
    vector: npt.NDArray[np.float32]


@cache
def sentences() -> Sequence[str]:
    """Some thousand English sentences of 40–220 characters."""
    pages: dict[str, str] = topics.topics
    text = " ".join(re.sub(r"\s+", " ", page) for page in pages.values())
    found = re.findall(r"(?<=[.:] )[A-Z][^.:|+*\\]{25,260}\.", text)
    chosen = sorted(set(found))
    random.Random(1).shuffle(chosen)
    return chosen


def queries(count: int, seed: int = 2) -> list[str]:
    """Different queries of five to nine words, out of sentences that no memory holds; other ones for another seed."""
    rng = random.Random(seed)
    rest = sentences()[POOL:]
    made: dict[str, None] = {}
    while len(made) < count:
        words = rng.choice(rest).split()
        size = rng.randint(5, 9)
        start = rng.randint(0, max(0, len(words) - size))
        made.setdefault(" ".join(words[start : start + size]))
    return list(made)


class Writer:
    """Makes memories whose vectors stand to each other as those of real texts do."""

    def __init__(self, embedder: Embedder, seed: int = 3) -> None:
        self._pool = sentences()[:POOL]
        self._vectors = np.asarray(embedder.embed(self._pool), dtype=np.float32)
        self._rng = random.Random(seed)
        self._noise = np.random.default_rng(seed)

    def texts(self, count: int) -> list[Text]:
        """`count` texts of one to four sentences."""
        return [self._text() for _ in range(count)]

    def _text(self) -> Text:
        places = self._rng.sample(range(POOL), self._rng.randint(1, 4))
        told = [self._pool[place] for place in places]
        noise = self._noise.standard_normal(self._vectors.shape[1]).astype(np.float32)
        vector = self._vectors[places].mean(axis=0) + noise * (NOISE / np.sqrt(len(noise)))
        return Text(told[0][:60], " ".join(told), vector / np.linalg.norm(vector))
