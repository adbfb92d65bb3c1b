"""Knowledge bases: create, show, chunks, query, empty; the other commands have files of their own."""

import json
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.hidden_bases import note_hidden
from memctl.commands.knowledge_base_names import KB, id_of
from memctl.commands.knowledge_base_settings import metadata_option, policy_option, role_option
from memctl.commands.parameter_types import CHANNEL
from memctl.commands.weak_rows import hits_to_show, note_hits, show_weak
from memctl.diagnostics import CommandError, ExitCode, confirm, meter, note
from memctl.importers.named_bases import with_name
from memctl.lazy import Lazy, LazyGroup
from memctl.options import AtMost, Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import count, moment, one_line
from memctl.wire.kb_query import QueryHit, QueryKnowledgeBaseRequest, QueryReply
from memctl.wire.knowledge_bases import (
    ChunkRow,
    CreateKnowledgeBaseRequest,
    KnowledgeBaseRow,
)

_HERE = "memctl.commands.knowledge_bases"
_LIFE = "memctl.commands.kb_lifecycle"
COMMANDS = {
    "list": Lazy("memctl.commands.kb_list:list_", "List the knowledge bases."),
    "create": Lazy(f"{_HERE}:create", "Make an empty knowledge base."),
    "show": Lazy(f"{_HERE}:show", "Show one knowledge base."),
    "import": Lazy("memctl.commands.kb_import:import_", "Fill a knowledge base from files, folders or chunks."),
    "chunks": Lazy(f"{_HERE}:chunks", "List every chunk."),
    "query": Lazy(f"{_HERE}:query", "Search in one knowledge base."),
    "set": Lazy(f"{_LIFE}:set_", "Change name, description, agents, scope and role."),
    "export": Lazy("memctl.commands.kb_export:export", "Write all chunks as JSON lines or Markdown."),
    "empty": Lazy(f"{_HERE}:empty", "Delete all chunks and keep the knowledge base."),
    "archive": Lazy(f"{_LIFE}:archive", "Put a knowledge base away."),
    "unarchive": Lazy(f"{_LIFE}:unarchive", "Take a knowledge base out of the archive."),
    "delete": Lazy(f"{_LIFE}:delete", "Delete an archived knowledge base permanently."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    epilog=examples(
        "memctl kb create handbook", "memctl kb import handbook ./docs", 'memctl kb query handbook "vacation"'
    ),
)
def kb() -> None:
    """Manage knowledge bases; KB is an id or a unique name."""


@click.command(
    epilog=examples(
        "memctl kb create handbook",
        'memctl kb create "Team notes" --agent writer --agent editor --scope peer-team:main --policy permissive',
    )
)
@click.argument("name")
@click.option("--description", help="What it is about.")
@click.option("--agent", "agent_ids", multiple=True, help="Agent that may see it; every agent when absent. Repeatable.")
@click.option("--scope", help="Channel that it belongs to.")
@policy_option
@role_option
@click.option("--source-type", help="Free-form source.")
@metadata_option
@click.option("--allow-duplicate", is_flag=True, help="Even when a knowledge base has this name.")
@remote
@forms()
def create(name: str, allow_duplicate: bool, form: Form, **fields: Any) -> None:
    """Create an empty knowledge base called NAME and print its id."""
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        if not allow_duplicate:
            await _refuse_duplicate(client, name)
        row = await client.knowledge_bases.create(CreateKnowledgeBaseRequest(name=name, **given))
        if form is Form.JSON:
            output.document(row)
        else:
            output.say(row.id)

    run(action)


async def _refuse_duplicate(client: MemdClient, name: str) -> None:
    """CommandError when an active knowledge base has the name, which would make it ambiguous."""
    active = [row.id for row in await with_name(client, name) if not row.archived]
    if active:
        text = f"a knowledge base named {name!r} already exists: {', '.join(active)}"
        raise CommandError(f"{text}; --allow-duplicate creates another one", ExitCode.USAGE)


@click.command(epilog=examples("memctl kb show handbook", "memctl kb show handbook --json | jq .chunkCount"))
@click.argument("base", metavar="KB", type=KB)
@click.option(
    "--chunks", "number", type=AtMost(200), default=10, show_default=True, help="First chunks to show, at most 200."
)
@remote
@forms()
def show(base: str, number: int, form: Form) -> None:
    """Show one knowledge base and its first chunks."""

    async def action(client: MemdClient) -> None:
        detail = await client.knowledge_bases.show(await id_of(client, base), number)
        if form is Form.JSON:
            output.document(detail)
            return
        output.record(_pairs(detail))
        if detail.memories:
            output.say()
        for chunk in detail.memories:
            _show_chunk(chunk)

    run(action)


def _pairs(row: KnowledgeBaseRow) -> list[tuple[str, object]]:
    return [
        ("name", row.name),
        ("id", row.id),
        ("description", row.description),
        ("chunks", f"{row.chunk_count:,} with {count(row.total_chars, 'character')}"),
        ("agents", ", ".join(row.agent_ids) or "every agent"),
        ("scope", row.scope),
        ("policy", row.peer_scope_policy),
        ("role", row.source_role),
        ("source type", row.source_type),
        ("metadata", json.dumps(row.metadata, ensure_ascii=False) if row.metadata else None),
        ("created", moment(row.created_at)),
        ("changed", moment(row.updated_at)),
        ("archived", "yes" if row.archived else None),
    ]


def _show_chunk(chunk: ChunkRow) -> None:
    if output.is_terminal():
        output.say(one_line(chunk.title, 60), column=4)
        output.say(f"    {chunk.id}  {one_line(chunk.dedupe_key or '', 80)}".rstrip())
    else:
        output.row(chunk.id, chunk.title, chunk.dedupe_key)


@click.command(epilog=examples("memctl kb chunks handbook", "memctl kb chunks handbook --jsonl > chunks.jsonl"))
@click.argument("base", metavar="KB", type=KB)
@click.option("--limit", "-n", type=click.IntRange(min=1), help="Stop after this many chunks.")
@remote
@forms(jsonl=True)
def chunks(base: str, limit: int | None, form: Form) -> None:
    """List every active chunk, oldest first."""
    write = {Form.TEXT: _show_chunk, Form.JSONL: output.line}.get(form)

    async def action(client: MemdClient) -> None:
        base_id = await id_of(client, base)
        kept: list[dict[str, Any]] = []
        number = 0
        async for chunk in client.knowledge_bases.chunks(base_id):
            if number == limit:
                break
            number += 1
            if write:
                write(chunk)
            else:
                kept.append(chunk.to_wire())
        if form is Form.JSON:
            done = limit is None or number < limit
            output.document({"knowledgeBaseId": base_id, "memories": kept, "isDone": done, "continueCursor": ""})

    run(action)


@click.command(
    epilog=examples(
        'memctl kb query handbook "how much vacation do I have"',
        'memctl kb query handbook "refunds" --limit 3 --threshold 0.4 --json',
    )
)
@click.argument("base", metavar="KB", type=KB)
@click.argument("query_text", metavar="QUERY")
@click.option("--limit", "-n", type=AtMost(50), default=10, show_default=True, help="Rows, at most 50.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Minimum relevance.")
@click.option("--agent", "agent_id", help="Ask as this agent.")
@click.option("--channel", "-c", type=CHANNEL, help="Ask from this channel.")
@show_weak
@remote
@forms(jsonl=True)
def query(base: str, query_text: str, show_weak: bool, form: Form, **fields: Any) -> None:
    """Search one knowledge base, best matches first.

    Weak hits are barely related to QUERY: they are dimmed, at most two are shown, and none if nothing else matches.
    """
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        base_id = await id_of(client, base)
        reply = await client.knowledge_bases.query(base_id, QueryKnowledgeBaseRequest(query=query_text, **given))
        if form is Form.JSON:
            output.document(reply)
            return
        if form is Form.TEXT:
            _show_hits(reply, show_weak=show_weak)
        else:
            for hit in reply.results:
                output.line(hit)
        await note_hidden(client, reply.retrieval.hidden)
        if reply.degradation:
            note(f"degraded: {reply.degradation.message}")

    run(action)


def _show_hits(reply: QueryReply, *, show_weak: bool) -> None:
    """The hits for a person."""
    weak = reply.weak_chunks()
    shown = hits_to_show(reply, weak=show_weak)
    for rank, hit in enumerate(shown, 1):
        _show_hit(rank, hit, weak=hit.chunk_id in weak)
    note_hits(reply, shown=len(shown))


def _show_hit(rank: int, hit: QueryHit, *, weak: bool) -> None:
    if not output.is_terminal():
        about = (hit.metadata.source_url, "weak" if weak else "", hit.metadata.title)
        output.row(f"{hit.relevance:.2f}", hit.chunk_id, *about, hit.content)
        return
    facts = ("weak" if weak else None, hit.metadata.source_url, hit.chunk_id)
    output.say(f"{rank:>2}  {hit.relevance:.2f}  {one_line(hit.metadata.title or '', 100)}", dim=weak, column=10)
    output.say(f"          {' · '.join(fact for fact in facts if fact)}", dim=weak)
    output.say(f"          {one_line(hit.content, 400)}", dim=weak)


@click.command(epilog=examples("memctl kb empty handbook", "memctl kb empty handbook --yes --json"))
@click.argument("base", metavar="KB", type=KB)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@remote
@forms()
def empty(base: str, yes: bool, form: Form) -> None:
    """Delete all chunks permanently; the knowledge base, its id and its agents stay."""

    async def action(client: MemdClient) -> ExitCode:
        base_id = await id_of(client, base)
        row = await client.knowledge_bases.show(base_id, 1)
        if not yes:
            confirm(f"Delete {count(row.chunk_count, 'chunk')} of {row.name} permanently?")
        deleted = active = 0
        with meter("emptying", row.chunk_count or None) as progress:
            async for page in client.knowledge_bases.empty(base_id):
                deleted += page.deleted_memories
                active += page.active_deleted_memories
                progress.advance(page.deleted_memories, "")
        if form is Form.JSON:
            counts = {"deletedMemories": deleted, "activeDeletedMemories": active}
            output.document({"knowledgeBaseId": base_id, "kept": True, "isDone": True, **counts})
        else:
            output.say(f"deleted {count(deleted, 'chunk')}")
        return ExitCode.OK

    run(action)
