"""The built-in embedders by name, and the remote one."""

from pathlib import Path

import pytest

from memd.embed.choose import BuiltIn, RemoteModel, load_embedder
from memd.embed.provider import EmbeddingUnavailableError


@pytest.mark.parametrize(
    ("kind", "name", "dimensions", "cased"),
    [("minilm", "all-MiniLM-L6-v2", 384, False), ("wordllama", "wordllama-l2-supercat-256", 256, True)],
)
def test_a_local_embedder_is_loaded_by_its_kind(
    model_data_dir: Path, kind: BuiltIn, name: str, dimensions: int, cased: bool
) -> None:
    embedder = load_embedder(kind, data_dir=model_data_dir)
    assert (embedder.name, embedder.dimensions, embedder.cased) == (name, dimensions, cased)
    assert 1 <= embedder.parallelism <= 4
    assert embedder.embed(["one", "two"]).shape == (2, dimensions)
    embedder.close()


@pytest.mark.parametrize(("url", "model"), [(None, "m"), ("http://127.0.0.1:9/v1", None), (None, None), ("", "")])
def test_a_remote_embedder_needs_an_address_and_a_model(tmp_path: Path, url: str | None, model: str | None) -> None:
    with pytest.raises(EmbeddingUnavailableError, match="needs an address and a model name"):
        load_embedder(RemoteModel(url, model), data_dir=tmp_path)
