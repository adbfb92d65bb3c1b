"""The remote embedder against a real HTTP server on the loopback address."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memd.embed.providers.choose import RemoteModel, load_embedder
from memd.embed.providers.provider import (
    EmbeddingOutageError,
    EmbeddingTimeoutError,
    EmbeddingUnavailableError,
    EmbedError,
)
from memd.embed.providers.remote import RemoteEmbedder
from tests.support.embedding_provider import KEY, Provider


@pytest.fixture
def embedder(provider: Provider) -> Iterator[RemoteEmbedder]:
    remote = RemoteEmbedder(url=provider.url, model="some-model", key=KEY, first_pause_s=0.001, dimensions=3)
    yield remote
    remote.close()


def test_the_first_call_learns_the_dimension(provider: Provider, tmp_path: Path) -> None:
    remote = load_embedder(RemoteModel(provider.url, "some-model", KEY), data_dir=tmp_path)
    assert (remote.name, remote.dimensions) == ("some-model", 3)
    ((path, headers, body),) = provider.requests
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body["model"] == "some-model"
    assert len(body["input"]) == 1
    remote.close()


@pytest.mark.parametrize("suffix", ["", "/", "/embeddings", "/embeddings/"])
def test_base_and_full_address_are_both_understood(provider: Provider, suffix: str) -> None:
    remote = RemoteEmbedder(url=provider.url + suffix, model="m")
    assert remote.measure() == 3
    remote.close()
    assert provider.requests[0][0].rstrip("/") == "/v1/embeddings"


def test_no_key_sends_no_authorization(provider: Provider) -> None:
    remote = RemoteEmbedder(url=provider.url, model="m")
    assert remote.measure() == 3
    remote.close()
    assert "Authorization" not in provider.requests[0][1]


def test_rows_follow_the_index_and_have_length_one(embedder: RemoteEmbedder) -> None:
    rows = embedder.embed(["a", "bb", "cccc"])
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(rows[:, 0] / rows[:, 1], [1, 2, 4], rtol=1e-6)


def test_blank_texts_are_not_sent_and_have_a_vector(provider: Provider, embedder: RemoteEmbedder) -> None:
    rows = embedder.embed(["", "a", " \n"])
    assert provider.texts() == [["a"]]
    np.testing.assert_allclose(rows[[0, 2]], 3**-0.5)
    assert embedder.embed(["", " "]).shape == (2, 3)
    assert embedder.embed([]).shape == (0, 3)
    assert len(provider.requests) == 1


def test_no_more_than_8000_characters_of_a_text_are_sent(provider: Provider, embedder: RemoteEmbedder) -> None:
    embedder.embed(["x" * 100_000, "\ud800"])
    assert provider.texts() == [["x" * 8000, "?"]]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_passing_failure_is_tried_again(provider: Provider, embedder: RemoteEmbedder, status: int) -> None:
    provider.statuses = [status, status]
    assert embedder.embed(["a"]).shape == (1, 3)
    assert len(provider.requests) == 3


def test_a_query_is_not_tried_for_longer_than_its_timeout(provider: Provider) -> None:
    remote = RemoteEmbedder(url=provider.url, model="m", key=KEY, first_pause_s=60, query_timeout_s=4.5, dimensions=3)
    provider.statuses = [503]
    with pytest.raises(EmbeddingOutageError, match="answered 503"):
        remote.embed_queries(["a"])
    assert len(provider.requests) == 1
    remote.close()


def test_a_model_of_unknown_dimension_makes_no_vectors(provider: Provider) -> None:
    remote = RemoteEmbedder(url=provider.url, model="m", key=KEY)
    with pytest.raises(EmbeddingOutageError, match="has not answered yet"):
        remote.embed(["a"])
    assert provider.requests == []
    remote.close()


def test_three_failures_are_enough(provider: Provider, embedder: RemoteEmbedder) -> None:
    provider.statuses = [503] * 5
    provider.retry_after = "soon"
    with pytest.raises(EmbeddingOutageError, match="answered 503"):
        embedder.embed(["a"])
    assert len(provider.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_lasting_refusal_is_not_tried_again_and_shows_no_key(
    provider: Provider, embedder: RemoteEmbedder, status: int
) -> None:
    provider.statuses = [status]
    with pytest.raises(EmbeddingUnavailableError, match=f"answered {status}") as refusal:
        embedder.embed(["a"])
    assert len(provider.requests) == 1
    assert_no_key(refusal.value)


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"{}",
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 1, "embedding": [1, 2, 3]}]}',
        b'{"data": [{"index": 0, "embedding": "text"}]}',
        b'{"data": [{"index": 0, "embedding": [1, 2]}]}',
        b'{"data": [{"index": 0, "embedding": [1, 2, NaN]}]}',
    ],
)
def test_an_answer_of_another_form_is_refused(provider: Provider, embedder: RemoteEmbedder, body: bytes) -> None:
    provider.body = body
    with pytest.raises(EmbeddingUnavailableError):
        embedder.embed(["a"])


def test_silence_is_a_timeout(provider: Provider) -> None:
    remote = RemoteEmbedder(url=provider.url, model="m", key=KEY, timeout_s=1.0, dimensions=3)
    provider.talking.clear()
    with pytest.raises(EmbeddingTimeoutError) as failure:
        remote.embed(["a"])
    assert_no_key(failure.value)
    remote.close()


def test_nobody_at_the_address_is_an_outage() -> None:
    remote = RemoteEmbedder(url="http://127.0.0.1:9/v1", model="m", key=KEY, first_pause_s=0.001, dimensions=3)
    with pytest.raises(EmbeddingOutageError, match="could not be reached") as failure:
        remote.embed(["a"])
    remote.close()
    assert_no_key(failure.value)


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY}é", f"{KEY}\x00"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(provider: Provider, key: str) -> None:
    with pytest.raises(EmbeddingUnavailableError) as failure:
        RemoteEmbedder(url=provider.url, model="m", key=key)
    assert_no_key(failure.value)


@pytest.mark.parametrize("url", ["not an address", "ftp://127.0.0.1/v1", "http://[::1", ""])
def test_a_wrong_address_is_unavailable(url: str) -> None:
    with pytest.raises(EmbeddingUnavailableError):
        RemoteEmbedder(url=url, model="m", key=KEY, first_pause_s=0.001)


def test_the_key_is_not_in_the_embedder_s_text(embedder: RemoteEmbedder) -> None:
    assert KEY not in repr(embedder)
    assert KEY not in str(vars(embedder))


def assert_no_key(error: EmbedError) -> None:
    chain: BaseException | None = error
    while chain is not None:
        assert KEY not in repr(chain)
        assert KEY not in str(chain)
        chain = chain.__cause__ if chain.__suppress_context__ else chain.__context__
