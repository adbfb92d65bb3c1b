"""A cross-encoder from a model folder of the user's own: it reads query and text together and scores how well they fit."""

from collections.abc import Sequence
from math import exp

import numpy as np

from memd.embed.providers.model_folder import ModelFolder
from memd.embed.providers.onnx_embedder import OnnxModel
from memd.embed.providers.provider import EmbeddingUnavailableError


class CrossEncoder:
    """Scores pairs of query and text. Blocking and thread-safe."""

    def __init__(self, folder: ModelFolder) -> None:
        """Load the model and score one pair, to check its output. Raises EmbeddingUnavailableError."""
        self.folder = folder
        self.name = f"{folder.path.resolve().name}-{folder.fingerprint}"
        self._model = OnnxModel(folder)
        self.score("query", ["text"])

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score 0..1 per text, in their order: the logistic function of the model's one logit.

        Of two logits (does not fit, fits) their difference counts, which is the softmax of the second.
        """
        return [self._score(query, text) for text in texts]

    def _score(self, query: str, text: str) -> float:
        output, _ = self._model.run(query, text)
        logits = np.asarray(output, dtype=np.float64).reshape(-1)
        if logits.size not in {1, 2}:
            raise EmbeddingUnavailableError(
                f"The first output of {self.folder.graph} has {logits.size} numbers per pair; a cross-encoder has 1 or 2"
            )
        logit = float(logits[-1] - (logits[0] if logits.size > 1 else 0.0))
        return 1 / (1 + exp(-max(-60.0, min(60.0, logit))))
