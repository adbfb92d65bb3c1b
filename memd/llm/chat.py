"""A chat model behind an OpenAI-compatible address: one question, one JSON answer.

The key is in the headers and nowhere else; no message, no log line and no error holds it, nor any text that was
sent or received.
"""

import asyncio
import json
from typing import Any, Final

import httpx
from pydantic import BaseModel, Field, ValidationError

from memd.llm.prompts import Prompt
from memd.retry_after import RETRYABLE_STATUSES, retry_after_s

TRIES: Final = 3
FIRST_PAUSE_S: Final = 0.5
MAX_BYTES: Final = 1_000_000
_REFUSED_FORM: Final = frozenset({400, 404, 422})
_FENCE: Final = "```"


def _with_schema(prompt: Prompt) -> dict[str, Any]:
    schema = {"name": prompt.name, "strict": True, "schema": prompt.schema}
    return {"temperature": 0, "response_format": {"type": "json_schema", "json_schema": schema}}


def _with_json(prompt: Prompt) -> dict[str, Any]:
    del prompt
    return {"response_format": {"type": "json_object"}}


def _bare(prompt: Prompt) -> dict[str, Any]:
    del prompt
    return {}


_FORMS: Final = (_with_schema, _with_json, _bare)
"""How an answer is asked for: by schema, as any JSON, or by the instructions alone; they say it in every case."""


class ChatError(Exception):
    """The model gave no usable answer; the message says how, without any content."""


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Reply(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


class Chat:
    """A client of one model. A server that refuses the form of the question is asked in a plainer one from then on."""

    def __init__(
        self, client: httpx.AsyncClient, url: str, *, model: str | None, key: str | None, pause_s: float = FIRST_PAUSE_S
    ) -> None:
        """`url` is the API's base (…/v1) or the full address."""
        self._client = client
        self._address = url if url.rstrip("/").endswith("/completions") else f"{url.rstrip('/')}/chat/completions"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._model = {"model": model} if model else {}
        self._pause_s = pause_s
        self._plainness = 0

    async def answer(self, prompt: Prompt, timeout_s: float) -> object:
        """The JSON value that the model answered, tried three times within `timeout_s`; `ChatError` without one."""
        try:
            async with asyncio.timeout(timeout_s):
                return await self._insist(prompt)
        except TimeoutError:
            raise ChatError("no answer in time") from None

    async def _insist(self, prompt: Prompt) -> object:
        reason, pause_s = "", self._pause_s
        for retries_left in reversed(range(TRIES)):
            try:
                return await self._ask(prompt)
            except _PassingError as error:
                reason = str(error)
                if retries_left:
                    await asyncio.sleep(max(pause_s, error.wait_s))
                pause_s *= 2
        raise ChatError(reason)

    async def _ask(self, prompt: Prompt) -> object:
        """One answer; as many requests as there are forms, should the server refuse them."""
        response = await self._send(prompt)
        while response.status_code in _REFUSED_FORM and self._plainness < len(_FORMS) - 1:
            self._plainness += 1
            response = await self._send(prompt)
        if response.is_success:
            return _read(response.content)
        self._plainness = 0
        if response.status_code in RETRYABLE_STATUSES:
            raise _PassingError(f"status {response.status_code}", retry_after_s(response))
        raise ChatError(f"status {response.status_code}")

    async def _send(self, prompt: Prompt) -> httpx.Response:
        body: dict[str, Any] = {
            **self._model,
            "messages": [
                {"role": "system", "content": prompt.instructions},
                {"role": "user", "content": prompt.data},
            ],
            **_FORMS[self._plainness](prompt),
        }
        try:
            return await self._client.post(self._address, json=body, headers=self._headers, timeout=None)
        except httpx.TransportError as error:
            raise _PassingError(type(error).__name__) from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise ChatError(type(error).__name__) from None


class _PassingError(ChatError):
    """A failure that may be over soon."""

    def __init__(self, message: str, wait_s: float = 0.0) -> None:
        super().__init__(message)
        self.wait_s = wait_s


def _read(content: bytes) -> object:
    """The JSON inside the first choice, with or without a fence around it."""
    if len(content) > MAX_BYTES:
        raise ChatError("the answer is too long")
    try:
        text = _Reply.model_validate_json(content).choices[0].message.content.strip()
        if text.startswith(_FENCE) and text.endswith(_FENCE):
            text = text.removeprefix(_FENCE).removesuffix(_FENCE).removeprefix("json")
        return json.loads(text)
    except (ValidationError, ValueError, RecursionError):
        raise _PassingError("the answer is no JSON") from None
