"""A scripted model endpoint on loopback: Anthropic's Messages API, OpenAI's Responses API and Gemini's, streamed.

It records what an agent sends and answers every turn with the next scripted text or tool call; the last one stays.
"""

import json
import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from tests.support.loopback import LoopbackHandler, LoopbackServer, answering

Json = dict[str, Any]
Event = tuple[str, Json]


class ToolCall(NamedTuple):
    """A tool that the model wants to be called; OpenAI's API knows those of a server by its namespace and their own name."""

    name: str
    arguments: Json
    namespace: str = ""


Answer = str | ToolCall


class ModelEndpoint(LoopbackServer):
    """`requests` are the bodies of the model calls, in order."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        super().__init__(_Handler)
        self.answers = [*answers]
        self.requests: list[Json] = []
        self._lock = threading.Lock()

    def next_answer(self, body: Json) -> Answer:
        """Record a call and take its answer."""
        with self._lock:
            self.requests.append(body)
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class _Handler(LoopbackHandler):
    server: ModelEndpoint  # pyrefly: ignore[bad-override-mutable-attribute]

    def answer(self) -> None:
        body = json.loads(self.body() or b"{}")
        path = self.path.partition("?")[0]
        if path == "/v1/messages":
            self._stream(
                _anthropic(self.server.next_answer(body), body.get("model", "scripted"), len(self.server.requests))
            )
        elif path == "/v1/responses":
            self._stream(_openai(self.server.next_answer(body), len(self.server.requests)))
        elif path.endswith(":streamGenerateContent"):
            self._stream([("", _gemini(self.server.next_answer(body)))])
        elif path.endswith(":generateContent"):  # Gemini CLI asks a small model which model is to answer
            self._reply(200, _gemini('{"complexity_reasoning": "none", "complexity_score": 1}'))
        elif path == "/v1/messages/count_tokens":
            self._reply(200, {"input_tokens": 1})
        else:
            self._reply(404, {"error": {"type": "not_found_error", "message": path}})

    def _reply(self, status: int, body: Json) -> None:
        self.reply(status, json.dumps(body).encode(), Content_Type="application/json")

    def _stream(self, events: Iterable[Event]) -> None:
        heads = ((f"event: {name}\n" if name else "", data) for name, data in events)
        content = b"".join(f"{head}data: {json.dumps(data)}\n\n".encode() for head, data in heads)
        self.reply(200, content, Content_Type="text/event-stream")


def _anthropic(answer: Answer, model: str, number: int) -> Iterable[Event]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield "message_start", {"type": "message_start", "message": message}
    block: Json = {"type": "text", "text": ""}
    delta: Json = {"type": "text_delta", "text": answer}
    if isinstance(answer, ToolCall):
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": answer.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(answer.arguments)}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    end = {"stop_reason": "tool_use" if isinstance(answer, ToolCall) else "end_turn", "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": end, "usage": usage}
    yield "message_stop", {"type": "message_stop"}


def _openai(answer: Answer, number: int) -> Iterable[Event]:
    response = {"id": f"resp_{number}", "object": "response", "status": "in_progress", "output": []}
    yield "response.created", {"type": "response.created", "response": response}
    item: Json = {
        "type": "message",
        "id": f"item_{number}",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": answer, "annotations": []}],
    }
    if isinstance(answer, ToolCall):
        item = {
            "type": "function_call",
            "id": f"item_{number}",
            "call_id": f"call_{number}",
            "name": answer.name,
            "arguments": json.dumps(answer.arguments),
            "status": "completed",
            **({"namespace": answer.namespace} if answer.namespace else {}),
        }
    yield "response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}
    usage = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    done = {**response, "status": "completed", "output": [item], "usage": usage}
    yield "response.completed", {"type": "response.completed", "response": done}


def _gemini(answer: Answer) -> Json:
    part: Json = {"text": answer}
    if isinstance(answer, ToolCall):
        part = {"functionCall": {"name": answer.name, "args": answer.arguments}}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}


def model_endpoint(*answers: Answer) -> AbstractContextManager[ModelEndpoint]:
    """An endpoint that serves until the end of the block."""
    return answering(ModelEndpoint(answers))
