"""The command `memctl`: a table of commands that are imported only when they run."""

import errno
from typing import Any

import click

from memctl import __version__
from memctl.lazy import Lazy, LazyGroup
from memctl.options import examples, names_of, remember_command_line, remote
from memctl.streams import leave_output

COMMANDS = {
    "capture": Lazy("memctl.commands.memories:capture", "Store a memory."),
    "recall": Lazy("memctl.commands.recall:recall", "Find memories by meaning, words, strength and recency."),
    "context": Lazy("memctl.commands.prompt_context:context", "Print what is stored about a query, for a prompt."),
    "list": Lazy("memctl.commands.listing:list_", "List the memories, filtered and sorted."),
    "search": Lazy("memctl.commands.messages:search", "Search the message history."),
    "recent": Lazy("memctl.commands.messages:recent", "Show the newest messages."),
    "tail": Lazy("memctl.commands.tail:tail", "Follow new messages and memories."),
    "log": Lazy("memctl.commands.messages:log", "Store one message."),
    "wake": Lazy("memctl.commands.wake:wake", "Print the briefing that an agent starts with."),
    "show": Lazy("memctl.commands.memories:show", "Show a memory in full."),
    "trace": Lazy("memctl.commands.trace:trace", "Show the conversation that a memory was made from."),
    "triggers": Lazy("memctl.commands.triggers:triggers", "Show the memories with tool triggers."),
    "edit": Lazy("memctl.commands.editing:edit", "Change a memory in place."),
    "supersede": Lazy("memctl.commands.editing:supersede", "Replace a memory by a new one."),
    "forget": Lazy("memctl.commands.memories:forget", "Archive memories, or delete them permanently."),
    "history": Lazy("memctl.commands.history:history", "Show the versions of a memory: who changed it, when and why."),
    "diff": Lazy("memctl.commands.history:diff", "Compare two versions of a memory."),
    "restore": Lazy("memctl.commands.history:restore", "Restore an archived memory or an earlier version."),
    "conflicts": Lazy("memctl.commands.conflicts:conflicts", "List and resolve conflicts between memories."),
    "profile": Lazy("memctl.commands.profile:profile", "Show what is known about a person or thing."),
    "undo": Lazy("memctl.commands.undo:undo", "Undo what was written."),
    "stats": Lazy("memctl.commands.stats:stats", "Show what is stored and how much of the limits is used."),
    "export": Lazy("memctl.commands.export:export", "Write all memories as JSON lines or Markdown."),
    "import": Lazy("memctl.commands.imports:import_", "Import ChatGPT, Claude and mem0 exports, Markdown, JSON lines."),
    "kb": Lazy("memctl.commands.knowledge_bases:kb", "Manage knowledge bases."),
    "snapshot": Lazy("memctl.commands.snapshots:snapshot", "Store, list and show the messages of sessions."),
    "checkpoint": Lazy("memctl.commands.checkpoints:checkpoint", "Manage checkpoints of what is remembered."),
    "graph": Lazy("memctl.commands.graph:graph", "Ask who owns what, what is connected, what depends on what."),
    "reflect": Lazy("memctl.commands.reflect:reflect", "Summarise the memories of the last hours."),
    "eval": Lazy("memctl.commands.evaluation:eval_", "Measure retrieval on questions with known answers."),
    "hooks": Lazy("memctl.commands.hooks:hooks", "Give coding agents memory through their hooks."),
    "mcp": Lazy("memctl.commands.mcp:mcp", "Connect an MCP client to memd."),
    "tui": Lazy("memctl.commands.tui:tui", "Browse everything in the terminal."),
    "standing": Lazy("memctl.commands.standing:standing", "Keep the answers of queries fresh."),
    "login": Lazy("memctl.commands.login:login", "Get a key for this machine."),
    "logout": Lazy("memctl.commands.config:logout", "Remove the key of a profile from this machine."),
    "keys": Lazy("memctl.commands.keys:keys", "Manage API keys."),
    "users": Lazy("memctl.commands.users:users", "Manage users."),
    "account": Lazy("memctl.commands.account:account", "Manage the end users of your application."),
    "messages": Lazy("memctl.commands.messages:messages", "Erase messages."),
    "sessions": Lazy("memctl.commands.sessions:sessions", "List, read and erase sessions."),
    "erasure": Lazy("memctl.commands.erasure:erasure", "Show the progress of an erasure."),
    "device": Lazy("memctl.commands.device:device", "Approve or deny a device that asks for a key."),
    "jobs": Lazy("memctl.commands.jobs:jobs", "Show background jobs, and start a scheduled job manually."),
    "wait": Lazy("memctl.commands.wait:wait", "Wait until background work has caught up."),
    "audit": Lazy("memctl.commands.audit:audit_", "List memories that may be junk, and clear them away."),
    "audit-log": Lazy("memctl.commands.audit_log:audit_log", "Show who did what to users, keys and stored data."),
    "api": Lazy("memctl.commands.api:api", "Send a request to any endpoint."),
    "doctor": Lazy("memctl.commands.doctor:doctor", "Check the connection, the key and the server."),
    "config": Lazy("memctl.commands.config:config", "Choose and change profiles."),
    "completion": Lazy("memctl.commands.completion:completion", "Print the completion script for a shell."),
}


SECTIONS = {
    "Memories": ("capture", "recall", "context", "list", "show", "trace", "triggers", "edit", "supersede", "forget"),
    "History": ("history", "diff", "restore", "undo", "conflicts"),
    "Conversations": ("search", "recent", "tail", "log", "wake", "messages", "sessions", "snapshot", "checkpoint"),
    "Knowledge": ("profile", "standing", "kb", "graph", "reflect"),
    "In and out": ("import", "export", "mcp", "hooks", "tui"),
    "Maintenance": ("stats", "audit", "eval", "jobs", "wait", "doctor", "api"),
    "Access": ("login", "logout", "account", "keys", "users", "device", "audit-log", "erasure", "config", "completion"),
}
OUTPUT_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""Errors of writing standard output, except a closed pipe."""
CLOSED_PIPE = 128 + 13
"""Exit code when the reader of the output has gone, as for a program that SIGPIPE ends."""


class Program(LazyGroup):
    """All commands; a value that no request accepts is a usage error, wherever it is detected."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, and keep them for messages that name the running command."""
        remember_command_line(ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ValueError as error:
            from memctl.diagnostics import ExitCode, give_up
            from memctl.findings import NOT_AN_ID, wrong_value
            from memctl.id_lists import with_list

            found = wrong_value(error, names_of(ctx))
            if found is None:
                raise
            give_up(with_list(found, ctx) if found.endswith(NOT_AN_ID) else found, ExitCode.USAGE)
        except KeyboardInterrupt:
            from memctl.diagnostics import ExitCode

            click.echo(err=True)  # the shell's prompt begins on a line of its own
            ctx.exit(ExitCode.INTERRUPTED)
        except BrokenPipeError:
            leave_output()
            ctx.exit(CLOSED_PIPE)
        except OSError as error:
            if error.errno not in OUTPUT_ERRORS:
                raise
            from memctl.diagnostics import ExitCode, give_up

            leave_output()
            give_up(f"cannot write the output: {error.strerror}", ExitCode.UNEXPECTED)


@click.group(
    cls=Program,
    lazy=COMMANDS,
    sections=SECTIONS,
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

    The server is found from --url, --data-dir or --profile, then MEMCTL_URL with MEMCTL_API_KEY, then the profile in
    use, then the memd of this machine. --as or MEMCTL_AS names the end user of an application to act for.

    Exit codes: 0 ok, 1 unexpected, 2 usage, 3 not reachable, 4 not authorised, 5 not found, 6 refused by a limit,
    7 done in part, 130 interrupted by Ctrl+C, 143 ended by SIGTERM.
    """
