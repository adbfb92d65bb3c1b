"""Embedders that the tests of this room share; the models are real, and loaded once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memd.embed.providers.minilm import MiniLmEmbedder
from memd.embed.providers.wordllama import WordLlamaEmbedder


@pytest.fixture(scope="session")
def model_data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("embed")


@pytest.fixture(scope="session")
def minilm(model_data_dir: Path) -> Iterator[MiniLmEmbedder]:
    embedder = MiniLmEmbedder(model_data_dir, parallelism=2)
    yield embedder
    embedder.close()


@pytest.fixture(scope="session")
def minilm_fp32(model_data_dir: Path) -> Iterator[MiniLmEmbedder]:
    embedder = MiniLmEmbedder(model_data_dir, precision="fp32", parallelism=2)
    yield embedder
    embedder.close()


@pytest.fixture(scope="session")
def wordllama() -> Iterator[WordLlamaEmbedder]:
    embedder = WordLlamaEmbedder(parallelism=2)
    yield embedder
    embedder.close()
