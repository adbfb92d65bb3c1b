"""The one place that knows which embedders there are."""

import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, assert_never

from memd.embed.providers.model_folder import read_model_folder
from memd.embed.providers.model_options import NO_OPTIONS, ModelOptions
from memd.embed.providers.provider import Embedder, EmbeddingTimeoutError, EmbeddingUnavailableError

if TYPE_CHECKING:
    from memd.embed.providers.cross_encoder import CrossEncoder
    from memd.embed.providers.remote import RemoteEmbedder

BuiltIn = Literal["minilm", "wordllama"]

START_S = 2.0
"""How long a start waits for a remote model that may be silent."""
MAX_PROCESSORS = 4
"""A local embedder leaves the rest of a large machine to the database and its neighbours."""


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model behind an OpenAI-compatible address; `timeout_s` is per request, `query_timeout_s` for a query.

    With `may_be_silent` it is used although it does not answer now; `dimensions` is what it will be then, 0 if unknown.
    """

    url: str | None
    model: str | None
    key: str | None = field(default=None, repr=False)
    timeout_s: float = 10.0
    query_timeout_s: float = 1.0
    dimensions: int = 0
    may_be_silent: bool = False


def load_embedder(
    choice: BuiltIn | RemoteModel | Path, *, data_dir: Path, options: ModelOptions = NO_OPTIONS
) -> Embedder:
    """Load an embedder, blocking (0.1 to 2 s): a built-in one, one behind an address, or one from a model folder.

    `options` hold for folders; of them the prefixes also for remote models. Raises EmbeddingUnavailableError with what
    to do, or EmbeddingTimeoutError.
    """
    match choice:
        case "minilm":
            from memd.embed.providers.minilm import MiniLmEmbedder  # each embedder's libraries are loaded with it only

            return MiniLmEmbedder(data_dir, parallelism=_processors())
        case "wordllama":
            from memd.embed.providers.wordllama import WordLlamaEmbedder

            return WordLlamaEmbedder(parallelism=_processors())
        case RemoteModel():
            return _remote(choice, options)
        case Path():
            from memd.embed.providers.onnx_embedder import OnnxEmbedder

            return OnnxEmbedder(read_model_folder(choice, options), parallelism=_processors())
        case _:
            assert_never(choice)


def load_cross_encoder(path: Path) -> "CrossEncoder":
    """Load the cross-encoder of a model folder, blocking. Raises EmbeddingUnavailableError with what to do."""
    from memd.embed.providers.cross_encoder import CrossEncoder

    return CrossEncoder(read_model_folder(path, NO_OPTIONS))


def _remote(choice: RemoteModel, options: ModelOptions) -> Embedder:
    from memd.embed.providers.remote import RemoteEmbedder

    if not choice.url or not choice.model:
        raise EmbeddingUnavailableError("A remote embedder needs an address and a model name")
    embedder = RemoteEmbedder(
        url=choice.url,
        model=choice.model,
        key=choice.key,
        timeout_s=choice.timeout_s,
        query_timeout_s=choice.query_timeout_s,
        dimensions=choice.dimensions,
        query_prefix=options.query_prefix or "",
        document_prefix=options.document_prefix or "",
    )
    try:
        _learn_dimensions(embedder, choice)
    except BaseException:
        embedder.close()
        raise
    return embedder


def _learn_dimensions(embedder: "RemoteEmbedder", choice: RemoteModel) -> None:
    """Ask the model once; when it may be silent, for no longer than START_S."""
    try:
        measured = embedder.measure(START_S if choice.may_be_silent else math.inf)
    except EmbeddingTimeoutError:
        if not choice.may_be_silent:
            raise
        return
    if choice.dimensions not in {0, measured}:
        raise EmbeddingUnavailableError(
            f"The model {embedder.name} gives vectors of {measured} dimensions, MEMD_EMBED_DIMENSIONS says {choice.dimensions}"
        )
    embedder.dimensions, embedder.answered = measured, True


def _processors() -> int:
    return min(os.cpu_count() or 1, MAX_PROCESSORS)
