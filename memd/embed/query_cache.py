"""The cache of query vectors (contract 2.1.5): 256 entries, 5 minutes, the least recently used leaves first."""

import unicodedata
from collections import OrderedDict
from collections.abc import Callable

from memd.embed.providers.provider import Vector

CAPACITY = 256
LIFETIME_S = 300.0


def normalised(query: str, *, cased: bool) -> str:
    """The query in NFC, with runs of white space as one blank, and in lower case for an uncased model."""
    text = " ".join(unicodedata.normalize("NFC", query).split())
    return text if cased else text.lower()


class QueryCache:
    """Vectors by normalised query of one model. Belongs to one thread: the event loop's."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives seconds that never run backwards."""
        self._clock = clock
        self._entries: OrderedDict[str, tuple[float, Vector]] = OrderedDict()

    def get(self, key: str) -> Vector | None:
        """The vector that was stored less than five minutes ago; being read does not make it younger."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        stored_at, vector = entry
        if self._clock() - stored_at >= LIFETIME_S:
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return vector

    def put(self, key: str, vector: Vector) -> None:
        """Store a vector; beyond 256 entries the one that was not used for longest goes."""
        self._entries[key] = (self._clock(), vector)
        self._entries.move_to_end(key)
        if len(self._entries) > CAPACITY:
            self._entries.popitem(last=False)
