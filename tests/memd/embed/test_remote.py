"""The remote embedder against a real HTTP server on the loopback address."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memd.embed.choose import RemoteModel, load_embedder
from memd.embed.provider import EmbeddingTimeoutError, EmbeddingUnavailableError, EmbedError
from memd.embed.remote import RemoteEmbedder

KEY = "sk-never-to-be-seen"


class Provider(ThreadingHTTPServer):
    """An OpenAI-compatible embedding server: vector of a text = [its length, 1, 0]; answers backwards, as it may."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.statuses: list[int] = []
        """Answers of this status come first, one each."""
        self.body: bytes | None = None
        """An answer instead of the right one."""
        self.talking = threading.Event()
        self.talking.set()
        self.retry_after: str | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def texts(self) -> list[list[str]]:
        return [body["input"] for _, _, body in self.requests]


class _Handler(BaseHTTPRequestHandler):
    server: Provider  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, dict(self.headers.items()), body))
        self.server.talking.wait()
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        rows = [{"index": i, "embedding": [len(text), 1, 0]} for i, text in enumerate(body["input"])]
        answer = json.dumps({"object": "list", "data": rows[::-1], "model": body["model"]}).encode()
        if status != 200:
            answer = json.dumps({"error": {"message": f"bad key {KEY}"}}).encode()
        elif self.server.body is not None:
            answer = self.server.body
        self.send_response(status)
        if self.server.retry_after is not None:
            self.send_header("Retry-After", self.server.retry_after)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Say nothing."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.talking.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def embedder(provider: Provider) -> Iterator[RemoteEmbedder]:
    remote = RemoteEmbedder(url=provider.url, model="some-model", key=KEY, first_pause_s=0.001)
    provider.requests.clear()
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
    RemoteEmbedder(url=provider.url + suffix, model="m").close()
    assert provider.requests[0][0].rstrip("/") == "/v1/embeddings"


def test_no_key_sends_no_authorization(provider: Provider) -> None:
    RemoteEmbedder(url=provider.url, model="m").close()
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


def test_three_failures_are_enough(provider: Provider, embedder: RemoteEmbedder) -> None:
    provider.statuses = [503] * 5
    provider.retry_after = "soon"
    with pytest.raises(EmbeddingUnavailableError, match="answered 503"):
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
    remote = RemoteEmbedder(url=provider.url, model="m", key=KEY, timeout_s=1.0)
    provider.talking.clear()
    with pytest.raises(EmbeddingTimeoutError) as failure:
        remote.embed(["a"])
    assert_no_key(failure.value)
    remote.close()


def test_nobody_at_the_address_is_unavailable() -> None:
    with pytest.raises(EmbeddingUnavailableError, match="could not be reached") as failure:
        RemoteEmbedder(url="http://127.0.0.1:9/v1", model="m", key=KEY, first_pause_s=0.001)
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
