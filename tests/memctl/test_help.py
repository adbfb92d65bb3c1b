"""The help of every command at a terminal of 80 columns: nothing is cut off, and nothing is wider but examples."""

import click
import pytest
from click.testing import CliRunner

from memctl.main import cli
from tests.memctl.test_docs import leaves

COLUMNS = 80


def groups(group: click.Group = cli, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    context = click.Context(group)
    found = [path]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            found += groups(command, (*path, name))
    return found


def help_of(*path: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of the help, without the examples, which can be pasted as they are."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    shown = CliRunner().invoke(cli, [*path, "--help"], catch_exceptions=False).stdout
    return shown.partition("\n  Examples:\n")[0].splitlines()


@pytest.mark.parametrize("path", groups(), ids=" ".join)
def test_a_group_says_in_full_what_its_commands_do(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = help_of(*path, monkeypatch=monkeypatch)
    assert not [line for line in lines if line.endswith("...") and not line.startswith("Usage:")]


@pytest.mark.parametrize("path", [*groups(), *(tuple(name.split()) for name, _ in leaves())], ids=" ".join)
def test_the_help_fits_80_columns(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert not [line for line in help_of(*path, monkeypatch=monkeypatch) if len(line) > COLUMNS]


@pytest.mark.parametrize("path", [*groups(), *(tuple(name.split()) for name, _ in leaves())], ids=" ".join)
def test_the_help_gives_examples(path: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(cli, [*path, "--help"], catch_exceptions=False).stdout
    assert "\n  Examples:\n" in shown
