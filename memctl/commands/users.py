"""Users, for administrators: list, create, set, delete."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.erasure import confirm, report, wait_option, yes_option
from memctl.diagnostics import CommandError, ExitCode, note
from memctl.groups import Group
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import moment
from memctl.wire.accounts import CreateUserRequest, PatchUserRequest, UserRow
from memctl.wire.enums import Policy, Tier

NONE = "none"
ONE_POLICY = f"One of {', '.join(Policy)}"


@click.group(cls=Group, epilog=examples("memctl users list", "memctl users create ann --tier pro"))
def users() -> None:
    """Manage users; requires a key with the scope admin. USER is an id or a unique name."""


@users.command("list", epilog=examples("memctl users list", "memctl users list --jsonl | jq .name"))
@remote
@forms(jsonl=True)
def list_(form: Form) -> None:
    """List every user."""

    async def action(client: MemdClient) -> None:
        rows = [row async for row in client.accounts.users()]
        whole = {"users": [row.to_wire() for row in rows]}
        headings = ["name", "tier", "policy", "memories", "created", "state", "id"]
        output.listing(form, whole, rows, headings, _cells, right={3})

    run(action)


def _cells(row: UserRow) -> list[str]:
    state = ("admin" if row.admin else "active") if row.active else "inactive"
    return [row.name or "", row.tier, row.policy or "", f"{row.memory_count:,}", moment(row.created_at), state, row.id]


@users.command(epilog=examples("memctl users create ann", "memctl users create bob --tier pro --admin"))
@click.argument("name")
@click.option("--tier", type=click.Choice(Tier, case_sensitive=False), help="Free when absent.")
@click.option(
    "--policy",
    type=click.Choice(Policy, case_sensitive=False),
    metavar="POLICY",
    help=f"Overrides the tier. {ONE_POLICY}.",
)
@click.option("--admin", is_flag=True, help="Let the user manage users.")
@remote
@forms()
def create(form: Form, **fields: Any) -> None:
    """Create a user and print the first key."""
    request = CreateUserRequest(**chosen(fields))

    async def action(client: MemdClient) -> None:
        user = await client.accounts.create_user(request)
        if form is Form.JSON:
            output.document(user)
        else:
            output.script(user.api_key)
            note(f"created {user.name} ({user.id}); the key is shown only once")

    run(action)


@users.command("set", epilog=examples("memctl users set ann --tier ultra", "memctl users set bob --inactive"))
@click.argument("user")
@click.option("--name", help="A new name.")
@click.option("--tier", type=click.Choice(Tier, case_sensitive=False), help="A new tier.")
@click.option(
    "--policy",
    type=click.Choice([*map(str, Policy), NONE]),
    metavar="POLICY",
    help=f"Overrides the tier; `none` removes the override. {ONE_POLICY}.",
)
@click.option("--admin/--no-admin", default=None, help="Grant or revoke the right to manage users.")
@click.option("--active/--inactive", default=None, help="The keys of an inactive user do not work.")
@remote
@forms()
def set_(user: str, form: Form, **fields: Any) -> None:
    """Change the given settings of USER."""
    changes = chosen(fields)
    if not changes:
        raise click.UsageError("nothing to change: give one of --name, --tier, --policy, --admin, --active")
    if changes.get("policy") == NONE:
        changes["policy"] = None
    request = PatchUserRequest(**changes)

    async def action(client: MemdClient) -> None:
        row = await client.accounts.change_user(await _id_of(client, user), request)
        if form is Form.JSON:
            output.document(row)
        else:
            note(f"changed {row.name or row.id}")

    run(action)


@users.command(epilog=examples("memctl users delete bob", "memctl users delete usr_… --yes --wait --json"))
@click.argument("user")
@yes_option
@wait_option
@remote
@forms()
def delete(user: str, yes: bool, wait: bool, form: Form) -> None:
    """Erase USER and everything that belongs to USER; the keys stop working at once."""

    async def action(client: MemdClient) -> None:
        user_id = await _id_of(client, user)
        confirm(f"Erase {user} with all memories, messages, knowledge bases and keys?", yes=yes)
        await report(client, lambda: client.erasure.user(user_id), form, wait=wait)

    run(action)


async def _id_of(client: MemdClient, name_or_id: str) -> str:
    """The id itself, or that of the only user with this name."""
    if name_or_id.startswith("usr_"):
        return name_or_id
    found = [row.id async for row in client.accounts.users() if row.name == name_or_id]
    if not found:
        raise CommandError(f"no user {name_or_id}; see `memctl users list`", ExitCode.NOT_FOUND)
    if len(found) > 1:
        raise CommandError(f"{len(found)} users are called {name_or_id}; name one by its id", ExitCode.USAGE)
    return found[0]
