"""The two forms of a JSON reply: an error and a model."""

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from memd.errors import MemdError

JSON_TYPE = "application/json; charset=utf-8"


class JsonReply(JSONResponse):
    """JSON with the content type that contract 1.1.10 names."""

    media_type = JSON_TYPE


def error_reply(error: MemdError) -> JsonReply:
    """The wire form of an error."""
    return JsonReply(error.body(), status_code=error.status, headers=error.headers)


def model_reply(model: BaseModel, status: int) -> Response:
    """The wire form of a reply model."""
    return Response(model.model_dump_json(by_alias=True), status_code=status, media_type=JSON_TYPE)
