"""Snapshots of sessions and checkpoints of memories as rows, and one of them in full."""

from rich.text import Text

from memctl.text import age, count, moment, printable
from memctl.wire.sessions import Checkpoint, CheckpointRow
from memctl.wire.snapshots import Snapshot, SnapshotRow

from .cells import TableRow, cell, number


def snapshot_row(snapshot: SnapshotRow, now: int) -> TableRow:
    """Age, session, channel, messages, tokens, reason."""
    return TableRow(
        snapshot.id,
        (
            cell(age(snapshot.created_at, now), "dim"),
            cell(snapshot.session_key, "bold"),
            cell(snapshot.channel, "dim"),
            number(snapshot.message_count),
            number(snapshot.total_tokens),
            cell(snapshot.reason, "dim"),
        ),
    )


def checkpoint_row(checkpoint: CheckpointRow, now: int) -> TableRow:
    """Age, label, channel, memories, tags."""
    return TableRow(
        checkpoint.id,
        (
            cell(age(checkpoint.created_at, now), "dim"),
            cell(checkpoint.label, "bold"),
            cell(checkpoint.channel, "dim"),
            number(checkpoint.memory_count),
            cell(" ".join(f"#{tag}" for tag in checkpoint.tags), "dim"),
        ),
    )


def snapshot_text(snapshot: Snapshot) -> Text:
    """The messages of a snapshot, in order."""
    messages = count(snapshot.message_count, "message")
    head = Text.assemble(
        (printable(snapshot.session_key), "bold"),
        (f"\n{messages} · {snapshot.total_tokens:,} tokens · {moment(snapshot.created_at)}\n{snapshot.id}", "dim"),
    )
    said = [
        Text.assemble(
            (message.role, "bar"),
            (f"  {moment(message.timestamp)}" if message.timestamp is not None else "", "dim"),
            "\n",
            printable(message.content),
        )
        for message in snapshot.messages
    ]
    return Text("\n\n").join([head, *said])


def checkpoint_text(checkpoint: Checkpoint) -> Text:
    """The memories of a checkpoint as they were."""
    memories = count(checkpoint.memory_count, "memory", "memories")
    head = Text.assemble(
        (printable(checkpoint.label), "bold"),
        (f"\n{memories} · {moment(checkpoint.created_at)}\n{checkpoint.id}", "dim"),
        (f"\n{printable(checkpoint.description)}" if checkpoint.description else ""),
        (f"\n\nto restore it: memctl checkpoint restore {checkpoint.id}", "dim"),
    )
    kept = [
        Text.assemble(
            (printable(memory.title), "bold"),
            ("  ", ""),
            (memory.store, f"store.{memory.store}"),
            "\n",
            printable(memory.content),
        )
        for memory in checkpoint.memories
    ]
    return Text("\n\n").join([head, *kept])
