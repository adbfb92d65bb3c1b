"""Retrieval with the built-in model on real questions: eight bits find what full precision finds."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from memd.embed.providers.minilm import MiniLmEmbedder

EVAL_DIR = Path(os.environ.get("MEMD_EVAL_DIR", Path(__file__).parents[4] / "shared" / "eval"))
PARAGRAPHS, PARAGRAPHS_LONG = 30, 60


@pytest.mark.eval
@pytest.mark.long_form
def test_eight_bits_put_the_right_paragraph_first_as_often(
    minilm: MiniLmEmbedder, minilm_fp32: MiniLmEmbedder, of_size: Callable[[int, int], int]
) -> None:
    folder = EVAL_DIR / "xquad-dev"
    if not folder.is_dir():
        pytest.skip(f"no evaluation data in {EVAL_DIR}; set MEMD_EVAL_DIR")
    chunks = _lines(folder / "chunks.jsonl")[: of_size(PARAGRAPHS, PARAGRAPHS_LONG)]
    keys = [chunk["dedupeKey"] for chunk in chunks]
    questions = [row for row in _lines(folder / "questions.jsonl") if row["evidence"][0] in keys]
    right = [keys.index(row["evidence"][0]) for row in questions]

    def hits(embedder: MiniLmEmbedder) -> float:
        paragraphs = embedder.embed([chunk["content"] for chunk in chunks])
        cosines = embedder.embed([row["question"] for row in questions]) @ paragraphs.T
        return float(np.mean(cosines.argmax(axis=1) == right))

    quantised, full = hits(minilm), hits(minilm_fp32)
    assert full > 0.85
    assert quantised > full - 0.02


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
