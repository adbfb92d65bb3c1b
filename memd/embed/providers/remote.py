"""Any embedding model behind an OpenAI-compatible `/embeddings` address.

The key is in the client's headers and nowhere else: no message, no chained error, no repr shows it.
"""

import math
import time
from collections.abc import Sequence
from typing import Any

import httpx
import numpy as np
from pydantic import BaseModel, ValidationError

from memd.embed.providers.provider import (
    SAMPLE,
    EmbeddingOutageError,
    EmbeddingRefusedError,
    EmbeddingTimeoutError,
    EmbeddingUnavailableError,
    Vector,
    readable,
    to_unit_rows,
)
from memd.retry_after import RETRYABLE_STATUSES, retry_after_s

TRIES = 3
MAX_PAUSE_S = 5.0
MIN_TIMEOUT_S = 0.01
REFUSALS_OF_A_TEXT = frozenset({400, 413, 422})
"""What services answer to a text that is too long for their model, or that their filter does not let through."""


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Reply(BaseModel):
    data: list[_Row]


class RemoteEmbedder:
    """A model served by someone else. Blank texts are not sent; they get the constant direction.

    While `dimensions` is 0, embedding raises EmbeddingOutageError.
    """

    remote = True
    cased = True
    latin_only = False
    batch_size = 64
    parallelism = 4

    def __init__(
        self,
        *,
        url: str,
        model: str,
        key: str | None = None,
        timeout_s: float = 10.0,
        query_timeout_s: float = 1.0,
        dimensions: int = 0,
        first_pause_s: float = 0.5,
        query_prefix: str = "",
        document_prefix: str = "",
    ) -> None:
        """Nothing is sent yet. `url` is the API's base (…/v1) or the full address; the prefixes go before each text.

        `timeout_s` is per request; failures that may pass are tried again after `first_pause_s`, then twice that.
        `query_timeout_s` is for all tries of a query. Raises EmbeddingUnavailableError for a key or address of a wrong
        form.
        """
        self.name = model
        self.dimensions = dimensions
        self.answered = False
        self._timeout_s, self._query_timeout_s = timeout_s, query_timeout_s
        self._query_prefix, self._document_prefix = query_prefix, document_prefix
        self._address = url if url.rstrip("/").endswith("/embeddings") else f"{url.rstrip('/')}/embeddings"
        self._first_pause_s = first_pause_s
        if key and not (key.isascii() and key.isprintable()):
            raise EmbeddingUnavailableError("The embedding key holds characters that no header can carry")
        _check_address(self._address)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers)

    def measure(self, within_s: float = math.inf) -> int:
        """The length of the model's vectors, asked of the model; `within_s` bounds all tries.

        Raises as `embed` does.
        """
        return len(self._request([SAMPLE], within_s)[0])

    def embed(self, texts: Sequence[str]) -> Vector:
        """Rows of float32 [len(texts), dimensions] from one request per call."""
        return self._rows(self._document_prefix, texts)

    def embed_queries(self, queries: Sequence[str]) -> Vector:
        """The same for search texts, which have a separate prefix."""
        return self._rows(self._query_prefix, queries, self._query_timeout_s)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _rows(self, prefix: str, texts: Sequence[str], within_s: float = math.inf) -> Vector:
        if self.dimensions == 0:
            raise EmbeddingOutageError(f"The embedding service of {self.name} has not answered yet")
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        filled = [i for i, text in enumerate(texts) if text.strip()]
        if filled:
            answer = self._request([prefix + readable(texts[i]) for i in filled], within_s)
            if any(len(row) != self.dimensions for row in answer):
                raise EmbeddingUnavailableError(f"The model {self.name} changed its dimension")
            rows[filled] = answer
        if not np.isfinite(rows).all():
            raise EmbeddingUnavailableError(f"The model {self.name} answered with numbers that are not finite")
        return to_unit_rows(rows)

    def _request(self, texts: list[str], within_s: float) -> list[list[float]]:
        """The vectors in the order of the texts, tried up to TRIES times and for no longer than `within_s` seconds."""
        reason, pause_s, give_up_at = "", self._first_pause_s, time.monotonic() + within_s
        for retries_left in reversed(range(TRIES)):
            timeout_s = max(min(self._timeout_s, give_up_at - time.monotonic()), MIN_TIMEOUT_S)
            response = self._send({"model": self.name, "input": texts}, timeout_s)
            if response is not None and response.is_success:
                return self._vectors(response, len(texts))
            reason = "could not be reached" if response is None else f"answered {response.status_code}"
            if response is not None and response.status_code not in RETRYABLE_STATUSES:
                kind = (
                    EmbeddingRefusedError if response.status_code in REFUSALS_OF_A_TEXT else EmbeddingUnavailableError
                )
                raise kind(f"The embedding service of {self.name} {reason}")
            wait_s = min(max(pause_s, 0 if response is None else retry_after_s(response)), MAX_PAUSE_S)
            if retries_left == 0 or time.monotonic() + wait_s >= give_up_at:
                break
            time.sleep(wait_s)
            pause_s *= 2
        raise EmbeddingOutageError(f"The embedding service of {self.name} {reason}")

    def _send(self, body: dict[str, Any], timeout_s: float) -> httpx.Response | None:
        """The answer, with any status; None when there was no connection."""
        try:
            return self._client.post(self._address, json=body, timeout=timeout_s)
        except httpx.TimeoutException:
            raise EmbeddingTimeoutError(f"The embedding service of {self.name} did not answer in time") from None
        except httpx.TransportError:
            return None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise EmbeddingUnavailableError(f"The embedding request failed: {type(error).__name__}") from None

    def _vectors(self, response: httpx.Response, expected: int) -> list[list[float]]:
        try:
            rows = _Reply.model_validate_json(response.content).data
        except ValidationError:
            rows = list[_Row]()
        if sorted(row.index for row in rows) != list(range(expected)) or not all(row.embedding for row in rows):
            raise EmbeddingUnavailableError(f"The embedding service of {self.name} sent an unexpected response")
        return [row.embedding for row in sorted(rows, key=lambda row: row.index)]


def _check_address(address: str) -> None:
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in {"http", "https"} or not url.host:
        raise EmbeddingUnavailableError("The address of the embedding service is not an http or https address")
