"""wordllama (l2_supercat): 256 dimensions, a mean of word vectors; instant, and better than minilm outside English.

Only the data files of its package are read: its own loader looks for the tokenizer in a folder that it does not ship,
and then wants to download it.
"""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file  # pyright: ignore[reportUnknownVariableType] -- half typed
from tokenizers import Tokenizer

from memd.embed.provider import EmbeddingUnavailableError, Vector, readable, to_unit_rows

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
TEXTS_AT_ONCE = 64


class WordLlamaEmbedder:
    """The word-vector model; word order does not count. A blank text gets the constant direction."""

    name = "wordllama-l2-supercat-256"
    dimensions = 256
    cased = True
    batch_size = 256

    def __init__(self, *, parallelism: int) -> None:
        """Load the table (32 MB). Raises EmbeddingUnavailableError when the package is not installed."""
        self.parallelism = parallelism
        package = _package_folder()
        self._tokenizer = Tokenizer.from_file(str(package / TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._table: Vector = load_file(package / WEIGHTS)["embedding.weight"].astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Vector:
        """Rows of float32 [len(texts), 256]; 64 texts at a time, so that memory stays small."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            stop = start + TEXTS_AT_ONCE
            self._sum_words(texts[start:stop], rows[start:stop])
        return to_unit_rows(rows)

    def close(self) -> None:
        """Nothing is open: the table goes with the object."""

    def _sum_words(self, texts: Sequence[str], rows: Vector) -> None:
        """Write the sum of its word vectors into each text's row; a text without words keeps its zeros."""
        encoded = self._tokenizer.encode_batch_fast([readable(text) for text in texts], add_special_tokens=False)
        counts = np.array([len(text) for text in encoded])
        filled = np.flatnonzero(counts)
        if filled.size == 0:
            return
        words = np.concatenate([encoded[i].ids for i in filled])
        starts = np.concatenate(([0], np.cumsum(counts[filled])[:-1]))
        rows[filled] = np.add.reduceat(self._table[words], starts, axis=0)


def _package_folder() -> Path:
    spec = importlib.util.find_spec("wordllama")
    folder = Path(spec.origin).parent if spec is not None and spec.origin is not None else None
    if folder is None or not all((folder / name).is_file() for name in (WEIGHTS, TOKENIZER)):
        raise EmbeddingUnavailableError("The package wordllama, or a data file of it, is not installed")
    return folder
