"""The command line of `memctl hooks run`, read without click, which would take longer to load than all the rest."""

import getopt
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from memctl.hooks.events import Event
from memctl.settings import Options

DEFAULT_BUDGETS: Final = {Event.SESSION_START: 800, Event.PROMPT: 800}
"""Maximum tokens of what a hook adds to a prompt."""
MIN_BUDGET: Final = 50
MAX_BUDGET: Final = 2_000
"""Claude Code and Codex cut what a hook adds at 10,000 characters, which is a little more."""
_NAMES: Final = ("client=", "state=", "budget=", "channel=", "profile=", "url=", "api-key=", "data-dir=", "as=")


class MalformedInvocationError(ValueError):
    """The command line cannot be understood; the text says why."""


class Invocation(NamedTuple):
    """The arguments of a hook; `state` is the folder of queue and log, None for the default."""

    event: Event
    client: str
    budget: int
    state: Path | None = None
    channel: str | None = None
    options: Options = Options()


def read_invocation(arguments: Sequence[str]) -> Invocation:
    """The event and its options; `MalformedInvocationError` for anything else."""
    try:
        pairs, words = getopt.gnu_getopt(list(arguments), "", _NAMES)
    except getopt.GetoptError as error:
        raise MalformedInvocationError(str(error)) from None
    given = {name.removeprefix("--"): value for name, value in pairs}
    if len(words) != 1 or words[0] not in {*Event}:
        raise MalformedInvocationError(f"name one event: {', '.join(Event)}")
    event = Event(words[0])
    return Invocation(
        event,
        given.get("client", "agent"),
        _budget(given.get("budget", "")) or DEFAULT_BUDGETS.get(event, MIN_BUDGET),
        Path(given["state"]) if "state" in given else None,
        given.get("channel"),
        Options(given.get("url"), given.get("api-key"), given.get("profile"), given.get("data-dir"), given.get("as")),
    )


def _budget(text: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or not MIN_BUDGET <= int(text) <= MAX_BUDGET:
        raise MalformedInvocationError(f"--budget must be between {MIN_BUDGET} and {MAX_BUDGET}")
    return int(text)


def command_line(program: str, invocation: Invocation) -> str:
    """The command that an agent runs for an event."""
    options = invocation.options
    given = {
        "--client": invocation.client,
        "--state": str(invocation.state) if invocation.state else None,
        "--budget": str(invocation.budget) if invocation.event in DEFAULT_BUDGETS else None,
        "--channel": invocation.channel,
        "--profile": options.profile,
        "--url": options.url,
        "--data-dir": options.data_dir,
        "--as": options.as_user,
    }
    words = [part for name, value in given.items() if value is not None for part in (name, value)]
    return shlex.join([program, "hooks", "run", invocation.event, *words])
