"""The time that each text reader takes for adversarial texts of the maximum length, against the median of all shapes.

Processor time of this process; the least of some tries, since a collection of garbage adds to some.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from tests.support.adversarial import PROSE, SHAPES
from tests.support.text_readers import READERS

TRIES = 3


@dataclass(frozen=True, slots=True)
class Worst:
    """The shape that takes longest; times in milliseconds."""

    reader: str
    characters: int
    prose: float
    median: float
    shape: str
    most: float


def measure() -> Iterator[Worst]:
    """One row for each reader."""
    for name, reader in READERS.items():
        reader.read(SHAPES[PROSE](reader.characters))
        took = {shape: _milliseconds(reader.read, make(reader.characters)) for shape, make in SHAPES.items()}
        shape = max(took, key=lambda each: took[each])
        yield Worst(name, reader.characters, took[PROSE], median(took.values()), shape, took[shape])


def _milliseconds(read: Callable[[str], object], text: str) -> float:
    least = float("inf")
    for _ in range(TRIES):
        began = time.process_time()
        read(text)
        least = min(least, time.process_time() - began)
    return least * 1000
