"""A click group whose help says in full what its commands do, and which names its commands where one is not known."""

from difflib import get_close_matches

import click

_WHOLE = 1_000
"""Characters that no first sentence of a command's help has."""
_LISTED = 12
"""Commands of a group that an error lists."""


class Group(click.Group):
    """A group of commands; its help has the first sentence of each, folded, where click cuts it off."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; a usage error offers the nearest names, or all of a few."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            names = self.list_commands(ctx)
            if near := get_close_matches(args[0], names, n=3):
                raise click.UsageError(f"{error.message} Did you mean {' or '.join(near)}?", ctx) from None
            if len(names) <= _LISTED:
                raise click.UsageError(f"{error.message} Its commands: {', '.join(names)}.", ctx) from None
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, each.get_short_help_str(_WHOLE)) for name, each in commands if each and not each.hidden]
            )
