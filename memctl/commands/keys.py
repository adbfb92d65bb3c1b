"""API keys: list, create, rotate, revoke. A secret is shown once, alone on standard output, so that it can be piped."""

import time

import click

from memctl import output
from memctl.client import MemdClient
from memctl.diagnostics import CommandError, ExitCode, confirm, note
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import moment
from memctl.wire.accounts import CreateKeyRequest, KeyRow
from memctl.wire.enums import KeyScope

DAY_MS = 86_400_000
_SHOWN_ONCE = "the key is shown this once; keep it in a safe place"


@click.group(epilog=examples("memctl keys list", "memctl keys create --label laptop --scope read"))
def keys() -> None:
    """List, make and end API keys; KEY is an id, or a label that only one live key has."""


@keys.command("list", epilog=examples("memctl keys list", "memctl keys list --json"))
@remote
@forms(jsonl=True)
def list_(form: Form) -> None:
    """List the keys; secrets are never shown."""

    async def action(client: MemdClient) -> None:
        reply = await client.accounts.list_keys()
        headings = ["", "label", "scopes", "made", "last used", "state", "id"]
        output.listing(form, reply, reply.keys, headings, _cells)

    run(action)


def _cells(key: KeyRow) -> list[str]:
    used = moment(key.last_used_at) if key.last_used_at else "never"
    return [
        "*" if key.current else "",
        key.label or "",
        "+".join(key.scopes),
        moment(key.created_at),
        used,
        _state(key),
        key.id,
    ]


def _state(key: KeyRow) -> str:
    if not key.active:
        return "revoked"
    if key.expires_at is None:
        return "live"
    return f"until {moment(key.expires_at)}" if key.expires_at > time.time() * 1000 else "expired"


@keys.command(epilog=examples("memctl keys create --label laptop", "memctl keys create --scope read --days 30"))
@click.option("--label", help="What the key is for.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(KeyScope, case_sensitive=False),
    help="May be given again.  [default: read, write]",
)
@click.option("--days", type=click.IntRange(1), help="The key ends after so many days.")
@remote
@forms()
def create(label: str | None, scopes: tuple[KeyScope, ...], days: int | None, form: Form) -> None:
    """Make a key and print it."""
    expires_at = int(time.time() * 1000) + days * DAY_MS if days else None
    request = CreateKeyRequest(**chosen({"label": label, "scopes": scopes, "expires_at": expires_at}))

    async def action(client: MemdClient) -> None:
        key = await client.accounts.create_key(request)
        if form is Form.JSON:
            output.document(key)
        else:
            output.script(key.api_key)
            note(f"made {key.id} ({'+'.join(key.scopes)}); {_SHOWN_ONCE}")

    run(action)


@keys.command(epilog=examples("memctl keys rotate laptop", "memctl keys rotate key_…"))
@click.argument("key")
@remote
@forms()
def rotate(key: str, form: Form) -> None:
    """Give KEY a new secret and print it; the old one is dead at once."""

    async def action(client: MemdClient) -> None:
        row = await _find(client, key)
        reply = await client.accounts.rotate_key(row.id)
        if form is Form.JSON:
            output.document(reply)
        else:
            output.script(reply.api_key)
            note(f"{row.id} has a new secret; {_SHOWN_ONCE}")

    run(action)


@keys.command(epilog=examples("memctl keys revoke laptop", "memctl keys revoke key_… --yes"))
@click.argument("key")
@click.option("--yes", is_flag=True, help="Do not ask, even when KEY is the one in use.")
@remote
@forms()
def revoke(key: str, yes: bool, form: Form) -> None:
    """End KEY for good."""

    async def action(client: MemdClient) -> None:
        row = await _find(client, key)
        if row.current and not yes:
            confirm("This is the key that memctl uses here. End it?")
        reply = await client.accounts.revoke_key(row.id)
        if form is Form.JSON:
            output.document(reply)
        else:
            note(f"{row.id} is revoked")

    run(action)


async def _find(client: MemdClient, wanted: str) -> KeyRow:
    """The key with this id, or the only live one with this label."""
    rows = (await client.accounts.list_keys()).keys
    found = [row for row in rows if row.id == wanted] or [row for row in rows if row.active and row.label == wanted]
    if not found:
        raise CommandError(f"no key {wanted}; see `memctl keys list`", ExitCode.NOT_FOUND)
    if len(found) > 1:
        raise CommandError(f"{len(found)} live keys have the label {wanted}; name one by its id", ExitCode.USAGE)
    return found[0]
