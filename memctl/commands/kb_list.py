"""`memctl kb list`: the knowledge bases of a user."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.diagnostics import note
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import moment
from memctl.wire.knowledge_bases import KnowledgeBaseRow, ListKnowledgeBasesRequest


@click.command("list", epilog=examples("memctl kb list", "memctl kb list --all --json"))
@click.option("--all", "include_inactive", is_flag=True, help="Include archived ones.")
@click.option("--agent", "agent_id", help="Only what this agent may see.")
@click.option("--scope", help="Only what this scope may see.")
@remote
@forms(jsonl=True)
def list_(form: Form, **fields: Any) -> None:
    """List the knowledge bases, most recently changed first."""
    given = {name: value for name, value in chosen(fields).items() if value}

    async def action(client: MemdClient) -> None:
        reply = await client.knowledge_bases.list(ListKnowledgeBasesRequest(**given))
        if form is Form.TEXT and not reply.knowledge_bases:
            note("no knowledge bases; create one with `memctl kb create NAME`")
        else:
            columns = _columns(reply.knowledge_bases)
            cells = partial(_cells, columns)
            output.listing(form, reply, reply.knowledge_bases, columns, cells, right={columns.index("chunks")})

    run(action)


def _columns(rows: Sequence[KnowledgeBaseRow]) -> list[str]:
    """The columns of the list; a terminal, which is narrow, gets scope and agents only where a row limits them."""
    unused: set[str] = set()
    if output.is_terminal():
        unused |= set() if any(row.scope for row in rows) else {"scope"}
        unused |= set() if any(row.agent_ids for row in rows) else {"agents"}
    return [name for name in ("name", "chunks", "changed", "scope", "agents", "id") if name not in unused]


def _cells(columns: Sequence[str], row: KnowledgeBaseRow) -> list[str]:
    values = {
        "name": f"{row.name} (archived)" if row.archived else row.name,
        "chunks": f"{row.chunk_count:,}",
        "changed": moment(row.updated_at),
        "scope": row.scope or "",
        "agents": ", ".join(row.agent_ids) or "every agent",
        "id": row.id,
    }
    return [values[name] for name in columns]
