"""docs/memctl.md names every command with its options and examples, and every exit code; `MEMD_PIN=1` writes it anew."""

import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memctl.diagnostics import ExitCode
from memctl.main import cli

PAGE = Path(__file__).parents[2] / "docs" / "memctl.md"
BEGIN = "<!-- reference: pinned by tests/memctl/test_docs.py -->\n"
SHARED = {"--url", "--api-key", "--profile", "--as", "--text", "--json", "--jsonl", "--help"}
"""Options that the page explains once."""


def leaves(group: click.Group = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def usage(name: str, command: click.Command) -> str:
    """`memctl recall QUERY [options]`."""
    arguments = [
        parameter.make_metavar(click.Context(command))
        for parameter in command.params
        if isinstance(parameter, click.Argument)
    ]
    return " ".join(["memctl", name, *arguments])


def options(command: click.Command) -> Iterator[str]:
    """A line for each option of the command's own."""
    context = click.Context(command)
    for parameter in command.params:
        record = None if SHARED & set(parameter.opts) else parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record:  # there is none of what is hidden
            names, text = record
            choices = re.sub(r"\[([^]]*\|[^]]*)\]", lambda found: found[1].replace("|", r" \| "), names)
            yield f"| `{choices}` | {text.replace('|', chr(92) + '|')} |" if text else f"| `{choices}` | |"


def forms(command: click.Command) -> str:
    spoken = {option for parameter in command.params for option in parameter.opts} & {"--json", "--jsonl"}
    return f"Supports {' and '.join(f'`{option}`' for option in sorted(spoken))}.\n\n" if spoken else ""


def section(name: str, command: click.Command) -> str:
    """The section of the page about one command."""
    about = inspect.cleandoc(command.help or "").replace("\b\n", "")
    lines = "\n".join(line.removeprefix("  ") for line in (command.epilog or "").splitlines()[2:])
    table = "\n".join(options(command))
    own = f"| Option | |\n|---|---|\n{table}\n\n" if table else ""
    return f"### `{usage(name, command)}`\n\n{about}\n\n{own}{forms(command)}```sh\n{lines}\n```\n"


def reference() -> str:
    return "\n".join(section(name, command) for name, command in leaves())


def test_the_reference_is_that_of_the_commands() -> None:
    text, _, there = PAGE.read_text().partition(BEGIN)
    if os.environ.get("MEMD_PIN"):
        there = "\n" + reference()
        PAGE.write_text(text + BEGIN + there)
    assert there == "\n" + reference()


@pytest.mark.parametrize("code", ExitCode)
def test_every_exit_code_is_explained(code: ExitCode) -> None:
    assert re.search(rf"^\| {code.value} \| \w", PAGE.read_text(), re.MULTILINE)


def test_what_is_shared_is_explained_once() -> None:
    text = PAGE.read_text().partition(BEGIN)[0]
    assert all(f"`{option}" in text for option in SHARED - {"--help", "--text"})
    assert all(f"`{name}`" in text for name in ("MEMCTL_URL", "MEMCTL_API_KEY", "MEMCTL_CONFIG", "MEMCTL_STATE_DIR"))


@pytest.mark.parametrize(
    "line", sorted(set(re.findall(r"^\$? ?memctl ([a-z][a-z0-9 ]*)", PAGE.read_text(), re.MULTILINE)))
)
def test_every_command_that_is_shown_exists(line: str) -> None:
    words = line.split()
    group: click.Command | None = cli
    while words and isinstance(group, click.Group):
        group = group.get_command(click.Context(group), words.pop(0))
    assert group is not None
    assert CliRunner().invoke(group, ["--help"]).exit_code == 0
