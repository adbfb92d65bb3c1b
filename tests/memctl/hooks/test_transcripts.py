"""The words of the user and of the agent, read from transcripts in the formats that the agents write."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memctl.hooks import copilot, transcripts
from memctl.hooks.events import Message
from memctl.hooks.transcripts import read_transcript

AT = "2026-11-22T21:54:57.577Z"
MS = 1_795_384_497_577


def lines(*records: Any) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


CLAUDE = lines(
    {"type": "queue-operation", "operation": "enqueue", "content": "My favourite tea is sencha"},
    {"type": "attachment", "attachment": {"type": "hook_success", "stdout": "added by a hook"}, "timestamp": AT},
    {"type": "user", "message": {"role": "user", "content": "My favourite tea is sencha"}, "timestamp": AT},
    {"type": "user", "isMeta": True, "message": {"role": "user", "content": "<command-name>/clear</command-name>"}},
    {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "a secret thought"},
                {"type": "text", "text": "Let me look."},
                {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}},
            ],
        },
        "timestamp": AT,
    },
    {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "a file list"}]}},
    {"type": "assistant", "isSidechain": True, "message": {"role": "assistant", "content": "of a subagent"}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]}},
    {"type": "last-prompt", "lastPrompt": "My favourite tea is sencha"},
)
CODEX = lines(
    {"type": "session_meta", "payload": {"base_instructions": {"text": "You are a coding agent"}}},
    {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment>"}]},
    },
    {
        "timestamp": AT,
        "type": "event_msg",
        "payload": {
            "type": "item_completed",
            "item": {"type": "UserMessage", "content": [{"type": "text", "text": "My favourite tea is sencha"}]},
        },
    },
    {
        "type": "event_msg",
        "payload": {
            "type": "item_completed",
            "item": {"type": "AgentMessage", "content": [{"type": "Text", "text": "Noted."}]},
        },
    },
    {"type": "event_msg", "payload": {"type": "task_complete", "last_agent_message": "Noted."}},
)
OLDER_CODEX = lines(
    {
        "timestamp": AT,
        "type": "event_msg",
        "payload": {"type": "user_message", "message": "My favourite tea is sencha"},
    },
    {"type": "event_msg", "payload": {"type": "agent_message", "message": "Noted."}},
)
GEMINI = json.dumps(
    {
        "sessionId": "s",
        "messages": [
            {"type": "user", "content": [{"text": "My favourite tea is sencha"}], "timestamp": AT},
            {"type": "info", "content": "update available"},
            {"type": "gemini", "content": "Noted.", "thoughts": [{"subject": "tea"}], "toolCalls": []},
        ],
    },
    indent=2,
)
CURSOR = lines(
    {"role": "user", "message": {"content": [{"type": "text", "text": "My favourite tea is sencha"}]}},
    {"role": "assistant", "message": {"content": [{"type": "text", "text": "Noted."}]}},
)
COPILOT = lines(
    {"type": "session.start", "data": {"sessionId": "s1"}},
    {"type": "hook.end", "data": {"hookType": "sessionStart", "output": {"additionalContext": "added by a hook"}}},
    {"type": "user.message", "data": {"content": "the text of a skill", "source": "skill-pdf"}},
    {
        "type": "user.message",
        "data": {
            "content": "My favourite tea is sencha",
            "transformedContent": "<system_reminder>added</system_reminder>",
        },
        "timestamp": AT,
    },
    {"type": "system.message", "data": {"role": "system", "content": "You are the CLI"}},
    {"type": "assistant.message", "data": {"content": "", "toolRequests": [{"name": "bash"}]}},
    {"type": "tool.execution_complete", "data": {"result": {"content": "a file list"}}},
    {"type": "assistant.message", "data": {"content": "of a subagent", "parentToolCallId": "call_1"}},
    {"type": "assistant.message", "agentId": "a1", "data": {"content": "of a subagent"}},
    {"type": "assistant.message", "data": {"content": "Noted.", "toolRequests": []}},
    {"type": "model.message", "data": {"message": {"role": "assistant", "content": "Noted."}}},
)
SAID = [Message("user", "My favourite tea is sencha", MS), Message("assistant", "Noted.")]


@pytest.mark.parametrize(
    ("written", "messages"),
    [
        (CLAUDE, [SAID[0], Message("assistant", "Let me look.", MS), SAID[1]]),
        (CODEX, SAID),
        (OLDER_CODEX, SAID),
        (GEMINI, SAID),
        (CURSOR, [SAID[0]._replace(timestamp=None), SAID[1]]),
        (COPILOT, SAID),
    ],
    ids=["claude-code", "codex", "older codex", "gemini-cli", "cursor", "copilot"],
)
def test_the_words_of_both_sides_are_read_and_nothing_else(
    tmp_path: Path, written: str, messages: list[Message]
) -> None:
    path = tmp_path / "transcript"
    path.write_text(written)
    assert read_transcript(path, path.stat().st_size) == messages


def test_what_was_written_after_the_event_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "transcript"
    path.write_text(CURSOR)
    size = path.stat().st_size
    path.write_text(CURSOR + lines({"role": "user", "message": {"content": "later"}}) + '{"role": "us')
    assert [message.content for message in read_transcript(path, size)] == [said.content for said in SAID]


def test_of_a_long_transcript_the_newest_messages_are_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "transcript"
    path.write_text(lines(*({"role": "user", "message": {"content": f"number {number}"}} for number in range(100))))
    monkeypatch.setattr(transcripts, "READ_BYTES", 600)
    last = [message.content for message in read_transcript(path, None)]
    assert last == [f"number {number}" for number in range(100 - len(last), 100)]
    assert 5 < len(last) < 20
    monkeypatch.setattr(transcripts, "SENT_BYTES", 130)
    assert [message.content for message in read_transcript(path, None)] == ["number 97", "number 98", "number 99"]


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero"), tmp_path / "none"):
        with pytest.raises(OSError, match=r"not a file|No such file"):
            read_transcript(path, None)


@pytest.mark.timeout(20)
def test_no_answer_is_waited_for_in_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copilot, "WRITTEN_S", 0.1)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a file"):
        copilot.last_answer(tmp_path / "pipe", AT)


@pytest.mark.parametrize("odd", [["user"], {"user": 1}, 7], ids=str)
def test_a_message_of_a_source_that_is_no_text_is_left_out(odd: Any, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    said = {"type": "user.message", "data": {"content": "Run the tests"}}
    path.write_text(lines(said, {"type": "user.message", "data": {"source": odd, "content": "And lint"}}))
    assert [message.content for message in read_transcript(path, None)] == ["Run the tests"]


def test_a_transcript_of_something_else_has_no_messages(tmp_path: Path) -> None:
    path = tmp_path / "transcript"
    for content in (b"", b"\xff\xfe\0", b"[1, 2]", b'"text"', b'{"messages": 3}', b"{}\n{}\nnull\n"):
        path.write_bytes(content)
        assert read_transcript(path, None) == []
