"""The one place that knows which embedders there are."""

import os
from pathlib import Path
from typing import Literal, assert_never

from memd.embed.provider import Embedder, EmbeddingUnavailableError

EmbedderKind = Literal["minilm", "wordllama", "remote"]

MOST_PROCESSORS = 4
"""A local embedder leaves the rest of a large machine to the database and its neighbours."""


def load_embedder(
    kind: EmbedderKind,
    *,
    data_dir: Path,
    url: str | None = None,
    model: str | None = None,
    key: str | None = None,
    timeout_s: float = 10.0,
) -> Embedder:
    """Load an embedder, blocking (0.1 to 2 s); `url`, `model`, `key` and `timeout_s` are those of `remote`.

    Raises EmbeddingUnavailableError with what to do, or EmbeddingTimeoutError.
    """
    processors = min(os.cpu_count() or 1, MOST_PROCESSORS)
    match kind:
        case "minilm":
            from memd.embed.minilm import MiniLmEmbedder  # each embedder's libraries are loaded with it only

            return MiniLmEmbedder(data_dir, parallelism=processors)
        case "wordllama":
            from memd.embed.wordllama import WordLlamaEmbedder

            return WordLlamaEmbedder(parallelism=processors)
        case "remote":
            from memd.embed.remote import RemoteEmbedder

            if not url or not model:
                raise EmbeddingUnavailableError("A remote embedder needs an address and a model name")
            return RemoteEmbedder(url=url, model=model, key=key, timeout_s=timeout_s)
        case _:
            assert_never(kind)
