"""`memctl api`: any endpoint of memd, with the address and the key that every command uses."""

import json
from typing import Any, TextIO

import click

from memctl import output
from memctl.client import MemdClient
from memctl.options import OneOf, examples, remote
from memctl.run import run

METHODS = ("GET", "POST", "PATCH", "PUT", "DELETE")


class Field(click.ParamType[tuple[str, Any]]):
    """`name=value`; a value that is JSON (a number, true, null, a list, an object) is sent as such, others as text."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        """The name and the value."""
        name, equals, text = str(value).partition("=")
        if not name or not equals:
            self.fail(f"{value} is not of the form name=value", param, ctx)
        try:
            return name, json.loads(text)
        except ValueError:
            return name, text


@click.command(
    epilog=examples(
        "memctl api GET /api/activity -f days=7",
        "memctl api POST /api/mcp/recall -f query='release day' -f limit=3",
        "memctl api POST /api/mcp/capture-batch --input memories.json",
    )
)
@click.argument("method", cls=OneOf, type=click.Choice(METHODS, case_sensitive=False))
@click.argument("path")
@click.option(
    "-f",
    "--field",
    "fields",
    type=Field(),
    multiple=True,
    help="A field of the body, or with GET of the query string; repeatable.",
)
@click.option(
    "--input",
    "file",
    type=click.File(encoding="utf-8"),
    help="File with the body of the request; `-` reads standard input.",
)
@remote
def api(method: str, path: str, fields: tuple[tuple[str, Any], ...], file: TextIO | None) -> None:
    """Send a request to the endpoint PATH and print the reply; docs/api.md lists the endpoints."""
    if not path.startswith("/"):
        raise click.UsageError("PATH begins with a slash, as in /api/mcp/stats")
    values, in_query = dict(fields), method in {"GET", "DELETE"}
    if file is not None and values and not in_query:
        raise click.UsageError("give the body by --input or by --field, not by both")
    body = _body(file) if file is not None else values
    query = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}

    async def action(client: MemdClient) -> None:
        params = query if in_query else None
        reply = await client.request(method, path, params=params, json=None if in_query else body)
        if isinstance(reply, dict):
            output.document(reply)
        else:
            output.say(str(reply).rstrip())

    run(action)


def _body(file: TextIO) -> object:
    try:
        return json.load(file)
    except ValueError as error:
        raise click.UsageError(f"{file.name} is not JSON: {error}") from None
