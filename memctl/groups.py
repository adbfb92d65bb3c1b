"""A click group whose help says in full what its commands do."""

import click

_WHOLE = 1_000
"""Characters that no first sentence of a command's help has."""


class Group(click.Group):
    """A group of commands; its help has the first sentence of each, folded, where click cuts it off."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, each.get_short_help_str(_WHOLE)) for name, each in commands if each and not each.hidden]
            )
