"""The forms of a JSON reply: an error, and a model, which is encoded piece by piece when it is large."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any, Final, cast

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response, StreamingResponse

from memd.errors import MemdError

JSON_TYPE = "application/json; charset=utf-8"
PIECE: Final = 256 * 1024
"""Bytes of a reply that are given to the server at once, or characters that are encoded at once."""
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class JsonReply(JSONResponse):
    """JSON with the content type that contract 1.1.10 names."""

    media_type = JSON_TYPE


def error_reply(error: MemdError) -> JsonReply:
    """The wire form of an error."""
    return JsonReply(error.body(), status_code=error.status, headers=error.headers)


class LargeReply(StreamingResponse):
    """A model with long texts, encoded while it is sent.

    As a whole its JSON would take up to 240 MB, and no other request would be served for half a second.
    """

    media_type = JSON_TYPE

    def __init__(self, model: BaseModel, status: int, characters: int) -> None:
        super().__init__(_pieces(model), status)
        self.held_bytes = 4 * characters


def model_reply(model: BaseModel, status: int) -> Response:
    """The wire form of a reply model."""
    characters = _characters(model)
    if characters > PIECE:
        return LargeReply(model, status, characters)
    return Response(model.model_dump_json(by_alias=True), status_code=status, media_type=JSON_TYPE)


def _characters(model: BaseModel) -> int:
    """The length of the contents in the lists of a reply."""
    total = 0
    for value in vars(model).values():
        if isinstance(value, BaseModel):
            total += _characters(value)
        elif isinstance(value, list):
            rows = cast("list[Any]", value)
            if rows and isinstance(rows[0], BaseModel) and "content" in vars(rows[0]):
                total += sum(len(row.content) for row in rows)
    return total


async def _pieces(model: BaseModel) -> AsyncGenerator[bytes]:
    tokens: list[str] = []
    length = 0
    for token in _ENCODER.iterencode(model.model_dump(mode="json", by_alias=True)):
        tokens.append(token)
        length += len(token)
        if length >= PIECE:
            yield "".join(tokens).encode()
            tokens.clear()
            length = 0
            await asyncio.sleep(0)
    yield "".join(tokens).encode()
