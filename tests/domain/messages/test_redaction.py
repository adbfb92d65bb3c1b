"""Erased texts leave snapshots and checkpoints, and what only looks like them stays (contract 17.6)."""

from memd.domain.messages.redaction import (
    REMOVED,
    QuotedMessage,
    checkpoint_summary,
    without_memories,
    without_messages,
    without_quotes,
)

LONG = "the mill is closed in May"


def test_whole_passages_go_and_quotes_are_replaced() -> None:
    passages = [
        {"role": "user", "content": LONG},
        {"role": "user", "content": f"You said {LONG}."},
        {"role": "user", "content": "ok"},
    ]
    kept = without_quotes(passages, LONG)
    assert [passage["content"] for passage in kept] == [f"You said {REMOVED}.", "ok"]


def test_a_short_text_is_no_quote() -> None:
    passages = [{"role": "user", "content": "ok"}, {"role": "user", "content": "look, ok"}]
    assert without_quotes(passages, "ok") == [passages[1]]


def test_a_passage_with_a_time_must_have_that_of_the_message() -> None:
    passages = [
        {"role": "user", "content": "yes", "timestamp": 1},
        {"role": "user", "content": "yes", "timestamp": 2},
        {"role": "user", "content": "yes"},
        {"role": "assistant", "content": "yes"},
    ]
    assert without_messages(passages, [QuotedMessage("user", "yes", 1)]) == [passages[1], passages[3]]


def test_entries_of_erased_memories_lose_their_texts() -> None:
    entries = [
        {"memoryId": "mem_a", "strength": 0.8, "title": "A", "content": "a", "store": "semantic", "tags": ["x"]},
        {"memoryId": "mem_b", "strength": 0.8, "title": "B", "content": "b", "store": "semantic", "tags": []},
    ]
    kept = without_memories(entries, ["mem_a"])
    assert kept == [{**entries[0], "title": REMOVED, "content": "", "tags": []}, entries[1]]
    assert checkpoint_summary(entries, ["mem_a"], "A; B") == "B"
    assert checkpoint_summary(entries, ["mem_a"], "My own words on b") == "My own words on b"
