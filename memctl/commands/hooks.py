"""`memctl hooks`: memory for coding agents without the model having to ask for it."""

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click

from memctl import output
from memctl.diagnostics import ExitCode, confirm, give_up, note
from memctl.groups import Group
from memctl.hooks import planning
from memctl.hooks.agents import AGENTS
from memctl.hooks.events import Event
from memctl.hooks.installation import content_of, records
from memctl.hooks.installation import install as write_hooks
from memctl.hooks.installation import uninstall as remove_hooks
from memctl.hooks.invocation import DEFAULT_BUDGETS, MAX_BUDGET, MIN_BUDGET, Invocation, command_line
from memctl.hooks.planning import Planned, UnusableFileError, files_of
from memctl.hooks.queue import Queue
from memctl.hooks.settings_files import Form
from memctl.hooks.state import State, default_state, write_private
from memctl.json_edit import UnknownSettingsError
from memctl.options import OneOf, examples, given_options, remote
from memctl.run import connection
from memctl.settings import Options, config_path, local_key_path, unusual_data_dir
from memctl.text import count

LAST_ERRORS = 5
_OPTION_NAMES = {"api_key": "api-key", "data_dir": "data-dir", "as_user": "as"}
AGENT = click.Choice([*AGENTS])
BUDGET = click.IntRange(MIN_BUDGET, MAX_BUDGET)


@click.group(cls=Group, epilog=examples("memctl hooks install claude-code", "memctl hooks status"))
def hooks() -> None:
    """Give coding agents memory: context in each prompt, each turn stored, no tool call needed."""


@hooks.command(
    epilog=examples(
        "memctl hooks install claude-code",
        "memctl hooks install codex --context-budget 400",
        "memctl hooks install cursor --project --dry-run",
    )
)
@click.argument("agent", cls=OneOf, type=AGENT)
@click.option(
    "--project", is_flag=True, help="Write to the settings of the project in this folder, which others may share."
)
@click.option(
    "--wake-budget",
    type=BUDGET,
    default=DEFAULT_BUDGETS[Event.SESSION_START],
    show_default=True,
    help="Maximum tokens of the briefing at the start of a session.",
)
@click.option(
    "--context-budget",
    type=BUDGET,
    default=DEFAULT_BUDGETS[Event.PROMPT],
    show_default=True,
    help="Maximum tokens of the context of a prompt.",
)
@click.option(
    "--channel", help="Channel for each project; {folder} is replaced by its path.  [default: AGENT:{folder}]"
)
@click.option("--dry-run", "--print", "only_print", is_flag=True, help="Print the change and write nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@remote
def install(
    agent: str,
    *,
    project: bool,
    wake_budget: int,
    context_budget: int,
    channel: str | None,
    only_print: bool,
    yes: bool,
) -> None:
    """Add hooks to the settings of AGENT; shows the change and asks for confirmation first."""
    program, state = AGENTS[agent], default_state()
    files = _files(agent, project=project)
    options = _checked_options(project=project)
    base = Invocation(Event.PROMPT, agent, context_budget, None if project else state.folder, channel, options)
    commands = {
        event: command_line(
            "memctl" if project else _program(),
            base._replace(event=event, budget=wake_budget if event is Event.SESSION_START else context_budget),
        )
        for event in Event
    }
    plans = _planned(planning.installation(state, path, form, commands) for path, form in files)
    if only_print:
        output.script(_difference(plans))
        return
    is_new = any(plan.is_needed for plan in plans)
    if is_new:
        _ask(plans, ask=not yes)
    _write_places(state)
    if not is_new:
        note(f"{plans[0].change.path} has these hooks already")
        return
    for plan in plans:
        _write(plan, lambda plan=plan: write_hooks(state, agent, plan.change, plan.original))
    output.say(f"{program.title} has hooks now; {program.afterwards}")


@hooks.command(epilog=examples("memctl hooks uninstall claude-code", "memctl hooks uninstall cursor --project"))
@click.argument("agent", cls=OneOf, type=AGENT)
@click.option("--project", is_flag=True, help="Remove them from the settings of the project in this folder.")
@click.option("--dry-run", "--print", "only_print", is_flag=True, help="Print the change and write nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def uninstall(agent: str, *, project: bool, only_print: bool, yes: bool) -> None:
    """Remove memd's hooks from the settings of AGENT; everything else in them stays."""
    files, state = _files(agent, project=project), default_state()
    plans = _planned(planning.removal(state, path, form) for path, form in reversed(files))
    if not any(plan.is_needed for plan in plans):
        note(f"{plans[-1].change.path} has no hooks of memd")
        return
    if only_print:
        output.script(_difference(plans))
        return
    _ask(plans, ask=not yes)
    for plan in plans:
        _write(plan, lambda plan=plan: remove_hooks(state, plan.change))
    output.say(f"{AGENTS[agent].title} has no hooks of memd any more")


def _files(agent: str, *, project: bool) -> list[tuple[Path, Form]]:
    files = [*files_of(AGENTS[agent], Path.home(), project=project)]
    if not files:
        raise click.UsageError(f"{AGENTS[agent].title} has no hooks of a project; leave out --project")
    return files


def _planned(plans: Iterable[Planned]) -> list[Planned]:
    try:
        return [*plans]
    except UnusableFileError as error:
        give_up(str(error), ExitCode.USAGE)


def _difference(plans: Iterable[Planned]) -> str:
    return "\n".join(plan.change.difference for plan in plans if plan.is_needed)


def _ask(plans: Sequence[Planned], *, ask: bool) -> None:
    note(_difference(plans))
    if ask:
        confirm(f"Write {', '.join(str(plan.change.path) for plan in plans if plan.is_needed)}?")


def _write(plan: Planned, action: Callable[[], None]) -> None:
    try:
        action()
    except OSError as error:
        give_up(f"{plan.change.path}: {error.strerror}", ExitCode.UNEXPECTED)


def _write_places(state: State) -> None:
    """Keep where memd and the config file of memctl are, for the hooks."""
    variables = {"MEMD_DATA_DIR": str(local_key_path().parent.absolute()), "MEMCTL_CONFIG": str(config_path())}
    try:
        write_private(state.folder / "environment.json", json.dumps(variables))
    except OSError as error:
        give_up(f"{state.folder}: {error.strerror}", ExitCode.UNEXPECTED)


@hooks.command(epilog=examples("memctl hooks status"))
def status() -> None:
    """Show where hooks are installed, what is waiting for delivery, and the last errors."""
    state = default_state()
    found = 0
    for name, path in _paths(state):
        try:
            commands = AGENTS[name].form_of(path).commands_in((content_of(path) or b"").decode())
        except (OSError, UnicodeDecodeError, UnknownSettingsError) as error:
            output.say(f"{AGENTS[name].title}: {path}: {error}")
            continue
        if commands:
            found += 1
            output.say(f"{AGENTS[name].title}: {path}: {', '.join(commands)}")
    if not found:
        output.say("no hooks are installed; see `memctl hooks install --help`")
    _show_queues([Queue(folder) for folder in _folders(state.queues)])
    lines = _log_lines(state)
    if lines:
        output.say(f"last event: {lines[-1]}")
    errors = [line for line in lines if " error " in line][-LAST_ERRORS:]
    output.say("\n".join(["last errors:", *(f"  {line}" for line in errors)]) if errors else "no errors")


def _show_queues(queues: Iterable[Queue]) -> None:
    """The waiting entries by server, and those that servers have refused."""
    waiting = {queue: len(queue.files()) for queue in queues}
    output.say(f"waiting for delivery: {count(sum(waiting.values()), 'entry', 'entries')}")
    for queue, number in waiting.items():
        if number:
            output.say(f"  {number} for {queue.connection}")
        if refused := [*queue.refused.entries()]:
            why = refused[-1].content.get("refused")
            output.say(
                f"  {count(len(refused), 'entry', 'entries')} refused by {queue.connection}, the last with {why}"
            )
            output.say("  `memctl hooks retry` sends them again")


@hooks.command(epilog=examples("memctl hooks retry"))
def retry() -> None:
    """Put what memd has refused back into the queue; it is sent after the next event of an agent."""
    number = sum(Queue(folder).retry() for folder in _folders(default_state().queues))
    output.say(f"{count(number, 'entry', 'entries')} will be sent again")


@hooks.command(
    context_settings={"ignore_unknown_options": True},
    add_help_option=True,
    epilog=examples("memctl hooks run prompt --client claude-code < event.json"),
)
@click.argument("event", cls=OneOf, type=click.Choice([event.value for event in Event]))
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def run(event: str, options: tuple[str, ...]) -> None:
    """Handle EVENT of an agent, described as JSON on standard input; agents call this.

    Always exits with 0, within half a second (MEMCTL_HOOKS_TIMEOUT_MS), and writes errors to its log.
    OPTIONS are those that `memctl hooks install` writes: --client, --state, --budget, --channel, --profile, --url,
    --data-dir, --as. Those of the connection may also be given before `hooks`.
    """
    from memctl.hooks.running import main

    given = given_options(click.get_current_context())._asdict()
    before = (f"--{_OPTION_NAMES.get(name, name)}={value}" for name, value in given.items() if value is not None)
    main([event, *before, *options])


def _program() -> str:
    """This memctl, since an agent may not have it on its path."""
    return shutil.which("memctl") or str(Path(sys.executable).with_name("memctl"))


def _checked_options(*, project: bool) -> Options:
    """The connection that the hooks will use; a key never gets into a settings file.

    The agent may not have the `MEMD_DATA_DIR` of this shell, so that its command names the folder; a project, which others
    share, gets only a folder that was asked for.
    """
    options = given_options(click.get_current_context())
    if options.api_key:
        raise click.UsageError(
            "a key does not belong in a hook: store it with `memctl config set NAME --url … --api-key …`, then use --profile NAME"
        )
    target = connection()
    if target.is_exposed:
        note(f"{target.url} is not encrypted: prompts, answers and the API key can be read on the way; use https")
    if target.key_source == "MEMCTL_API_KEY":
        note("the hooks need MEMCTL_API_KEY in the environment of the agent; a profile does without")
    if project or not target.is_of_data_directory:
        return options
    folder = str(Path(options.data_dir).absolute()) if options.data_dir else unusual_data_dir()
    return options._replace(data_dir=folder)


def _paths(state: State) -> Iterable[tuple[str, Path]]:
    """The files that hooks were written to, and those that may hold some."""
    known = [(record.client, record.path) for record in records(state) if record.client in AGENTS]
    usual = [
        (name, path)
        for name, agent in AGENTS.items()
        for project in (False, True)
        for path, _ in files_of(agent, Path.home(), project=project)
    ]
    return dict.fromkeys([*known, *usual])


def _folders(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _log_lines(state: State) -> list[str]:
    try:
        return state.log.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
