"""The command line as a whole: what help promises, and what it costs."""

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memctl import __version__
from memctl.main import SECTIONS, cli

READS = [
    "recall",
    "search",
    "recent",
    "show",
    "diff",
    "stats",
    "kb list",
    "kb show",
    "kb chunks",
    "kb query",
    "config list",
]


def commands(group: click.Group = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


ALL = dict(commands())


def test_help_imports_no_heavy_library() -> None:
    check = (
        "import sys; from memctl.main import cli\n"
        "try: cli(['--help'], prog_name='memctl')\n"
        "except SystemExit: pass\n"
        "print(sorted({'httpx', 'rich', 'textual', 'pydantic', 'tomlkit'} & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "recall" in done.stdout


def test_n_is_the_limit_in_every_command_and_every_limit_has_it() -> None:
    options = {
        (name, *option.opts)
        for name, command in ALL.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.hidden and {"-n", "--limit"} & {*option.opts}
    }
    assert {option[1:] for option in options} == {("--limit", "-n")}


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_command_has_help_with_examples_of_its_own(name: str) -> None:
    done = CliRunner().invoke(cli, [*name.split(), "--help"])
    assert done.exit_code == 0
    assert "Examples:" in done.output
    assert f"memctl {name}" in done.output


@pytest.mark.parametrize("name", READS)
def test_every_read_command_speaks_json(name: str) -> None:
    assert "--json" in {option for parameter in ALL[name].params for option in parameter.opts}


def test_summaries_of_the_group_agree_with_the_commands() -> None:
    done = CliRunner().invoke(cli, ["--help"])
    for name in cli.list_commands(click.Context(cli)):
        assert f"  {name} " in done.output


def test_every_command_is_in_one_section_of_the_help() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(
        cli.list_commands(click.Context(cli))
    )


def test_version_is_the_one_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert __version__ == project["version"]


def test_an_unknown_command_is_a_usage_error() -> None:
    assert CliRunner().invoke(cli, ["frobnicate"]).exit_code == 2


@pytest.mark.parametrize(("typed", "meant"), [(["recal", "q"], "recall"), (["kb", "crate"], "create")])
def test_a_mistyped_command_is_offered_in_its_right_form(typed: list[str], meant: str) -> None:
    done = CliRunner().invoke(cli, typed)
    assert (done.exit_code, f"Did you mean {meant}" in done.stderr) == (2, True)


def test_an_unknown_command_of_a_group_is_answered_with_those_that_there_are() -> None:
    done = CliRunner().invoke(cli, ["config", "profiles"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "No such command 'profiles'. Its commands: delete, list, set, use." in done.stderr


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        (["conflicts", "resolve", "conf_1", "yes"], "DECISION: 'yes' is not one of 'supersede'"),
        (["log", "bot", "hello"], "ROLE: 'bot' is not one of 'user'"),
        (["completion", "tcsh"], "SHELL: 'tcsh' is not one of 'bash'"),
    ],
)
def test_a_word_that_an_argument_does_not_take_is_reported_with_its_name(typed: list[str], named: str) -> None:
    done = CliRunner().invoke(cli, typed)
    assert done.exit_code == 2
    assert f"Error: Invalid value for {named}" in done.stderr


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["--json", "stats"], "--json comes after the command: memctl stats --json\n"),
        (["--jsonl", "kb", "list"], "--jsonl comes after the command: memctl kb list --jsonl\n"),
        (["kb", "--json", "list", "--all"], "--json comes after the command: memctl kb list --json\n"),
        (["--jsonl", "stats"], "No such option '--jsonl'"),
        (["--json"], "No such option '--json'"),
    ],
)
def test_an_option_before_its_command_is_told_where_it_goes(typed: list[str], meant: str) -> None:
    done = CliRunner().invoke(cli, typed, prog_name="memctl")
    assert (done.exit_code, meant in done.stderr) == (2, True)


@pytest.mark.parametrize("name", ["peer_scope_policy", "source_role"])
def test_creating_and_changing_a_knowledge_base_describe_a_setting_alike(name: str) -> None:
    texts = {
        option.help
        for command in ("kb create", "kb set")
        for option in ALL[command].params
        if isinstance(option, click.Option) and option.name == name
    }
    assert len(texts) == 1
