"""Metadata on the command line: a JSON object, or any text."""

import json
from typing import Any, cast

import click


def json_or_text(context: click.Context, parameter: click.Parameter, value: str | None) -> Any:
    """An object when the value reads as one, the string itself otherwise; a callback for click.

    A value that begins like an object but is not valid JSON is a usage error.
    """
    del context, parameter
    if value is None:
        return None
    try:
        read: Any = json.loads(value)
    except ValueError as error:
        if value.lstrip().startswith("{"):
            raise click.BadParameter(f"not valid JSON: {error}") from None
        return value
    return cast("dict[str, Any]", read) if isinstance(read, dict) else value


def json_object(context: click.Context, parameter: click.Parameter, value: str | None) -> dict[str, Any] | None:
    """An object, or a usage error; a callback for click."""
    read = json_or_text(context, parameter, value)
    if read is not None and not isinstance(read, dict):
        raise click.BadParameter("not a JSON object")
    return cast("dict[str, Any] | None", read)
