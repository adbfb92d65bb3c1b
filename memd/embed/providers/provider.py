"""The interface of every embedder, and the errors it may raise.

An embedder is blocking and thread-safe; the event loop reaches it through `memd.embed.batcher` only.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memctl.wire.limits import EMBEDDED_MAX

Vector = NDArray[np.float32]
"""One row of shape [dimensions], or several of shape [n, dimensions]; always of length 1 each."""
SAMPLE = "dimension"
"""A text that every model takes: embedded to learn the length of the vectors, or whether the model works at all."""


class EmbedError(Exception):
    """A text could not be turned into a vector; the message is fit for a log and holds no secret."""


class EmbeddingUnavailableError(EmbedError):
    """The embedder is missing, broken, refusing or closed."""


class ModelFolderError(EmbedError):
    """The model cannot be put into its folder; the message says why."""


class EmbeddingRefusedError(EmbeddingUnavailableError):
    """The embedder does not take one of these texts, such as one that is too long for its model; it may take others."""


class EmbeddingTimeoutError(EmbedError):
    """The embedder did not answer in time (contract 1.5); worth another try after `retry_after_s` seconds."""

    def __init__(self, message: str = "The embedder did not answer in time", *, retry_after_s: int = 5) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class EmbeddingOutageError(EmbeddingTimeoutError):
    """The embedder cannot be reached or fails for the moment; for callers the same as no answer in time."""


class Embedder(Protocol):
    """A model that maps texts to points; near points mean like things."""

    @property
    def name(self) -> str:
        """The model's published name, e.g. `all-MiniLM-L6-v2`; vectors of different names never mix."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector; 0 until a remote model has answered."""
        ...

    @property
    def remote(self) -> bool:
        """Whether another service computes the vectors, which may be unreachable while memd runs."""
        ...

    @property
    def cased(self) -> bool:
        """Whether upper and lower case make different vectors."""
        ...

    @property
    def latin_only(self) -> bool:
        """Whether the vectors of texts in other scripts than Latin mean nothing."""
        ...

    @property
    def batch_size(self) -> int:
        """How many texts of a bulk job one call should carry."""
        ...

    @property
    def parallelism(self) -> int:
        """How many calls at once keep the embedder busy."""
        ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """Rows of float32 [len(texts), dimensions] of stored texts, each of length 1, in the order of the texts.

        A blank text gets a defined vector too, never NaN. Raises EmbeddingUnavailableError or EmbeddingTimeoutError.
        """
        ...

    def embed_queries(self, queries: Sequence[str]) -> Vector:
        """The same for search texts; models that put a prefix before queries make other vectors here."""
        ...

    def close(self) -> None:
        """Release connections and memory; no call may follow."""
        ...


class SymmetricEmbedder(ABC):
    """A local embedder that does not distinguish queries from stored texts."""

    remote = False

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> Vector:
        """Rows of float32 [len(texts), dimensions]."""

    def embed_queries(self, queries: Sequence[str]) -> Vector:
        """The same rows as `embed`."""
        return self.embed(queries)


def readable(text: str) -> str:
    """The part of a text that is embedded: at most EMBEDDED_MAX (contract 2.3), half surrogate pairs replaced by `?`."""
    return text[:EMBEDDED_MAX].encode("utf-8", "replace").decode("utf-8")


def to_unit_rows(rows: Vector) -> Vector:
    """The rows of [n, d] scaled to length 1; a row of zeros becomes the constant direction (1, 1, … 1)/√d.

    Cosine distance to a zero vector is NaN, which would drop the text out of every ordering.
    """
    lengths: Vector = np.linalg.norm(rows, axis=1, keepdims=True)
    constant = np.float32(rows.shape[1] ** -0.5)
    return np.divide(rows, lengths, out=np.full_like(rows, constant), where=lengths > 0)
