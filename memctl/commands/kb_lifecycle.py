"""The settings of a knowledge base; archiving, restoring and deleting it."""

from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.knowledge_base_names import KB, id_of
from memctl.commands.knowledge_base_settings import metadata_option, policy_option, role_option
from memctl.diagnostics import CommandError, ExitCode, confirm, meter
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import count
from memctl.wire.knowledge_bases import PatchKnowledgeBaseRequest

_CLEARED = ("description", "scope", "source_role", "metadata")


@click.command(
    "set",
    epilog=examples(
        'memctl kb set handbook --name "Handbook 2027" --description "What everyone should know"',
        "memctl kb set notes --agent writer --agent editor --scope peer-team:main --policy permissive",
        "memctl kb set notes --every-agent --no-scope",
    ),
)
@click.argument("base", metavar="KB", type=KB)
@click.option("--name", help="New name.")
@click.option("--description", help="What it is about.")
@click.option("--agent", "agent_ids", multiple=True, help="Agent that may see it; replaces the list. Repeatable.")
@click.option("--every-agent", is_flag=True, help="Let every agent see it.")
@click.option("--scope", help="Channel that it belongs to.")
@policy_option
@role_option
@click.option("--source-type", help="Free-form source.")
@metadata_option
@click.option("--no-description", is_flag=True, help="Clear the description.")
@click.option("--no-scope", is_flag=True, help="Clear the scope.")
@click.option("--no-source-role", "--no-role", is_flag=True, help="Clear the role.")
@click.option("--no-metadata", is_flag=True, help="Clear the metadata.")
@remote
@forms()
def set_(base: str, every_agent: bool, form: Form, **fields: Any) -> None:
    """Change the settings of a knowledge base; other settings stay unchanged."""
    cleared = {name: None for name in _CLEARED if fields.pop(f"no_{name}")}
    changes: dict[str, Any] = chosen(fields) | cleared | ({"agent_ids": []} if every_agent else {})
    if not changes:
        raise click.UsageError("name a setting to change")

    async def action(client: MemdClient) -> None:
        base_id = await id_of(client, base)
        row = await client.knowledge_bases.change(base_id, PatchKnowledgeBaseRequest(**changes))
        if form is Form.JSON:
            output.document(row)
        else:
            output.say(f"changed {row.name} ({row.id})")

    run(action)


@click.command(epilog=examples("memctl kb archive handbook"))
@click.argument("base", metavar="KB", type=KB)
@remote
@forms()
def archive(base: str, form: Form) -> None:
    """Archive a knowledge base and its chunks; they are not recalled until it is unarchived."""

    async def action(client: MemdClient) -> None:
        base_id = await id_of(client, base)
        chunks = 0
        with meter("archiving", None) as progress:
            async for page in client.knowledge_bases.archive(base_id):
                chunks += page.archived_memory_count
                progress.advance(page.archived_memory_count, f"{chunks:,} chunks")
        if form is Form.JSON:
            done = {"archivedMemoryCount": chunks, "archived": True, "isDone": True}
            output.document({"knowledgeBaseId": base_id, **done})
        else:
            output.say(f"archived with {count(chunks, 'chunk')}")

    run(action)


@click.command(epilog=examples("memctl kb unarchive handbook"))
@click.argument("base", metavar="KB", type=KB)
@remote
@forms()
def unarchive(base: str, form: Form) -> None:
    """Restore an archived knowledge base with the chunks that were archived with it."""

    async def action(client: MemdClient) -> None:
        base_id = await id_of(client, base)
        chunks = 0
        wire: dict[str, Any] = {}
        with meter("unarchiving", None) as progress:
            async for page in client.knowledge_bases.unarchive(base_id):
                chunks += page.restored_memory_count
                progress.advance(page.restored_memory_count, f"{chunks:,} chunks")
                wire = page.to_wire()
        if form is Form.JSON:
            output.document({**wire, "restoredMemoryCount": chunks})
        else:
            output.say(f"restored with {count(chunks, 'chunk')}")

    run(action)


@click.command(epilog=examples("memctl kb delete handbook", "memctl kb delete handbook --archive --yes --json"))
@click.argument("base", metavar="KB", type=KB)
@click.option("--archive", "archive_first", is_flag=True, help="Archive it first if it is active.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@remote
@forms()
def delete(base: str, archive_first: bool, yes: bool, form: Form) -> None:
    """Delete an archived knowledge base and all its chunks permanently."""

    async def action(client: MemdClient) -> None:
        base_id = await id_of(client, base)
        row = await client.knowledge_bases.show(base_id, 1)
        if not row.archived and not archive_first:
            raise CommandError(f"{row.name} is active; archive it first, or add --archive", ExitCode.USAGE)
        if not yes:
            confirm(f"Delete {row.name} ({row.id}) and all its chunks permanently?")
        if archive_first and not row.archived:
            async for _ in client.knowledge_bases.archive(base_id):
                pass
        chunks = 0
        with meter("deleting", None) as progress:
            async for page in client.knowledge_bases.delete(base_id):
                chunks += page.deleted_memories
                progress.advance(page.deleted_memories, f"{chunks:,} chunks")
        if form is Form.JSON:
            output.document({"knowledgeBaseId": base_id, "deletedMemories": chunks, "isDone": True})
        else:
            output.say(f"deleted {row.name} with {count(chunks, 'chunk')}")

    run(action)
