"""An embedder that is loaded with the first text: a worker without such work does without the model's memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Self

from memd.embed.providers.provider import Embedder, Vector


@dataclass(frozen=True, slots=True)
class EmbedderTraits:
    """The properties of an embedder that another process has loaded; the fields are those of `Embedder`."""

    name: str
    dimensions: int
    cased: bool
    latin_only: bool
    batch_size: int
    parallelism: int

    @classmethod
    def of(cls, embedder: Embedder) -> Self:
        """The traits of a loaded embedder."""
        return cls(**{name: getattr(embedder, name) for name in cls.__slots__})


class LazyEmbedder:
    """Has the traits of an embedder from the start and loads it once, in the thread of the first call.

    It is for stored texts, which need no circuit breaker, so it does not count as remote.
    """

    remote = False

    def __init__(self, traits: EmbedderTraits, load: Callable[[], Embedder]) -> None:
        self.name = traits.name
        self.dimensions = traits.dimensions
        self.cased = traits.cased
        self.latin_only = traits.latin_only
        self.batch_size = traits.batch_size
        self.parallelism = traits.parallelism
        self._load = load
        self._lock = Lock()
        self._loaded: Embedder | None = None

    def embed(self, texts: Sequence[str]) -> Vector:
        """Rows of stored texts as the loaded embedder makes them; raises what loading or embedding raises."""
        return self._embedder().embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> Vector:
        """The same for search texts."""
        return self._embedder().embed_queries(queries)

    def close(self) -> None:
        """Close the embedder if it was loaded."""
        if self._loaded is not None:
            self._loaded.close()

    def _embedder(self) -> Embedder:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded
