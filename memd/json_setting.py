"""Settings that are JSON objects in the environment, and tables in the file."""

import json
from typing import Annotated, Any, Final, TypeVar

from pydantic import BeforeValidator
from pydantic_settings import NoDecode

V = TypeVar("V")
_EXAMPLE: Final = '{"name": "value"}'


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ValueError(f"it must be a JSON object, such as {_EXAMPLE}: {error}") from None


JsonObject = Annotated[dict[str, V], NoDecode, BeforeValidator(_decoded)]
"""Decoded when it is validated, so that text that is not JSON is reported with the name of its setting."""
