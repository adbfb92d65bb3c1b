"""Every example of a help text and of a page can be typed: its command exists, and takes its words."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from memctl.main import cli

_OPERATORS = "|&;<>"
NO_SUCH_FILE = ("does not exist.", "No such file or directory")
"""The files of the examples are not here."""


def commands(command: click.Command = cli) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found)


def calls(line: str) -> Iterator[list[str]]:
    """The words after `memctl` of each call in a line of shell."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=_OPERATORS)
    lexer.whitespace_split, lexer.commenters = True, "#"
    words = list[str]()
    for word in [*lexer, ";"]:
        if not set(word) <= set(_OPERATORS):
            words.append(word)
            continue
        if words and words[0] == "memctl":
            yield words[1:]
        words = []


def parse(words: list[str]) -> None:
    """Let click read the words as a command line, without running anything."""
    command: click.Command | None = cli
    name: str | None = "memctl"
    context: click.Context | None = None
    while command is not None:
        context = command.make_context(name, list(words), parent=context)
        words = [*context._protected_args, *context.args]
        if not isinstance(command, click.Group) or not words:
            return
        name, command, words = command.resolve_command(context, words)


EXAMPLES = sorted(
    {
        line.strip()
        for command in commands()
        for line in (command.epilog or "").splitlines()
        if line.strip().startswith("memctl ")
    }
)

TOP = Path(__file__).parents[2]
SHELL = re.compile(r"^```(?:sh|console|bash|crontab)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"^[^#]*?(?:\$\((memctl [^)]*)\)|(?<![\w-])(?<!xargs )(?<!xargs -r )(memctl .*))")
"""A call, alone or within `$(…)`; not one in a comment, and not one that gets its arguments from xargs."""


def typed(page: Path) -> Iterator[str]:
    """The calls of memctl in the shell blocks of a page."""
    for block in SHELL.findall(page.read_text("utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            if found := CALL.search(line):
                yield found[1] or found[2]


ON_PAGES = sorted({line for page in (TOP / "README.md", *(TOP / "docs").glob("*.md")) for line in typed(page)})


@pytest.mark.parametrize("line", sorted({*EXAMPLES, *ON_PAGES}))
def test_an_example_is_read_by_its_command(line: str) -> None:
    for words in calls(line):
        try:
            parse(words)
        except click.BadParameter as error:
            if not error.message.endswith(NO_SUCH_FILE):
                raise


@pytest.mark.parametrize(
    "words",
    [
        ["kb", "create", "notes", "--policy", "permissive", "--role", "canonical_reference"],
        ["kb", "create", "notes", "--policy", "STRICT"],
        ["kb", "set", "notes", "--policy", "permissive", "--role", "Canonical_Reference"],
    ],
    ids=" ".join,
)
def test_the_values_of_the_api_are_values_of_options(words: list[str]) -> None:
    parse(words)
