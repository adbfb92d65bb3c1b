"""The one place that knows which embedders there are."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, assert_never

from memd.embed.model_folder import read_model_folder
from memd.embed.model_options import NO_OPTIONS, ModelOptions
from memd.embed.provider import Embedder, EmbeddingUnavailableError

if TYPE_CHECKING:
    from memd.embed.cross_encoder import CrossEncoder

BuiltIn = Literal["minilm", "wordllama"]

MOST_PROCESSORS = 4
"""A local embedder leaves the rest of a large machine to the database and its neighbours."""


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model behind an OpenAI-compatible address; `timeout_s` is per request."""

    url: str | None
    model: str | None
    key: str | None = field(default=None, repr=False)
    timeout_s: float = 10.0


def load_embedder(
    choice: BuiltIn | RemoteModel | Path, *, data_dir: Path, options: ModelOptions = NO_OPTIONS
) -> Embedder:
    """Load an embedder, blocking (0.1 to 2 s): a built-in one, one behind an address, or one from a model folder.

    `options` hold for folders; of them the prefixes also for remote models. Raises EmbeddingUnavailableError with what
    to do, or EmbeddingTimeoutError.
    """
    match choice:
        case "minilm":
            from memd.embed.minilm import MiniLmEmbedder  # each embedder's libraries are loaded with it only

            return MiniLmEmbedder(data_dir, parallelism=_processors())
        case "wordllama":
            from memd.embed.wordllama import WordLlamaEmbedder

            return WordLlamaEmbedder(parallelism=_processors())
        case RemoteModel():
            return _remote(choice, options)
        case Path():
            from memd.embed.onnx_embedder import OnnxEmbedder

            return OnnxEmbedder(read_model_folder(choice, options), parallelism=_processors())
        case _:
            assert_never(choice)


def load_cross_encoder(path: Path, options: ModelOptions = NO_OPTIONS) -> "CrossEncoder":
    """Load the cross-encoder of a model folder, blocking. Raises EmbeddingUnavailableError with what to do."""
    from memd.embed.cross_encoder import CrossEncoder

    return CrossEncoder(read_model_folder(path, options))


def _remote(choice: RemoteModel, options: ModelOptions) -> Embedder:
    from memd.embed.remote import RemoteEmbedder

    if not choice.url or not choice.model:
        raise EmbeddingUnavailableError("A remote embedder needs an address and a model name")
    return RemoteEmbedder(
        url=choice.url,
        model=choice.model,
        key=choice.key,
        timeout_s=choice.timeout_s,
        query_prefix=options.query_prefix or "",
        document_prefix=options.document_prefix or "",
    )


def _processors() -> int:
    return min(os.cpu_count() or 1, MOST_PROCESSORS)
