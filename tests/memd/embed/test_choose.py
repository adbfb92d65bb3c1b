"""The built-in embedders by name, and the remote one."""

from dataclasses import replace
from pathlib import Path

import pytest

from memd.embed.providers.choose import BuiltIn, RemoteModel, load_embedder
from memd.embed.providers.provider import EmbeddingOutageError, EmbeddingUnavailableError
from tests.support.embedding_provider import Provider


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


@pytest.mark.parametrize("dimensions", [0, 3, 8])
def test_a_silent_remote_embedder_is_loaded_when_it_may_be_silent(
    provider: Provider, tmp_path: Path, dimensions: int
) -> None:
    provider.statuses = [503] * 9
    model = RemoteModel(provider.url, "m", dimensions=dimensions, may_be_silent=True)
    embedder = load_embedder(model, data_dir=tmp_path)
    assert (embedder.dimensions, embedder.remote) == (dimensions, True)
    embedder.close()
    with pytest.raises(EmbeddingOutageError):
        load_embedder(replace(model, may_be_silent=False), data_dir=tmp_path)


def test_a_remote_embedder_that_refuses_or_differs_is_not_loaded(provider: Provider, tmp_path: Path) -> None:
    model = RemoteModel(provider.url, "m", may_be_silent=True)
    provider.statuses = [401]
    with pytest.raises(EmbeddingUnavailableError, match="answered 401"):
        load_embedder(model, data_dir=tmp_path)
    with pytest.raises(EmbeddingUnavailableError, match="3 dimensions, MEMD_EMBED_DIMENSIONS says 8"):
        load_embedder(replace(model, dimensions=8), data_dir=tmp_path)
