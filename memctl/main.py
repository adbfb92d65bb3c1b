"""The command `memctl`: a table of commands that are imported only when they run."""

import click

from memctl import __version__
from memctl.lazy import Lazy, LazyGroup
from memctl.options import examples, remote

COMMANDS = {
    "capture": Lazy("memctl.commands.memories:capture", "Store a memory."),
    "recall": Lazy("memctl.commands.recall:recall", "Find memories by meaning, words, strength and recency."),
    "search": Lazy("memctl.commands.messages:search", "Search the message history."),
    "recent": Lazy("memctl.commands.messages:recent", "Show the newest messages."),
    "log": Lazy("memctl.commands.messages:log", "Store one message."),
    "show": Lazy("memctl.commands.memories:show", "Show a memory in full."),
    "forget": Lazy("memctl.commands.memories:forget", "Archive memories, or delete them for good."),
    "stats": Lazy("memctl.commands.stats:stats", "Show what is stored and what is used of the limits."),
    "kb": Lazy("memctl.commands.knowledge_bases:kb", "Make, fill, read and empty knowledge bases."),
    "doctor": Lazy("memctl.commands.doctor:doctor", "Check the connection, the key and the server."),
    "config": Lazy("memctl.commands.config:config", "Choose and change profiles."),
    "completion": Lazy("memctl.commands.completion:completion", "Print the completion script for a shell."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=examples(
        'memctl capture "Deploys are frozen on Fridays" --store semantic --category rule',
        'memctl recall "may I deploy today?"',
        "memctl kb create handbook && memctl kb import handbook ./docs",
    ),
)
@remote
@click.version_option(__version__, prog_name="memctl")
def cli() -> None:
    """Talk to memd, the long-term memory of your agents.

    The server is found from --url and --api-key, then MEMCTL_URL and MEMCTL_API_KEY, then the chosen profile, then the
    memd of this machine.

    Exit codes: 0 ok, 1 unexpected, 2 usage, 3 not reachable, 4 not authorised, 5 not found, 6 refused by a limit,
    7 done in part.
    """
