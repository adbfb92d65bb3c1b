"""A reply with long texts is encoded piece by piece: the same JSON, without its memory, and with others in between."""

import asyncio
import json
import tracemalloc

from starlette.responses import Response

from memctl.wire.enums import MessageRole, Order
from memctl.wire.messages import MessageRow, RecentMessagesReply, TurnGroup
from memctl.wire.snapshots import Snapshot, SnapshotShown, StoredSnapshotMessage
from memctl.wire.time_window import Window
from memd.access.http.replies import PIECE, LargeReply, model_reply

CHARACTERS = 100_000
SIGNS = ["a", '"', "\x01", "é", "中", "\U0001f600", "\u2028", "/", "\x7f"]


def recent(rows: int, characters: int = CHARACTERS) -> RecentMessagesReply:
    """Long messages of every kind of sign, each in a turn too, with metadata of every JSON type."""
    metadata = {"n": 1, "f": 0.1, "e": 1e-9, "big": 1e300, "t": True, "x": None, "l": ["é", []], "o": {}}
    messages = [
        MessageRow(
            id=f"msg_{number}",
            role=MessageRole.USER,
            content=SIGNS[number % len(SIGNS)] * characters,
            timestamp=number,
            speaker="Zoë" if number % 2 else None,
            metadata=metadata if number % 3 else None,
        )
        for number in range(rows)
    ]
    turns = [TurnGroup(started_at=row.timestamp, ended_at=row.timestamp, messages=[row]) for row in messages]
    return RecentMessagesReply(messages=messages, turns=turns, order=Order.NEWEST, window=Window())


async def body(response: Response) -> bytes:
    assert isinstance(response, LargeReply)
    return b"".join([bytes(piece) async for piece in response.body_iterator if not isinstance(piece, str)])


async def test_the_json_is_that_of_the_model() -> None:
    reply = recent(len(SIGNS))
    sent = json.loads(await body(model_reply(reply, 200)))
    assert sent == json.loads(reply.model_dump_json(by_alias=True))
    assert [row["content"][0] for row in sent["messages"]] == SIGNS


async def test_the_messages_of_a_snapshot_count_as_well() -> None:
    rows = [StoredSnapshotMessage(role=MessageRole.USER, content="x" * CHARACTERS)] * 4
    snapshot = Snapshot(
        id="snap_1", session_key="s", message_count=4, total_tokens=1, reason="manual", created_at=1, messages=rows
    )
    sent = json.loads(await body(model_reply(SnapshotShown(snapshot=snapshot), 200)))
    assert [len(row["content"]) for row in sent["snapshot"]["messages"]] == [CHARACTERS] * 4


def test_a_short_reply_is_sent_as_a_whole() -> None:
    reply = recent(9, characters=100)
    response = model_reply(reply, 201)
    assert (response.status_code, int(response.headers["Content-Length"])) == (201, len(response.body))
    assert response.body == reply.model_dump_json(by_alias=True).encode()


async def test_other_tasks_run_between_the_pieces() -> None:
    response = model_reply(recent(20), 200)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    running = asyncio.create_task(others())
    size = len(await body(response))
    running.cancel()
    assert turns > size // (12 * PIECE)


async def test_the_json_never_exists_as_a_whole() -> None:
    response = model_reply(recent(60), 200)
    assert isinstance(response, LargeReply)
    size = 0
    tracemalloc.start()
    try:
        async for piece in response.body_iterator:
            size += len(piece)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size > 60 * CHARACTERS * 4
    assert peak < size // 4
