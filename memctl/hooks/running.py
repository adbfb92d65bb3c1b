"""`memctl hooks run`: handles one event of an agent within a deadline and never fails in a way that the agent notices."""

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, Final, NoReturn

from memctl.hooks.events import Event, MalformedEventError, Payload, read_payload
from memctl.hooks.invocation import Invocation, MalformedInvocationError, read_invocation
from memctl.hooks.queue import Queue
from memctl.hooks.state import State, default_state, environment, note, queue_of
from memctl.settings import ConfigError, Connection, resolve

DEADLINE_S: Final = 0.5
"""How long an agent waits at most, unless MEMCTL_HOOKS_TIMEOUT_MS says otherwise."""
DELIVERY_S: Final = 120
"""How long a process in the background delivers at most."""


class DeadlineError(Exception):
    """Time is up."""


def main(arguments: Sequence[str]) -> NoReturn:
    """Handle an event, deliver in the background, and end the process with 0 whatever happened."""
    is_parent = True
    try:
        invocation = read_invocation(arguments)
        state = State(invocation.state) if invocation.state else default_state()
        run(invocation, state)
        if _queue(invocation, state).files():
            is_parent = os.fork() != 0
        if not is_parent:
            _deliver_in_background(invocation, state)
    except MalformedInvocationError as error:
        note(default_state(), "-", "run", f"error {error}")
    except Exception as error:  # noqa: BLE001 - an agent must never see a hook fail
        with suppress(Exception):
            note(default_state(), "-", "run", f"error {type(error).__name__}")
    finally:
        with suppress(Exception):
            if is_parent:
                sys.stdout.flush()
        os._exit(0)  # the interpreter's own way out costs more than some hooks


def run(invocation: Invocation, state: State) -> None:
    """Handle the event on standard input within the deadline; what goes wrong becomes a line of the log."""
    begun = time.monotonic()
    client, event = invocation.client, invocation.event
    try:
        with _Deadline(_deadline_s()):
            payload = read_payload(sys.stdin.read())
            said = _handle(invocation, payload, state)
        outcome = f"ok {(time.monotonic() - begun) * 1000:.0f} ms, {len(said)} characters"
    except DeadlineError:
        outcome = f"error gave up after {_deadline_s() * 1000:.0f} ms"
    except MalformedEventError as error:
        outcome = f"error {error}"
    except Exception as error:  # noqa: BLE001 - the log is the only place where an error may show
        outcome = f"error {_explained(error)}"
    note(state, client, event, outcome)


def _explained(error: Exception) -> str:
    from memctl.hooks.exchange import UnreachableError
    from memctl.hooks.handling import HookFailure

    if isinstance(error, (UnreachableError, HookFailure, ConfigError)):
        return str(error)
    return f"{type(error).__name__}: {error.strerror}" if isinstance(error, OSError) else type(error).__name__


def _handle(invocation: Invocation, payload: Payload, state: State) -> str:
    """Do what the event asks for; the text that was printed for the model."""
    variables = environment(state)
    target = resolve(invocation.options, variables)
    _load_no_encryption(target)
    from memctl.hooks.handling import Run, recall, remember_prompt, store

    this = Run(invocation, payload, state, _queue(invocation, state), variables)
    if invocation.event not in {Event.SESSION_START, Event.PROMPT}:
        store(this)
        return ""
    if invocation.event is Event.PROMPT:
        remember_prompt(this)
    text = recall(this, target, _deadline_s())
    if text:
        sys.stdout.write(json.dumps(_output(invocation.client, payload.name, text)))
        sys.stdout.flush()
    return text


def _output(client: str, name: str, text: str) -> dict[str, Any]:
    """The text in the form that the agent reads."""
    if client == "cursor":
        return {"additional_context": text}
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


def _load_no_encryption(target: Connection) -> None:
    """Keep the ssl module out of a process that will not need it: it is a tenth of the time of a hook."""
    if not target.url.startswith("https:"):
        sys.modules.setdefault("ssl", None)  # pyright: ignore[reportArgumentType] - None keeps a module out


def _deadline_s() -> float:
    text = os.environ.get("MEMCTL_HOOKS_TIMEOUT_MS", "")
    return int(text) / 1000 if text.isdecimal() and int(text) > 0 else DEADLINE_S


class _Deadline:
    """Raises `DeadlineError` in the block when time is up, also while it waits for input, a name or a disk."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    @staticmethod
    def _ring(_number: int, _frame: FrameType | None) -> None:
        raise DeadlineError


def _deliver_in_background(invocation: Invocation, state: State) -> None:
    """Deliver the queue apart from the agent: in its own session with its own streams."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    with _Deadline(DELIVERY_S):
        deliver_queue(invocation, state)


def deliver_queue(invocation: Invocation, state: State) -> None:
    """Deliver what waits for this connection; the log says what went wrong."""
    from memctl.hooks.delivery import deliver

    queue, client = _queue(invocation, state), invocation.client
    if dropped := queue.drop_oldest():
        note(state, client, "delivery", f"error the queue is full, dropped {dropped} of the oldest entries")
    target = resolve(invocation.options, environment(state))
    deliver(queue, target, lambda kind, text: note(state, client, f"delivery of {kind}", text))


def _queue(invocation: Invocation, state: State) -> Queue:
    return Queue(queue_of(state, invocation.options, environment(state)))
