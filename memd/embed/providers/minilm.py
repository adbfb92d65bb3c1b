"""all-MiniLM-L6-v2 on onnxruntime: 384 dimensions, English, the default embedder.

The graph is built once and kept in the data directory. One session serves all threads: a call runs on its caller's
thread alone, so that as many texts are embedded at once as there are callers, on one copy of the weights.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from tokenizers import Tokenizer

from memd.embed.providers import model_files
from memd.embed.providers.cpu import has_byte_dot_product
from memd.embed.providers.onnx_session import open_session
from memd.embed.providers.provider import SymmetricEmbedder, Vector, readable

Precision = Literal["uint8", "fp32"]
"""Of the activations. With uint8 the weights have 8 bits too, in the form that the processor multiplies fastest."""

NAME = "all-MiniLM-L6-v2"
MAX_TOKENS = 256
GRAPH_VERSION = 1
"""Part of the built graph's file name; to be raised with every change of `build_graph`."""


class MiniLmEmbedder(SymmetricEmbedder):
    """The built-in model; a text counts with its first 256 tokens."""

    name = NAME
    dimensions = 384
    cased = False
    latin_only = True
    batch_size = 8

    def __init__(self, data_dir: Path, *, precision: Precision = "uint8", parallelism: int) -> None:
        """Load the model (0.1 s; 1 s when the graph has to be built). Raises EmbeddingUnavailableError."""
        self.parallelism = parallelism
        files = model_files.find_model(data_dir)
        self._tokenizer = _load_tokenizer(files)
        self._session = open_session(_graph_file(data_dir, files, precision))

    def embed(self, texts: Sequence[str]) -> Vector:
        """Rows of float32 [len(texts), 384]; the row of a text does not depend on the other texts of the batch."""
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            tokens = np.array(self._tokenizer.encode(readable(text)).ids, dtype=np.int64)
            row[:] = self._session.run(None, {"tokens": tokens})[0][0]
        return rows

    def close(self) -> None:
        """Nothing is open: the weights go with the object."""


def _graph_file(data_dir: Path, files: Path, precision: Precision) -> Path:
    """The graph in the data directory, built from the checked weights when it is not there or not as it was written."""
    signed = precision == "uint8" and has_byte_dot_product()

    def build() -> bytes:
        from memd.embed.providers import minilm_graph  # onnx costs memory, and only the first start needs it

        eight_bits = minilm_graph.quantise_columns_signed if signed else minilm_graph.quantise_columns
        weights = model_files.checked_file(files, model_files.WEIGHTS)
        quantise = eight_bits if precision == "uint8" else None
        return minilm_graph.build_graph(weights, quantise=quantise, max_tokens=MAX_TOKENS)

    name = f"{NAME}-{precision}{'-signed' if signed else ''}-{GRAPH_VERSION}.onnx"
    return model_files.cached_file(model_files.models_folder(data_dir) / name, build)


def _load_tokenizer(files: Path) -> Tokenizer:
    """The model's tokenizer; its file says 128 tokens with padding, the model was published for 256 without."""
    tokenizer = Tokenizer.from_file(str(model_files.checked_file(files, model_files.TOKENIZER)))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer
