"""Standing questions: queries whose answers are kept fresh."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import Conflict, NotFound
from memctl.commands.parameter_types import CHANNEL
from memctl.diagnostics import CommandError, ExitCode, note
from memctl.groups import Group
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import moment, one_line, printable
from memctl.wire.prompt_context import TOKEN_BUDGET_MAX, TOKEN_BUDGET_MIN
from memctl.wire.standing import CreateStandingRequest, StandingAnswer, StandingChange, StandingRow


@click.group(
    cls=Group,
    epilog=examples(
        'memctl standing add risks "open risks of the launch" --every 1h',
        "memctl standing list",
        "memctl standing show risks",
    ),
)
def standing() -> None:
    """Keep the answers of queries fresh, and see what changed in them."""


@standing.command(
    epilog=examples(
        'memctl standing add risks "open risks of the launch" --every 1h',
        'memctl standing add morning "what is due today?" --at 07:30 --webhook https://example.com/hook',
    )
)
@click.argument("name")
@click.argument("query")
@click.option("--every", help="How often, such as 15m, 1h or 2d (5 minutes to 7 days); 1h when absent.")
@click.option("--at", help="Once a day at this time, HH:MM in UTC.")
@click.option(
    "--budget",
    "token_budget",
    type=click.IntRange(TOKEN_BUDGET_MIN, TOKEN_BUDGET_MAX),
    help="Maximum tokens of the answer; 1,000 when absent.",
)
@click.option("--webhook", "webhook_url", help="Where changes are delivered.")
@click.option(
    "--channel", "-c", type=CHANNEL, help="Only what is visible from this channel; everything of yours when absent."
)
@click.option("--agent", "agent_id", help="Ask as this agent.")
@remote
@forms()
def add(name: str, query: str, every: str | None, at: str | None, form: Form, **fields: Any) -> None:
    """Ask QUERY on a schedule under NAME; the first answer is computed at once."""
    if every and at:
        raise click.UsageError("--every and --at exclude each other.")
    given = chosen(fields)
    if not given.keys() & {"channel", "agent_id"}:
        given["all_channels"] = True
    schedule = at or f"every {every or '1h'}"
    request = CreateStandingRequest(name=name, query=query, schedule=schedule, **given)

    async def action(client: MemdClient) -> None:
        try:
            made = await client.standing.create(request)
        except Conflict as error:
            raise CommandError(f"{error}; see `memctl standing list`", ExitCode.UNEXPECTED) from None
        if form is Form.JSON:
            output.document(made)
            return
        _show(made)
        if made.webhook_secret:
            output.say(f"webhook secret, shown only now: {made.webhook_secret}")

    run(action)


@standing.command("list", epilog=examples("memctl standing list", "memctl standing list --jsonl"))
@remote
@forms(jsonl=True)
def list_(form: Form) -> None:
    """List the standing questions."""

    async def action(client: MemdClient) -> None:
        reply = await client.standing.list()
        if form is Form.JSON:
            output.document(reply)
            return
        for row in reply.standing:
            if form is Form.JSONL:
                output.line(row)
                continue
            _show_row(row)
        if not reply.standing:
            note("no standing questions")

    run(action)


def _show_row(row: StandingRow) -> None:
    if not output.is_terminal():
        changed = moment(row.change.at) if row.change else ""
        next_at, dead, webhook = moment(row.next_at), f"{row.dead_deliveries}", row.webhook_url or ""
        output.row(row.name, row.schedule, next_at, changed, dead, row.query, webhook)
        return
    webhook = f", to {one_line(row.webhook_url, 60)}" if row.webhook_url else ""
    dead = f", {row.dead_deliveries} dead deliveries" if row.dead_deliveries else ""
    output.say(f"{row.name}  {one_line(row.query, 80)}", column=4)
    output.say(f"    {one_line(row.schedule, 40)}, next {moment(row.next_at)}, {_changed(row.change)}{webhook}{dead}")


@standing.command(epilog=examples("memctl standing show risks", "memctl standing show risks --json | jq .change"))
@click.argument("name")
@remote
@forms()
def show(name: str, form: Form) -> None:
    """Print the answer of NAME as last computed, and what changed in it."""

    async def action(client: MemdClient) -> None:
        with _known(name):
            answer = await client.standing.show(name)
        _print(answer, form)

    run(action)


@standing.command("run", epilog=examples("memctl standing run risks"))
@click.argument("name")
@remote
@forms()
def run_(name: str, form: Form) -> None:
    """Compute the answer of NAME now and print it."""

    async def action(client: MemdClient) -> None:
        with _known(name):
            answer = await client.standing.run(name)
        _print(answer, form)

    run(action)


@standing.command(epilog=examples("memctl standing remove risks"))
@click.argument("name")
@remote
@forms()
def remove(name: str, form: Form) -> None:
    """Remove NAME with its answer and deliveries."""

    async def action(client: MemdClient) -> None:
        with _known(name):
            reply = await client.standing.remove(name)
        if form is Form.JSON:
            output.document(reply)
        else:
            output.say(f"removed {reply.name}")

    run(action)


@contextmanager
def _known(name: str) -> Generator[None]:
    try:
        yield
    except NotFound:
        raise CommandError(
            f"no standing question {one_line(name, 80)}; see `memctl standing list`", ExitCode.NOT_FOUND
        ) from None


def _print(answer: StandingAnswer, form: Form) -> None:
    if form is Form.JSON:
        output.document(answer)
    else:
        _show(answer)


def _show(answer: StandingAnswer) -> None:
    output.say(printable(answer.text))
    if answer.change:
        for sign, ids in (("+", answer.change.added), ("-", answer.change.removed), ("~", answer.change.changed)):
            for one in ids:
                output.say(f"{sign} {one}")
    note(f"computed {_computed(answer)}, next {moment(answer.next_at)}, {_changed(answer.change)}")
    for delivery in answer.deliveries:
        error = f": {one_line(delivery.error, 80)}" if delivery.error else ""
        note(f"{delivery.id} {delivery.state}, {delivery.attempts} attempts{error}")


def _computed(row: StandingRow) -> str:
    return "never" if row.computed_at is None else moment(row.computed_at)


def _changed(change: StandingChange | None) -> str:
    if change is None:
        return "no answer yet"
    counts = f"+{len(change.added)} -{len(change.removed)} ~{len(change.changed)}"
    return f"last change {moment(change.at)} ({counts})"
