"""Changing memories: edit in place, or supersede by a new one."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
from pydantic import ValidationError

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.commands.metadata import json_or_text
from memctl.commands.parameter_types import CATEGORY, CHANNEL, MEMORY_ID, ONE_CATEGORY
from memctl.commands.periods import PERIOD_FIELDS, tell_new_period, tell_period
from memctl.diagnostics import CommandError, ExitCode, exit_code_of, explain, note
from memctl.drafts import Draft
from memctl.findings import first_finding
from memctl.importers.front_matter import BrokenFrontMatter, body_of, compose, split
from memctl.options import REMOVED, WHEN, WHEN_OR_NONE, Form, chosen, content_of, examples, forms, remote
from memctl.run import each_of, run
from memctl.text import one_line
from memctl.wire.enums import Store
from memctl.wire.limits import TITLE_MAX
from memctl.wire.memories import MemoryDetail, SupersedeRequest
from memctl.wire.updates import UpdateReply, UpdateRequest

EDITABLE = ("title", "store", "category", "tags", "channel", "actionTriggers", "strength", "confidence", "metadata")


@click.command(
    epilog=examples(
        "memctl edit mem_01jc3v7q2m8x5t9zc4r6w0y1ab",
        'memctl edit mem_… --title "New title" --tag ops --tag frozen',
        "memctl edit mem_… --content - < better.txt",
        "memctl list --tag draft -q --all | xargs -r memctl edit --add-tag final --remove-tag draft",
    )
)
@click.argument("memory_ids", metavar="ID...", nargs=-1, required=True, type=MEMORY_ID)
@click.option("--title", help="New title.")
@click.option("--content", help="New text; `-` reads standard input.")
@click.option("--store", type=click.Choice(Store, case_sensitive=False), help="New store.")
@click.option("--category", type=CATEGORY, metavar="CATEGORY", help=f"New category. {ONE_CATEGORY}.")
@click.option("--tag", "tags", multiple=True, help="Replaces all tags; repeatable.")
@click.option("--add-tag", "added", multiple=True, help="Add this tag; repeatable.")
@click.option("--remove-tag", "removed", multiple=True, help="Remove this tag; repeatable.")
@click.option("--no-tags", is_flag=True, help="Remove all tags.")
@click.option("--channel", "-c", type=CHANNEL, help="Move the memory to this channel.")
@click.option("--trigger", "action_triggers", multiple=True, help="Replaces all triggers; repeatable.")
@click.option("--metadata", callback=json_or_text, help="A JSON object, or any text.")
@click.option("--strength", type=float, help="0 to 1.")
@click.option("--confidence", type=float, help="0 to 1.")
@click.option(
    "--valid-from",
    type=WHEN_OR_NONE,
    help="When it begins to be true: a date (UTC), a time, `tomorrow`; `none` removes it.",
)
@click.option(
    "--valid-until",
    type=WHEN_OR_NONE,
    help="When it ends: a date (UTC), a time, `next week`, `+7d`; `none` removes it.",
)
@click.option("--reason", help="Reason, shown by `memctl history`.")
@remote
@forms(jsonl=True)
def edit(memory_ids: tuple[str, ...], *, reason: str | None, form: Form, **fields: Any) -> None:
    """Change memories or chunks in place; without options, open one in your editor."""
    changes = _changes(**fields)
    if changes.is_empty:
        _check_editor(memory_ids)

    async def action(client: MemdClient) -> ExitCode:
        async def change(memory_id: str) -> None:
            reply = await _change(client, memory_id, changes, reason)
            if reply is None:
                note("nothing changed")
            elif form is Form.TEXT:
                output.say(f"edited {reply.memory_id}" + (", re-embedded" if reply.embedding_updated else ""))
                _report(reply, names_period=not changes.given.keys().isdisjoint(PERIOD_FIELDS))
            else:
                (output.line if form is Form.JSONL else output.document)(reply)

        return await each_of(memory_ids, change)

    run(action)


def _report(reply: UpdateReply, *, names_period: bool) -> None:
    """Say when a memory is true if its text or its period was changed."""
    if names_period and reply.valid_from is None and reply.valid_until is None:
        note("valid at all times")
    elif names_period or reply.embedding_updated:
        tell_period(reply.valid_from, reply.valid_until)


@dataclass(frozen=True, slots=True)
class _Changes:
    """The changes that the options name: fields of UpdateRequest, and tags to add and to remove."""

    given: dict[str, Any]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the editor has to be asked."""
        return not (self.given or self.tags)

    @property
    def tags(self) -> dict[str, Any]:
        """The fields of UpdateRequest that change the tags."""
        given = {"add_tags": list(self.added), "remove_tags": list(self.removed)}
        return {name: tags for name, tags in given.items() if tags}


def _changes(
    content: str | None, *, added: tuple[str, ...], removed: tuple[str, ...], no_tags: bool, **fields: Any
) -> _Changes:
    given: dict[str, Any] = chosen(fields) | ({} if content is None else {"content": content_of(content)})
    given |= {"tags": []} if no_tags else {}
    given |= dict.fromkeys(name for name in PERIOD_FIELDS if given.get(name) == REMOVED)
    if "tags" in given and (added or removed):
        raise click.UsageError(
            "--add-tag and --remove-tag change the tags of a memory; --tag and --no-tags replace them"
        )
    return _Changes(given, added, removed)


def _check_editor(memory_ids: Sequence[str]) -> None:
    if len(memory_ids) > 1:
        raise click.UsageError("name the fields to change; the editor takes one memory at a time")
    if not (sys.stdin.isatty() or os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise click.UsageError("name the fields to change, or set EDITOR")


async def _change(client: MemdClient, memory_id: str, edits: _Changes, reason: str | None) -> UpdateReply | None:
    """The reply to the change of one memory; None where nothing changes."""
    if edits.is_empty:
        return await _change_by_hand(client, memory_id, reason)
    changes = await _titled(client, memory_id, edits.given)
    request = UpdateRequest(memory_id=memory_id, reason=reason, **changes, **edits.tags)
    if not changes and await _is_tagged(client, request):
        return None
    return await client.memories.update(request)


async def _change_by_hand(client: MemdClient, memory_id: str, reason: str | None) -> UpdateReply | None:
    draft = Draft.of(memory_id)
    changes = _written(await client.memories.show(memory_id), draft)
    if not changes:
        return None
    try:
        reply = await client.memories.update(UpdateRequest(memory_id=memory_id, reason=reason, **changes))
    except ClientError as error:
        raise CommandError(f"{explain(error)}; {_kept(draft)}", exit_code_of(error)) from error
    draft.remove()
    return reply


async def _is_tagged(client: MemdClient, request: UpdateRequest) -> bool:
    """Whether the memory has the tags that the request wants."""
    tags = (await client.memories.show(request.memory_id)).tags
    return request.tags_after(tags) == tags


async def _titled(client: MemdClient, memory_id: str, given: dict[str, Any]) -> dict[str, Any]:
    """The given changes; a title that repeats the content follows new content, cut to 500."""
    if "content" not in given or "title" in given:
        return given
    memory = await client.memories.show(memory_id)
    return given | ({"title": one_line(given["content"], TITLE_MAX)} if memory.title == memory.content else {})


def _kept(draft: Draft) -> str:
    return f"your text is in {draft.path}, and the same command continues with it"


def _written(memory: MemoryDetail, draft: Draft) -> dict[str, Any]:
    """The changes made in the editor, as fields of UpdateRequest.

    The draft stays until memd has stored it. CommandError when the editor fails or its text cannot be read.
    """
    wire = memory.to_wire()
    before = {name: wire[name] for name in EDITABLE if wire[name] is not None}
    stored = compose(before, memory.content)
    after = _edited(stored, draft)
    if after == stored:
        draft.remove()
        return {}
    try:
        fields, rest = split(after)
        content = body_of(rest)
        changed = {name: fields[name] for name in EDITABLE if name in fields and fields[name] != before.get(name)}
        changed |= {"content": content} if content != memory.content else {}
        found = _request_fields(changed, memory.id)
    except BrokenFrontMatter as error:
        raise CommandError(f"the edited text cannot be used: {error}; {_kept(draft)}", ExitCode.USAGE) from error
    except ValidationError as error:
        finding = first_finding(error)
        raise CommandError(f"the edited text cannot be used: {finding}; {_kept(draft)}", ExitCode.USAGE) from error
    if not found:
        draft.remove()
    return found


def _edited(stored: str, draft: Draft) -> str:
    """The text after the editor has closed; it opens with the draft of an earlier attempt if there is one."""
    if draft.read() is None:
        draft.write(stored)
    else:
        note(f"continuing with the draft in {draft.path}")
    try:
        click.edit(filename=str(draft.path))
    except click.ClickException as error:
        text = f"{error.message}; set EDITOR, or name the fields to change"
        if draft.read() == stored:
            draft.remove()
        else:
            text = f"{text}; {_kept(draft)}"
        raise CommandError(text, ExitCode.USAGE) from error
    return draft.read() or stored


def _request_fields(changed: dict[str, Any], memory_id: str) -> dict[str, Any]:
    """Wire names as the attributes of UpdateRequest, checked."""
    if not changed:
        return {}
    request = UpdateRequest.from_body({"memoryId": memory_id, **changed})
    return {name: getattr(request, name) for name in request.model_fields_set - {"memory_id"}}


@click.command(
    epilog=examples(
        'memctl supersede mem_01jc3v7q2m8x5t9zc4r6w0y1ab "Deploys are frozen on Thursdays" --reason "moved"',
        'memctl supersede mem_… "Runbook, second edition" - < runbook.md',
    )
)
@click.argument("memory_id", metavar="ID", type=MEMORY_ID)
@click.argument("title")
@click.argument("content", required=False)
@click.option("--reason", help="Reason, shown by `memctl history`.")
@click.option("--store", type=click.Choice(Store, case_sensitive=False), help="Inherited when absent.")
@click.option("--category", type=CATEGORY, metavar="CATEGORY", help=f"{ONE_CATEGORY}; inherited when absent.")
@click.option("--tag", "tags", multiple=True, help="Inherited when absent; repeatable.")
@click.option("--channel", "-c", type=CHANNEL, help="Inherited when absent.")
@click.option("--trigger", "action_triggers", multiple=True, help="Inherited when absent; repeatable.")
@click.option("--metadata", callback=json_or_text, help="Inherited when absent; a JSON object, or any text.")
@click.option("--strength", type=float, help="Inherited when absent.")
@click.option("--confidence", type=float, help="Inherited when absent.")
@click.option(
    "--valid-from",
    type=WHEN,
    help="When the new one begins to be true, and the old one ends: a date (UTC), a time, `tomorrow`; now when absent.",
)
@click.option(
    "--valid-until",
    type=WHEN,
    help="When it ends: a date (UTC), a time, `next week`, `+7d`; read from the text when absent.",
)
@remote
@forms()
def supersede(memory_id: str, title: str, content: str | None, form: Form, **fields: Any) -> None:
    """Replace a memory by a new one with TITLE and CONTENT; the old one is archived and points to it."""
    text = title if content is None else content_of(content)
    given = chosen(fields)

    async def action(client: MemdClient) -> None:
        request = SupersedeRequest(old_memory_id=memory_id, title=title, content=text, **given)
        reply = await client.memories.supersede(request)
        if form is Form.JSON:
            output.document(reply)
        else:
            output.say(reply.new_memory_id)
            tell_new_period(reply, is_read=given.keys().isdisjoint(PERIOD_FIELDS))

    run(action)
