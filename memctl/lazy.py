"""A click group that imports a command only when it is run, so that help and completion stay instant."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import click

from memctl.groups import Group


class Lazy(NamedTuple):
    """Where a command lives (`module:attribute`) and its line in the group's help."""

    target: str
    summary: str


class LazyGroup(Group):
    """A group whose commands are named in a table."""

    def __init__(
        self,
        *args: Any,
        lazy: Mapping[str, Lazy],
        sections: Mapping[str, Sequence[str]] | None = None,
        **settings: Any,
    ) -> None:
        """`sections` are the headings of the help with the commands below each; without them there is one."""
        super().__init__(*args, **settings)
        self._lazy = lazy
        self._sections = sections or {"Commands": [*lazy]}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        del ctx
        return list(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        del ctx
        if cmd_name not in self._lazy:
            return None
        module, _, attribute = self._lazy[cmd_name].target.partition(":")
        return getattr(import_module(module), attribute)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments of the group; the error for an option placed before its command says where it goes."""
        given = [*args]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            owner = self._owner(ctx, given, error.option_name)
            if owner is None:
                raise
            text = f"{error.option_name} comes after the command: {owner} {error.option_name}"
            raise click.UsageError(text, ctx) from None

    def _owner(self, ctx: click.Context, args: Sequence[str], option: str) -> str | None:
        """The command that the arguments name, with its groups, if it has the option."""
        command: click.Command = self
        path = ctx.command_path
        for word in args:
            found = command.get_command(ctx, word) if isinstance(command, click.Group) else None
            if found is not None:
                command, path = found, f"{path} {word}"
        return path if any(option in parameter.opts for parameter in command.params) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        width = max(map(len, self._lazy))
        for heading, names in self._sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), self._lazy[name].summary) for name in names])
