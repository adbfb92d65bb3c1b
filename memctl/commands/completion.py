"""Shell completion."""

import click
from click.shell_completion import get_completion_class

from memctl import output
from memctl.options import OneOf, examples


@click.command(
    epilog=examples(
        'eval "$(memctl completion bash)"',
        "memctl completion zsh > ~/.zfunc/_memctl",
        "memctl completion fish > ~/.config/fish/completions/memctl.fish",
    )
)
@click.argument("shell", cls=OneOf, type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for SHELL."""
    from memctl.bash_completion import Bash

    kind = Bash if shell == Bash.name else get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"no completion for {shell}")
    output.script(kind(context.find_root().command, {}, "memctl", "_MEMCTL_COMPLETE").source())
