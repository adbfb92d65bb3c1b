"""The client when memd refuses a request for now (contract 1.5: 429, 503)."""

from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from memctl.client import MemdClient, errors
from memctl.client.models import CaptureRequest, RecallRequest
from memctl.client.retrying import seconds_before_retry

BUSY: dict[str, Any] = {"error": "Server busy", "retryAfterMs": 0}
CAPTURED = {"ok": True, "id": "mem_1", "createdAt": 1, "embedding": []}


def client_of(answers: Sequence[tuple[int, dict[str, Any]]], **options: Any) -> tuple[MemdClient, list[str]]:
    """A client of a server that gives these answers in turn, and the paths that it was asked for."""
    left, requests = list(answers), list[str]()

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request.url.path)
        status, body = left.pop(0)
        return httpx.Response(status, json=body)

    return MemdClient("http://memd.test", "k", httpx.MockTransport(answer), **options), requests


async def test_a_refused_request_is_sent_again() -> None:
    client, requests = client_of(
        [(503, BUSY), (429, {"error": "Rate limit exceeded", "retryAfterMs": 1}), (200, CAPTURED)]
    )
    assert (await client.memories.capture(CaptureRequest(title="t", content="c"))).id == "mem_1"
    assert requests == ["/api/mcp/capture"] * 3


async def test_the_last_refusal_is_raised() -> None:
    client, requests = client_of([(503, BUSY)] * 3)
    with pytest.raises(errors.ServerBusy):
        await client.recall(RecallRequest(query="q"))
    assert len(requests) == 3


async def test_without_retries_every_refusal_is_raised() -> None:
    client, requests = client_of([(503, BUSY)], retries=0)
    with pytest.raises(errors.ServerBusy):
        await client.recall(RecallRequest(query="q"))
    assert len(requests) == 1


@pytest.mark.parametrize(
    ("status", "body", "headers", "attempt", "expected"),
    [
        (429, {"retryAfterMs": 1500}, {"Retry-After": "2"}, 0, (1.5, 1.875)),
        (503, {}, {"Retry-After": "2"}, 0, (2, 2.5)),
        (503, {}, {}, 0, (0.5, 0.625)),
        (503, {}, {}, 3, (4, 5)),
        (429, {"retryAfterMs": 0}, {}, 0, (0, 0.125)),
        (429, {"retryAfterMs": 30_001}, {}, 0, None),
        (500, {}, {}, 0, None),
        (409, {"retryAfterMs": 1}, {}, 0, None),
        (200, {}, {}, 0, None),
    ],
)
def test_the_wait_is_the_servers_with_a_random_part(
    status: int, body: dict[str, Any], headers: dict[str, str], attempt: int, expected: tuple[float, float] | None
) -> None:
    answer = httpx.Response(status, json=body, headers=headers)
    bounds = [seconds_before_retry(answer, attempt, lambda low, high, share=share: low + share * (high - low))
              for share in (0.0, 1.0)]  # fmt: skip
    assert bounds == ([None, None] if expected is None else pytest.approx(list(expected)))


@pytest.mark.parametrize(
    "text", ["<html>", "[" * 100_000, '{"retryAfterMs": 1' + "0" * 400 + "}"], ids=["page", "depth", "number"]
)
def test_a_refusal_that_is_no_json_has_a_wait_of_its_own(text: str) -> None:
    assert seconds_before_retry(httpx.Response(503, text=text), 0, lambda low, _: low) == 0.5
