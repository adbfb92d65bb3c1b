"""Questions put to a memd over HTTP with its default limits, as a user would; what comes back is named as in the set."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from memctl.evaluation import Question
from tests.bench.eval.holdings import AT_ONCE, Holding

Reply = dict[str, Any]
Found = list[list[str]]
"""For each question the ids that came back, best first."""


def recall(http: httpx.Client, question: str, **fields: Any) -> Reply:
    """The reply of a recall over ordinary memories."""
    return post(http, "/api/mcp/recall", {"query": question, "includeGraphContext": False, **fields})


def recalled(http: httpx.Client, holding: Holding, question: str) -> list[str]:
    """Ids of the memories that recall returns."""
    return [holding.names[row["id"]] for row in recall(http, question)["memories"]]


def search(http: httpx.Client, question: str) -> Reply:
    """The reply of a message search."""
    return post(http, "/api/mcp/search-messages", {"query": question})


def searched(http: httpx.Client, holding: Holding, question: str) -> list[str]:
    """Ids of the messages that message search returns."""
    return [holding.names[row["id"]] for row in search(http, question)["messages"]]


def queried(http: httpx.Client, holding: Holding, question: str) -> list[str]:
    """Keys of the chunks that the query of a knowledge base returns."""
    path = f"/api/knowledge-bases/{holding.base}/query"
    return [row["dedupeKey"] for row in post(http, path, {"query": question})["results"]]


def ask_all(ask: Callable[[str], list[str]], questions: Sequence[Question], *, at_once: int = AT_ONCE) -> Found:
    """The findings of each question, in the order of the questions."""
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(ask, [question.text for question in questions]))


def post(http: httpx.Client, path: str, body: Reply) -> Reply:
    """The reply of a POST; RuntimeError for a refusal."""
    reply = http.post(path, json=body)
    if reply.is_error:
        raise RuntimeError(f"POST {path}: {reply.status_code} {reply.text[:300]}")
    return reply.json()
