"""Y puts the id of what the cursor is on on the clipboard, in every tab whose rows have one; y puts the text there."""

import pytest

from memctl.wire.imports import ChunkMetadata, ImportChunk, ImportRequest
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.messages import LogRequest
from memctl.wire.sessions import CheckpointRequest
from memctl.wire.snapshots import SnapshotMessage, SnapshotRequest
from tests.support.service import TestUser
from tests.support.terminal import OpenTerminal


async def one_of_each(user: TestUser) -> dict[str, str]:
    """A memory, a message, a knowledge base, a snapshot and a checkpoint; their ids."""
    client = user.client
    base = (await client.knowledge_bases.create(CreateKnowledgeBaseRequest(name="handbook"))).id
    chunk = ImportChunk(content="Ask before deploying.", metadata=ChunkMetadata(title="Deploys"))
    sent = await client.knowledge_bases.import_chunks(base, ImportRequest(chunks=[chunk]))
    messages = [SnapshotMessage(role="user", content="May I deploy?")]
    logged = await client.messages.log(LogRequest(content="the deploy failed"))
    assert logged.id is not None
    return {
        "memory": (await client.memories.capture(CaptureRequest(title="Freeze", content="No deploys on Fridays"))).id,
        "message": logged.id,
        "base": base,
        "chunk": sent.memory_ids[0],
        "snapshot": (await client.sessions.snapshot(SnapshotRequest(messages=messages, session_key="standup"))).id,
        "checkpoint": (await client.sessions.create_checkpoint(CheckpointRequest(label="before"))).id,
        "key": (await client.accounts.list_keys()).keys[0].id,
    }


@pytest.mark.parametrize(
    ("tab", "keys", "what"),
    [
        ("memories", (), "memory"),
        ("memories", ("enter",), "memory"),
        ("memories", ("enter", "l", "l", "l"), "memory"),
        ("messages", (), "message"),
        ("knowledge_bases", (), "base"),
        ("knowledge_bases", ("enter",), "chunk"),
        ("snapshots", (), "snapshot"),
        ("snapshots", ("w",), "checkpoint"),
        ("accounts", (), "key"),
    ],
)
async def test_the_id_is_copied(
    user: TestUser, terminal: OpenTerminal, tab: str, keys: tuple[str, ...], what: str
) -> None:
    ids = await one_of_each(user)
    async with terminal(tab, *keys, "Y") as tui:
        await tui.shows("id copied")
        assert tui.app.clipboard == ids[what]


async def test_the_memory_under_the_cursor_of_a_recall_is_copied(user: TestUser, terminal: OpenTerminal) -> None:
    ids = await one_of_each(user)
    async with terminal("recall") as tui:
        await tui.type("deploys on Fridays")
        await tui.press("enter", "Y")
        assert tui.app.clipboard == ids["memory"]


async def test_the_text_of_a_chunk_is_copied(user: TestUser, terminal: OpenTerminal) -> None:
    await one_of_each(user)
    async with terminal("knowledge_bases", "enter", "y") as tui:
        assert tui.app.clipboard == "Ask before deploying."
        await tui.press("slash")
        await tui.type("deploying")
        await tui.press("enter", "y")
        await tui.shows("1 hits")
        assert tui.app.clipboard == "Ask before deploying."


async def test_the_id_is_in_the_heading_of_a_memory(user: TestUser, terminal: OpenTerminal) -> None:
    ids = await one_of_each(user)
    async with terminal("memories", "enter", size=(80, 24)) as tui:
        await tui.shows(ids["memory"])
