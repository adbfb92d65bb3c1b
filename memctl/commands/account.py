"""The end users of an application: list, erase."""

import click

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import NotFound
from memctl.commands.erasure import confirm, report, wait_option, yes_option
from memctl.diagnostics import CommandError, ExitCode
from memctl.groups import Group
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.text import moment, one_line
from memctl.wire.end_users import EndUserRow


@click.group(cls=Group, epilog=examples("memctl account users list", "memctl account users erase customer-4711 --yes"))
def account() -> None:
    """Manage the end users of your application; requires a key with the scope act_as, or an administrator's."""


@account.group(
    "users", cls=Group, epilog=examples("memctl account users list", "memctl --as customer-4711 recall shoes")
)
def users() -> None:
    """End users, by the names that your application has for them; --as USER acts for one, and creates it if it is new."""


@users.command("list", epilog=examples("memctl account users list", "memctl account users list --jsonl"))
@remote
@forms(jsonl=True)
def list_(form: Form) -> None:
    """List every end user."""

    async def action(client: MemdClient) -> None:
        rows = [row async for row in client.end_users.list()]
        whole = {"users": [row.to_wire() for row in rows]}
        headings = ["user", "tier", "policy", "memories", "messages", "created", "state", "id"]
        output.listing(form, whole, rows, headings, _cells, right={3, 4})

    run(action)


def _cells(row: EndUserRow) -> list[str]:
    counts = [f"{row.memory_count:,}", f"{row.message_count:,}"]
    state = "active" if row.active else "inactive"
    return [row.external_id, row.tier, row.policy or "", *counts, moment(row.created_at), state, row.id]


@users.command(
    epilog=examples("memctl account users erase customer-4711", "memctl account users erase ann --yes --wait --json")
)
@click.argument("user")
@yes_option
@wait_option
@remote
@forms()
def erase(user: str, yes: bool, wait: bool, form: Form) -> None:
    """Erase the end user USER and everything that belongs to USER."""

    async def action(client: MemdClient) -> None:
        confirm(f"Erase {user} with all memories, messages and knowledge bases?", yes=yes)
        try:
            await report(client, lambda: client.end_users.erase(user), form, wait=wait)
        except NotFound:
            text = f"no end user {one_line(user, 80)}; see `memctl account users list`"
            raise CommandError(text, ExitCode.NOT_FOUND) from None

    run(action)
