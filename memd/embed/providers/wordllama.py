"""wordllama (l2_supercat): 256 dimensions, a mean of word vectors; instant, and better than minilm outside English.

Only the data files of its package are read: its own loader looks for the tokenizer in a folder that it does not ship,
and then wants to download it. No token of its vocabulary goes over a blank, so that each word is taken apart once and
remembered: the tokens of a text are those of its words.
"""

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from memd.domain.text.word_cache import WordCache
from memd.embed.providers.provider import EmbeddingUnavailableError, SymmetricEmbedder, Vector, readable, to_unit_rows

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
BLANK = "▁"
"""How the vocabulary writes a blank; every text begins with one."""
_WORDS = re.compile(f"{BLANK}+[^{BLANK}]*")


class WordLlamaEmbedder(SymmetricEmbedder):
    """The word-vector model; word order does not count. A blank text gets the constant direction."""

    name = "wordllama-l2-supercat-256"
    dimensions = 256
    cased = True
    latin_only = False
    batch_size = 256

    def __init__(self, *, parallelism: int) -> None:
        """Load the table (32 MB). Raises EmbeddingUnavailableError when the package is not installed."""
        self.parallelism = parallelism
        package = _package_folder()
        self._tokenizer = Tokenizer.from_file(str(package / TOKENIZER))
        self._tokenizer.normalizer = None
        self._tokens = WordCache(self._take_apart)
        self._table: Vector = load_file(package / WEIGHTS)["embedding.weight"].astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Vector:
        """Rows of float32 [len(texts), 256], the sums of their word vectors scaled to length 1."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            words = _WORDS.findall(BLANK + readable(text).replace(" ", BLANK)) if text else []
            tokens = np.frombuffer(b"".join(map(self._tokens.__getitem__, words)), dtype=np.int32)
            self._table.take(tokens, axis=0).sum(axis=0, out=row)
        return to_unit_rows(rows)

    def close(self) -> None:
        """Nothing is open: the table goes with the object."""

    def _take_apart(self, word: str) -> bytes:
        """The tokens of a word, int32."""
        return np.array(self._tokenizer.encode(word, add_special_tokens=False).ids, dtype=np.int32).tobytes()


def _package_folder() -> Path:
    spec = importlib.util.find_spec("wordllama")
    folder = Path(spec.origin).parent if spec is not None and spec.origin is not None else None
    if folder is None or not all((folder / name).is_file() for name in (WEIGHTS, TOKENIZER)):
        raise EmbeddingUnavailableError("The package wordllama, or a data file of it, is not installed")
    return folder
