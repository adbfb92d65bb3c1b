"""Handles each event of an agent: fetches text for the model, or puts entries into the queue."""

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from memctl.hooks.delivery import CHECKPOINT, SNAPSHOT, TURN
from memctl.hooks.events import SCOPE_MAX, Event, Payload, digest, project_channel, session_key
from memctl.hooks.exchange import Answer, send
from memctl.hooks.invocation import Invocation
from memctl.hooks.queue import Queue
from memctl.hooks.repeats import KEEPS_CONTEXT, forget_shown, remember_shown, rows_of, shown_in, without_repeats
from memctl.hooks.short_prompts import is_only_an_answer
from memctl.hooks.state import Prompt, State, forget_prompts, save_prompt, saved_prompt, shown_file
from memctl.hooks.transcripts import newest
from memctl.settings import Connection
from memctl.wire.limits import MESSAGE_CONTENT_MAX, QUERY_USED

_PROJECT_VARIABLES: Final = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR")
"""Where agents name the folder of the project; `cwd` follows the agent into subfolders."""
_TAKES_NO_CONTEXT: Final = {("cursor", Event.PROMPT)}
"""Where an agent has no place for text from a hook."""
_FORGETS_BRIEFING: Final = {"copilot"}
"""Agents that do not keep the briefing with the conversation, so that a resumed session needs it again."""
_IN_TIME: Final = 0.8
"""The share of the remaining time after which an answer of memd may come too late for the agent."""
_MAY_NOT_COMPACT: Final = {("gemini-cli", "auto")}
"""Gemini CLI reports an automatic compaction before every call of the model, and most do not take place."""
_WORTH_A_BRIEFING: Final = (
    "lastSessionSummary",
    "recentMessages",
    "openGoals",
    "recentDecisions",
    "guardrails",
    "profiles",
)
"""A briefing without any of these says nothing."""
_ENDINGS: Final = {Event.COMPACTION: "before compaction", Event.SESSION_END: "at its end"}


class HookFailure(Exception):
    """The event could not be handled; the text says why, without any of its content."""


class Run(NamedTuple):
    """One event with all that its handling needs; `variables` are those of the process and the installation."""

    invocation: Invocation
    payload: Payload
    state: State
    queue: Queue
    variables: Mapping[str, str]

    @property
    def channel(self) -> str:
        """The channel of the project, `<client>:<folder>` unless another is configured."""
        named = (self.variables[name] for name in _PROJECT_VARIABLES if self.variables.get(name))
        folder = next(named, self.payload.folder)
        return project_channel(folder, self.invocation.client, self.invocation.channel)

    @property
    def shown(self) -> Path:
        """The file of the rows of context that the session has already."""
        return shown_file(self.state, self.invocation.client, self.payload)

    @property
    def session(self) -> str:
        """The session key."""
        return session_key(self.payload.session)


def recall(run: Run, target: Connection, timeout_s: float) -> str:
    """The text for the model at the start of a session or for a prompt; empty when nothing relevant is stored."""
    if (run.invocation.client, run.invocation.event) in _TAKES_NO_CONTEXT:
        return ""
    if run.invocation.event is Event.SESSION_START:
        return _briefing(run, target, timeout_s)
    return "" if is_only_an_answer(run.payload.prompt) else _context(run, target, timeout_s)


def _briefing(run: Run, target: Connection, timeout_s: float) -> str:
    """The briefing, for which no session is named: that would hide what was said in others."""
    if run.payload.source == "resume" and run.invocation.client not in _FORGETS_BRIEFING:
        return ""
    if run.payload.source != "resume":
        forget_shown(run.shown)
    answer = send(target, "/api/mcp/wake", {"channel": run.channel, "budget": run.invocation.budget}, timeout_s)
    briefing = _text(answer, "briefing")
    return briefing if any(answer.document.get(name) for name in _WORTH_A_BRIEFING) else ""


def _context(run: Run, target: Connection, timeout_s: float) -> str:
    """What memd knows about the prompt, without the rows that the session has already."""
    query = {
        "query": run.payload.prompt.strip()[:QUERY_USED],
        "tokenBudget": run.invocation.budget,
        "channel": run.channel,
        "exceptSessionKey": run.session,
    }
    begun = time.monotonic()
    answer = send(target, "/api/mcp/context", query, timeout_s)
    text = "" if answer.document.get("nothingRelevant") else _text(answer, "text")
    if run.invocation.client not in KEEPS_CONTEXT:
        return text
    shown = shown_in(run.shown)
    added = without_repeats(text, shown)
    if added and time.monotonic() - begun < timeout_s * _IN_TIME:
        remember_shown(run.shown, [*shown, *rows_of(added)])
    return added


def _text(answer: Answer, name: str) -> str:
    text = answer.document.get(name)
    if answer.status != 200 or not isinstance(text, str):
        raise HookFailure(answer.error if answer.status >= 400 else "the answer is not memd's")
    return text


def remember_prompt(run: Run) -> None:
    """Keep the prompt until the turn ends, since the end of a turn names its answer alone."""
    prompt_id = run.payload.prompt_id or f"{time.time_ns():x}-{os.getpid():x}"
    prompt = Prompt(prompt_id, run.payload.prompt[:MESSAGE_CONTENT_MAX], transcript=_transcript_path(run))
    save_prompt(run.state, run.invocation.client, run.payload, prompt)


def store(run: Run) -> None:
    """Put the content of the event into the queue."""
    if run.invocation.event is Event.TURN_END:
        _remember_transcript(run)
        _store_turn(run)
        return
    if (run.invocation.client, run.payload.trigger) not in _MAY_NOT_COMPACT:
        forget_shown(run.shown)
        _store_session(run)
    if run.invocation.event is Event.SESSION_END:
        forget_prompts(run.state, run.invocation.client, run.payload)


def _remember_transcript(run: Run) -> None:
    """Keep the path of the transcript until the session ends, since some agents do not name it there."""
    saved = saved_prompt(run.state, run.invocation.client, run.payload)
    if saved and run.payload.transcript not in {"", saved.transcript}:
        save_prompt(run.state, run.invocation.client, run.payload, saved._replace(transcript=run.payload.transcript))


def _store_turn(run: Run) -> None:
    """One turn for each answer to a prompt: the same event twice is the same turn, a further answer is another one."""
    payload, client = run.payload, run.invocation.client
    answer = payload.answer.strip()[:MESSAGE_CONTENT_MAX]
    if not answer:
        return
    saved = saved_prompt(run.state, client, payload)
    answer_id = digest(answer)
    prompt_id = payload.prompt_id or (saved.id if saved else digest(payload.prompt))
    body = {
        "sessionKey": run.session,
        "channel": run.channel,
        "turnId": f"{client}:{digest(payload.session)}:{prompt_id}:{answer_id}"[:SCOPE_MAX],
        "assistantMessage": answer,
        "platform": client,
        "timestamp": time.time_ns() // 1_000_000,
    }
    asked = payload.prompt or (saved.text if saved else "")
    if asked.strip() and (saved is None or saved.answer in {"", answer_id}) and not payload.is_continuation:
        body["userMessage"] = asked[:MESSAGE_CONTENT_MAX]
    run.queue.add({"kind": TURN, "body": body})
    if saved:
        save_prompt(run.state, client, payload, saved._replace(answer=answer_id))


def _store_session(run: Run) -> None:
    """A snapshot of the conversation so far, and a checkpoint of the memories."""
    payload, client = run.payload, run.invocation.client
    moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    name = f"{client} session {_ENDINGS[run.invocation.event]}, {moment} UTC"
    scope = {"sessionKey": run.session, "channel": run.channel}
    source: dict[str, Any] = {"messages": newest(payload.messages)} if payload.messages else _transcript(run)
    if source:
        run.queue.add({"kind": SNAPSHOT, "body": {**scope, "reason": name}, **source})
        run.queue.add({"kind": CHECKPOINT, "body": {**scope, "label": name, "tags": [client]}, **source})


def _transcript_path(run: Run) -> str:
    """The transcript that the event names, or else an earlier event of the session; empty when none does."""
    if run.payload.transcript:
        return run.payload.transcript
    saved = saved_prompt(run.state, run.invocation.client, run.payload)
    return saved.transcript if saved else ""


def _transcript(run: Run) -> dict[str, Any]:
    """Where the messages are, and the current size of the file; nothing without a file."""
    path = _transcript_path(run)
    try:
        if not path:
            return {}
        return {"transcript": path, "size": Path(path).stat().st_size}
    except OSError:
        return {}
