"""The audit log, for administrators: who did what to users, keys and stored data."""

import json
from typing import Any, cast

import click

from memctl import output
from memctl.client import MemdClient
from memctl.diagnostics import note
from memctl.options import WHEN, Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import moment
from memctl.wire.audit import AuditedAction, AuditRequest
from memctl.wire.enums import Order

PAGE_MAX = 200
TIMES = ("At", "Until")
"""How the names of epoch milliseconds end."""


@click.command(
    "audit-log",
    epilog=examples(
        "memctl audit-log",
        "memctl audit-log --action key. --since 2026-11-01",
        "memctl audit-log --actor key_01m7yw9thmezt8dazqksafd50e --all --jsonl > actions.jsonl",
    ),
)
@click.option("--actor", help="Actions of this user (usr_…) or key (key_…).")
@click.option("--action", help="This action, or all that begin with it if it ends with a dot: `key.`, `user.`.")
@click.option("--since", type=WHEN, help="Date (UTC), time, `yesterday`, `7d`, `12h` or epoch number; inclusive.")
@click.option("--until", type=WHEN, help="Date (UTC), time, `yesterday`, `7d`, `12h` or epoch number; inclusive.")
@click.option("--oldest-first", is_flag=True, help="Oldest entries first.")
@click.option(
    "--limit", "-n", type=click.IntRange(1, PAGE_MAX), default=50, show_default=True, help="Number of entries."
)
@click.option("--all", "everything", is_flag=True, help="Every entry instead of the first ones.")
@remote
@forms(jsonl=True)
def audit_log(form: Form, *, everything: bool, oldest_first: bool, limit: int, **fields: Any) -> None:
    """Show who did what: administration, keys, sign-ins, exports, deletions, refusals.

    It requires a key with the scope admin. `memd audit verify` on the server checks that no entry was changed or removed.
    """
    order = Order.CHRONOLOGICAL if oldest_first else Order.NEWEST
    request = AuditRequest(order=order, limit=PAGE_MAX if everything else limit, **chosen(fields))

    async def action(client: MemdClient) -> None:
        if everything:
            rows = [entry async for entry in client.audit.entries(request)]
        else:
            rows = (await client.audit.page(request)).entries
        whole = {"entries": [row.to_wire() for row in rows]}
        if form is Form.TEXT and not rows:
            note("no entries")
            return
        output.listing(form, whole, rows, ["time", "action", "outcome", "who", "from", "target", "change"], _cells)

    run(action)


def _cells(row: AuditedAction) -> list[str]:
    who = row.actor.key_id or row.actor.user_id or "memd"
    return [moment(row.at), row.action, row.outcome, who, row.actor.address or "", row.target or "", _change(row)]


def _change(row: AuditedAction) -> str:
    """`tier free → pro, count 3`."""
    before, after = row.before or {}, row.after or {}
    names = dict.fromkeys([*before, *after])
    return ", ".join(f"{name} {_values(name, before, after)}" for name in names)


def _values(name: str, *sides: dict[str, Any]) -> str:
    return " → ".join(_value(side[name], is_time=name.endswith(TIMES)) for side in sides if name in side)


def _value(value: Any, *, is_time: bool = False) -> str:
    """A value for people: dates, lists with commas, words for what is not there and for yes and no."""
    if is_time and isinstance(value, int):
        return moment(value)
    if isinstance(value, list):
        return "+".join(map(_value, cast("list[Any]", value))) or "none"
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    words: dict[Any, str] = {None: "none", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value)
