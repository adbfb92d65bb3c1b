"""Which command lists the ids that another one takes."""

import click

_LISTS = {
    **dict.fromkeys(("show", "trace", "edit", "supersede", "forget", "history", "diff"), "memctl list"),
    "restore": "memctl list --archived",
    "conflicts": "memctl conflicts list",
    "snapshot": "memctl snapshot list",
    "checkpoint": "memctl checkpoint list",
    "messages": "memctl recent",
    "users": "memctl users list",
    "kb": "memctl kb list --all",
}


def with_list(text: str, ctx: click.Context) -> str:
    """The text of a failure about an id, with the command that lists such ids where there is one."""
    command = _LISTS.get(ctx.find_root().invoked_subcommand or "")
    return f"{text}; see `{command}`" if command else text
