"""What one event of an agent may leave on the disk is bounded, however much the agent sends."""

import json
from pathlib import Path

import pytest

from memctl.hooks.events import Event, Payload, read_payload, words_of_user
from memctl.hooks.handling import Run, remember_prompt, store
from memctl.hooks.invocation import Invocation
from memctl.hooks.queue import Queue
from memctl.hooks.state import State, saved_prompt
from memctl.hooks.transcripts import SENT_BYTES, newest
from memctl.settings import Options
from memctl.wire.limits import MESSAGE_CONTENT_MAX

ADDED = "<hook_context>The mill is open.</hook_context>\n"


def run_of(folder: Path, event: Event, payload: Payload) -> Run:
    invocation = Invocation(event, "opencode", 400, folder, None, Options())
    return Run(invocation, payload, State(folder), Queue(folder / "queue"), {})


def test_of_a_long_prompt_as_much_is_kept_as_a_message_takes(tmp_path: Path) -> None:
    payload = Payload("prompt", "s1", "/project", prompt="x" * (3 * MESSAGE_CONTENT_MAX))
    run = run_of(tmp_path, Event.PROMPT, payload)
    remember_prompt(run)
    saved = saved_prompt(run.state, "opencode", payload)
    assert saved is not None
    assert saved.text == "x" * MESSAGE_CONTENT_MAX


def test_a_session_of_any_size_leaves_the_other_entries_in_the_queue(tmp_path: Path) -> None:
    said = [{"role": "user", "content": f"{number} {'x' * (3 * MESSAGE_CONTENT_MAX)}"} for number in range(250)]
    payload = read_payload(json.dumps({"session_id": "s1", "messages": said}))
    run = run_of(tmp_path, Event.COMPACTION, payload)
    run.queue.add({"kind": "turn", "body": {}})
    store(run)
    assert run.queue.drop_oldest() == 0
    turn, *others = run.queue.entries()
    assert turn.content["kind"] == "turn"
    assert [entry.content["messages"][-1][1][:3] for entry in others] == ["249", "249"]
    assert all(entry.path.stat().st_size <= 2 * SENT_BYTES for entry in others)
    assert len(newest(payload.messages)) == len(others[0].content["messages"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f" {ADDED}{ADDED} Hello.\n", "Hello."),
        (f"Hello.\n{ADDED}{ADDED}", "Hello."),
        (f"{ADDED}Hello {ADDED} again.", f"Hello {ADDED} again."),
        ("Hello.</hook_context>", "Hello.</hook_context>"),
        (f"{ADDED}{ADDED}", ""),
    ],
)
def test_what_hooks_added_is_left_out_at_both_ends(text: str, words: str) -> None:
    assert words_of_user(text) == words


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ["{}Hello.", "Hello.{}"])
def test_half_a_million_additions_are_left_out_one_by_one(text: str) -> None:
    assert words_of_user(text.format("<hook_context></hook_context>" * 500_000)) == "Hello."
