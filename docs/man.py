"""`make man`: a manual page for each command of memd and memctl, in build/man/man1; `MANPATH=build/man: man memctl-recall`."""

from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from memctl.main import cli as memctl
from memd.main import main as memd
from memd.version import VERSION

write_man_pages: Any = import_module("click_man.core").write_man_pages
TARGET = Path(__file__).parent.parent / "build" / "man" / "man1"


def complete(command: click.Command) -> None:
    """Load the commands of a group, and put the examples of each below its help."""
    command.short_help = command.get_short_help_str(limit=100)
    command.help = f"{cleandoc(command.help or '')}\n\n{command.epilog or ''}".strip()
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                command.add_command(inner, name)
                complete(inner)


if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, group in {"memd": memd, "memctl": memctl}.items():
        complete(group)
        write_man_pages(name, group, version=VERSION, target_dir=str(TARGET))
    print(f"{len(list(TARGET.iterdir()))} pages; MANPATH={TARGET.parent}: man memctl")
