"""Sessions: list, show as Markdown, erase."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.erasure import confirm, erase_request, report, scope_options, wait_option, yes_option
from memctl.commands.parameter_types import CHANNEL, SESSION
from memctl.diagnostics import CommandError, ExitCode, note
from memctl.groups import Group
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.text import moment, one_line
from memctl.wire.messages import ListMessagesRequest, MessageList, MessageRow
from memctl.wire.sessions import ListSessionsRequest, SessionRow

PAGE = 200


@click.group(
    cls=Group,
    epilog=examples(
        "memctl sessions list",
        "memctl sessions show s-42 > s-42.md",
        "memctl sessions delete s-42 --channel slack --yes",
    ),
)
def sessions() -> None:
    """List, read and erase sessions; `memctl snapshot` keeps them."""


@sessions.command("list", epilog=examples("memctl sessions list", "memctl sessions list -c slack:ops -n 200 --jsonl"))
@click.option("--channel", "-c", type=CHANNEL, help="Exactly this channel; all of yours when absent.")
@click.option("--limit", "-n", type=click.IntRange(1), default=50, show_default=True, help="Maximum number of rows.")
@remote
@forms(jsonl=True)
def list_sessions(channel: str | None, limit: int, form: Form) -> None:
    """List the sessions that have messages, the last used first."""

    async def action(client: MemdClient) -> None:
        where = _where(channel)
        reply = await client.sessions.list(ListSessionsRequest(limit=min(limit, PAGE), **where))
        while not reply.is_done and len(reply.sessions) < limit:
            further = ListSessionsRequest(limit=PAGE, cursor=reply.continue_cursor, **where)
            page = await client.sessions.list(further)
            reply = page.model_copy(update={"sessions": [*reply.sessions, *page.sessions]})
        reply = reply.model_copy(update={"sessions": reply.sessions[:limit]})
        if form is Form.TEXT and not reply.sessions:
            note("no sessions")
        else:
            headings = ["last message", "first message", "messages", "channel", "session"]
            output.listing(form, reply, reply.sessions, headings, _cells, right={2})

    run(action)


def _cells(row: SessionRow) -> list[str]:
    times = [moment(row.last_timestamp), moment(row.first_timestamp)]
    return [*times, f"{row.message_count:,}", output.excerpt(row.channel or "", 40), row.session_key]


@sessions.command("show", epilog=examples("memctl sessions show s-42", "memctl sessions show s-42 --jsonl"))
@click.argument("session_key", metavar="KEY", type=SESSION)
@click.option("--channel", "-c", type=CHANNEL, help="Exactly this channel; all of yours when absent.")
@remote
@forms(jsonl=True)
def show_session(session_key: str, channel: str | None, form: Form) -> None:
    """Print the session KEY as Markdown, the oldest message first."""

    async def action(client: MemdClient) -> None:
        request = ListMessagesRequest(session_key=session_key, limit=PAGE, **_where(channel))
        rows = [row async for row in client.messages.history(request)][::-1]
        if not rows:
            text = f"no session {session_key!r}; `memctl sessions list` shows what there is"
            raise CommandError(text, ExitCode.NOT_FOUND)
        if form is Form.JSON:
            output.document(MessageList(messages=rows, continue_cursor="", is_done=True))
        elif form is Form.JSONL:
            for row in rows:
                output.line(row)
        else:
            output.say(f"# Session {one_line(session_key, 200)}")
            for row in rows:
                output.say(_markdown(row))

    run(action)


def _where(channel: str | None) -> dict[str, Any]:
    return {"channel": channel} if channel else {"all_channels": True}


def _markdown(row: MessageRow) -> str:
    return f"\n**{one_line(row.speaker or row.role, 100)}**, {moment(row.timestamp)}\n\n{row.content}"


@sessions.command(
    "delete", epilog=examples("memctl sessions delete s-42", "memctl sessions delete s-42 --channel slack --yes --wait")
)
@click.argument("session_key", metavar="KEY", type=SESSION)
@scope_options
@yes_option
@wait_option
@remote
@forms()
def delete_session(
    session_key: str, *, channel: str | None, agent_id: str | None, yes: bool, wait: bool, form: Form
) -> None:
    """Erase the session KEY: its messages, turns and snapshots, and what was derived from them."""

    async def action(client: MemdClient) -> None:
        confirm(f"Erase the session {session_key} and what was derived from it?", yes=yes)
        request = erase_request(channel, agent_id)
        await report(client, lambda: client.erasure.session(session_key, request), form, wait=wait)

    run(action)
