"""API keys: list, create, update, rotate, revoke. A secret is shown once, alone on standard output, so that it can be piped."""

import re
import time
from ipaddress import ip_network
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import KEY_ID
from memctl.config_file import set_profile
from memctl.diagnostics import CommandError, ExitCode, confirm, note
from memctl.groups import Group
from memctl.key_file import replace_key
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import connection, run
from memctl.settings import ConfigError, Connection, config_path
from memctl.text import moment
from memctl.wire.accounts import CreateKeyRequest, KeyRow, PatchKeyRequest
from memctl.wire.enums import KeyScope

DAY_MS = 86_400_000
_DEVICE = re.compile(r"^Device \d{4}-\d\d-\d\d: ")
"""The prefix that memd puts before the name of a device to make a label."""
_SHOWN_ONCE = "the key is shown only once; keep it in a safe place"


@click.group(cls=Group, epilog=examples("memctl keys list", "memctl keys create --label laptop --scope read"))
def keys() -> None:
    """Manage API keys; KEY is an id, or the label of exactly one active key."""


@keys.command("list", epilog=examples("memctl keys list", "memctl keys list --json"))
@remote
@forms(jsonl=True)
def list_(form: Form) -> None:
    """List the keys; secrets are never shown."""

    async def action(client: MemdClient) -> None:
        reply = await client.accounts.list_keys()
        headings = ["", "label", "scopes", "created", "last used", "state", "id"]
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


allow_address = click.option(
    "--allow-address",
    "addresses",
    multiple=True,
    metavar="CIDR",
    help="Restrict the key to this network or address. Repeatable.",
)


@keys.command(
    epilog=examples(
        "memctl keys create --label laptop",
        "memctl keys create --scope read --days 30 --allow-address 10.0.0.0/8",
    )
)
@click.option("--label", help="What the key is for.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(KeyScope, case_sensitive=False),
    help="Repeatable.  [default: read, write]",
)
@click.option(
    "--days", type=click.IntRange(1), help="Expire the key after this many days.  [default: as the key in use]"
)
@allow_address
@remote
@forms()
def create(
    label: str | None, scopes: tuple[KeyScope, ...], days: int | None, addresses: tuple[str, ...], form: Form
) -> None:
    """Create a key and print it; it has at most the rights and the lifetime of the key in use."""
    fields = {"label": label, "scopes": scopes, "expires_at": _end_after(days), "allowed_addresses": _cidr(addresses)}
    request = CreateKeyRequest(**chosen(fields))

    async def action(client: MemdClient) -> None:
        key = await client.accounts.create_key(request)
        if form is Form.JSON:
            output.document(key)
        else:
            output.script(key.api_key)
            note(f"created {key.id} ({'+'.join(key.scopes)}); {_SHOWN_ONCE}")

    run(action)


def _end_after(days: int | None) -> int | None:
    return int(time.time() * 1000) + days * DAY_MS if days else None


def _cidr(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses in CIDR form; a usage error for what is not one."""
    try:
        return tuple(str(ip_network(address)) for address in addresses)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--allow-address") from error


@keys.command(
    epilog=examples("memctl keys update laptop --days 90", "memctl keys update laptop --any-address --no-expiry")
)
@click.argument("key", type=KEY_ID)
@click.option("--label", help="What the key is for.")
@click.option("--days", type=click.IntRange(1), help="Expire the key after this many days from now.")
@click.option("--no-expiry", is_flag=True, help="The key never expires.")
@allow_address
@click.option("--any-address", is_flag=True, help="Remove the address restriction.")
@remote
@forms()
def update(key: str, form: Form, **options: Any) -> None:
    """Change the label, expiry and allowed addresses of KEY; its scopes stay."""
    request = PatchKeyRequest(**_changes(**options))

    async def action(client: MemdClient) -> None:
        row = await _find(client, key)
        reply = await client.accounts.change_key(row.id, request)
        if form is Form.JSON:
            output.document(reply)
        else:
            note(f"{row.id} is changed: {_state(reply)}, {_address_limits(reply)}")

    run(action)


def _changes(
    *, label: str | None, days: int | None, no_expiry: bool, addresses: tuple[str, ...], any_address: bool
) -> dict[str, Any]:
    """The fields to change; None clears one."""
    if (days and no_expiry) or (addresses and any_address):
        raise click.UsageError("--days and --no-expiry exclude each other, as do --allow-address and --any-address")
    changes = chosen({"label": label, "expires_at": _end_after(days), "allowed_addresses": _cidr(addresses)})
    changes |= {"expires_at": None} if no_expiry else {}
    changes |= {"allowed_addresses": None} if any_address else {}
    if not changes:
        raise click.UsageError("give at least one option to change")
    return changes


def _address_limits(key: KeyRow) -> str:
    return f"from {', '.join(key.allowed_addresses)} only" if key.allowed_addresses else "from anywhere"


@keys.command(epilog=examples("memctl keys rotate laptop", "memctl keys rotate laptop --grace 3600"))
@click.argument("key", type=KEY_ID)
@click.option(
    "--grace", type=click.IntRange(0, 86_400), default=0, metavar="SECONDS", help="Grace period of the old secret."
)
@remote
@forms()
def rotate(key: str, grace: int, form: Form) -> None:
    """Give KEY a new secret and print it; without --grace the old one expires at once.

    When KEY is the one in use, its file or profile on this machine gets the new secret.
    """
    target = connection()

    async def action(client: MemdClient) -> None:
        row = await _find(client, key)
        reply = await client.accounts.rotate_key(row.id, grace)
        if row.current:
            _keep(target, reply.api_key)
        if form is Form.JSON:
            output.document(reply)
        else:
            output.script(reply.api_key)
            old = f"; the old one works until {moment(reply.previous_until)}" if reply.previous_until else ""
            note(f"{row.id} has a new secret{old}; {_SHOWN_ONCE}")

    run(action)


def _keep(target: Connection, key: str) -> None:
    """Store the new secret of the key in use where the old one came from, or say where to put it."""
    profile = target.key_source.removeprefix("profile ")
    try:
        if target.key_file is not None:
            replace_key(target.key_file, key)
        elif profile != target.key_source:
            set_profile(config_path(), profile, None, key)
        else:
            note(f"the key in use came from {target.key_source}: replace it there with the new one")
            return
    except (OSError, ConfigError) as error:
        note(f"the new key could not be stored ({error}): put it into {target.key_source}")
        return
    note(f"{target.key_source} has the new key")


@keys.command(epilog=examples("memctl keys revoke laptop", "memctl keys revoke laptop --descendants --yes"))
@click.argument("key", type=KEY_ID)
@click.option(
    "--descendants", is_flag=True, help="Also revoke every key that it created, directly or through other keys."
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask, even when KEY is the one in use.")
@remote
@forms()
def revoke(key: str, descendants: bool, yes: bool, form: Form) -> None:
    """Revoke KEY permanently."""

    async def action(client: MemdClient) -> None:
        row = await _find(client, key)
        if row.current and not yes:
            confirm("memctl uses this key here. Revoke it?")
        reply = await client.accounts.revoke_key(row.id, descendants=descendants)
        if form is Form.JSON:
            output.document(reply)
            return
        for each in [row.id] if reply.revoked is None else reply.revoked:
            note(f"{each} is revoked")

    run(action)


async def _find(client: MemdClient, name_or_id: str) -> KeyRow:
    """The key with this id, or the only live one with this label; of a device, the name that it asked with will do."""
    rows = (await client.accounts.list_keys()).keys
    live = [row for row in rows if row.active]
    found = (
        [row for row in rows if row.id == name_or_id]
        or [row for row in live if row.label == name_or_id]
        or [row for row in live if _DEVICE.sub("", row.label or "") == name_or_id]
    )
    if not found:
        kind = " live" if any(row.label == name_or_id for row in rows) else ""
        raise CommandError(f"no{kind} key {name_or_id}; see `memctl keys list`", ExitCode.NOT_FOUND)
    if len(found) > 1:
        raise CommandError(f"{len(found)} live keys have the label {name_or_id}; name one by its id", ExitCode.USAGE)
    return found[0]
