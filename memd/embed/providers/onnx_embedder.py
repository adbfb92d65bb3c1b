"""An embedder from a model folder of the user's own, on onnxruntime."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from memd.embed.providers.model_folder import ModelFolder
from memd.embed.providers.model_options import Pooling
from memd.embed.providers.onnx_session import open_session
from memd.embed.providers.provider import (
    EmbeddingRefusedError,
    EmbeddingUnavailableError,
    Vector,
    readable,
    to_unit_rows,
)

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids", "position_ids"})


class OnnxModel:
    """A tokenizer and a transformer graph. A call takes one text, so a vector never depends on its batch."""

    def __init__(self, folder: ModelFolder) -> None:
        """Load both; EmbeddingUnavailableError when one cannot be read or the graph takes inputs that memd does not know."""
        self.folder = folder
        try:
            self._tokenizer = Tokenizer.from_file(str(folder.tokenizer))
        except Exception as error:  # the library raises plain Exception
            raise EmbeddingUnavailableError(f"{folder.tokenizer} is not a tokenizer file: {error}") from error
        self._tokenizer.enable_truncation(folder.max_tokens)
        self._tokenizer.no_padding()
        self._session = open_session(folder.graph)
        self._inputs: set[str] = {node.name for node in self._session.get_inputs()}
        if "input_ids" not in self._inputs or self._inputs - _INPUTS:
            expected = ", ".join(sorted(self._inputs))
            raise EmbeddingUnavailableError(
                f"{folder.graph} takes {expected}; memd runs graphs that take input_ids and, at most, "
                f"{', '.join(sorted(_INPUTS - {'input_ids'}))}"
            )

    def run(self, text: str, pair: str | None = None) -> tuple[NDArray[Any], int]:
        """The first output of the graph for one text, or for a pair of texts, and the number of tokens."""
        encoding = self._encoded(text, pair)
        ids = encoding.ids or [0]
        rows = {
            "input_ids": ids,
            "attention_mask": [1] * len(ids),
            "token_type_ids": encoding.type_ids or [0],
            "position_ids": range(len(ids)),
        }
        feed = {name: np.array([row], dtype=np.int64) for name, row in rows.items() if name in self._inputs}
        try:
            return self._session.run(None, feed)[0], len(ids)
        except Exception as error:  # the library's own exception types have no common public base
            raise EmbeddingRefusedError(f"{self.folder.graph} failed on {len(ids)} tokens: {error}") from error

    def _encoded(self, text: str, pair: str | None) -> Encoding:
        try:
            return self._tokenizer.encode(text, pair)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of the library is no Exception
            raise EmbeddingRefusedError(f"{self.folder.tokenizer} failed on a text: {error}") from error


class OnnxEmbedder:
    """Vectors of the model in a folder; its name holds a fingerprint, so vectors of a changed folder never mix."""

    cased = True
    latin_only = False
    remote = False
    batch_size = 8

    def __init__(self, folder: ModelFolder, *, parallelism: int) -> None:
        """Load the model and embed one text, to learn its dimensions. Raises EmbeddingUnavailableError."""
        self.folder = folder
        self.parallelism = parallelism
        self.name = f"{folder.path.resolve().name}-{folder.fingerprint}"
        self._model = OnnxModel(folder)
        self.dimensions = int(self._pooled("dimensions").shape[0])

    def embed(self, texts: Sequence[str]) -> Vector:
        """Rows of float32 [len(texts), dimensions] of documents, each with the document prefix before it."""
        return self._rows(self.folder.document_prefix, texts)

    def embed_queries(self, queries: Sequence[str]) -> Vector:
        """Rows of float32 [len(queries), dimensions] of queries, each with the query prefix before it."""
        return self._rows(self.folder.query_prefix, queries)

    def close(self) -> None:
        """Nothing is open: the weights go with the object."""

    def _rows(self, prefix: str, texts: Sequence[str]) -> Vector:
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._pooled(prefix + readable(text))
        return to_unit_rows(np.nan_to_num(rows, posinf=0, neginf=0))

    def _pooled(self, text: str) -> Vector:
        """One vector from the graph's first output: [1, tokens, d] is pooled, [1, d] is used unchanged."""
        output, tokens = self._model.run(text)
        if output.ndim == 2 and len(output) == 1:
            return output[0].astype(np.float32)
        if output.ndim == 3 and output.shape[:2] == (1, tokens):
            return pooled(output[0].astype(np.float32), self.folder.pooling)
        raise EmbeddingUnavailableError(
            f"The first output of {self.folder.graph} has the shape {list(output.shape)}; "
            "memd expects one vector per token, or one per text"
        )


def pooled(tokens: Vector, pooling: Pooling) -> Vector:
    """One vector [d] from the vectors [n, d] of the tokens."""
    match pooling:
        case "mean":
            return tokens.mean(axis=0)
        case "cls":
            return tokens[0]
        case "last":
            return tokens[-1]
