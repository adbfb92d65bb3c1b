"""`memctl mcp`: memd in the settings of MCP clients, and over standard streams for those that only start programs."""

import asyncio
import dataclasses
import json
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import click

from memctl import output
from memctl.client import MemdClient
from memctl.diagnostics import ExitCode, confirm, give_up, note
from memctl.groups import Group
from memctl.json_edit import UnknownSettingsError
from memctl.mcp_bridge import Bridge
from memctl.mcp_clients import CLIENTS, KEY_VARIABLE, McpClient, Server
from memctl.mcp_settings import entry_in, replace, snippet, text_of, with_entry, without_entry
from memctl.options import Command, OneOf, examples, remote
from memctl.run import connection, named_connection, open_client
from memctl.settings import Connection
from memctl.settings_diff import difference, masked

CORE = "core"


def _tools(default: str) -> Callable[[Command], Command]:
    """Add --tools, which names the toolset that the client sees."""
    return click.option(
        "--tools",
        type=click.Choice([CORE, "all"]),
        default=default,
        show_default=True,
        help="Tools that the client lists: the eight for daily use, or every tool.",
    )


@click.group(cls=Group, epilog=examples("memctl mcp install claude-code", "memctl mcp install cursor --print"))
def mcp() -> None:
    """Connect an MCP client to memd."""


@mcp.command(
    epilog=examples(
        "memctl mcp install claude-code",
        "memctl mcp install vscode --project",
        "memctl mcp install codex --print",
        "memctl mcp install claude-desktop --yes",
        "memctl mcp install cursor --tools all",
    )
)
@click.argument("client", cls=OneOf, type=click.Choice([*CLIENTS]))
@click.option("--name", default="memd", show_default=True, help="Name of the server in the client.")
@click.option("--project", is_flag=True, help=f"Into the project's shared file; the key comes from {KEY_VARIABLE}.")
@click.option("--stdio", "over_stdio", is_flag=True, help="Start `memctl mcp stdio` instead of speaking HTTP.")
@_tools(CORE)
@click.option("--print", "--dry-run", "only_print", is_flag=True, help="Print the entry and change nothing.")
@click.option("--show-key", is_flag=True, help="Print the whole key with --print, which masks it otherwise.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@remote
def install(
    client: str,
    *,
    name: str,
    project: bool,
    over_stdio: bool,
    tools: str,
    only_print: bool,
    show_key: bool,
    yes: bool,
) -> None:
    """Add memd to the settings of CLIENT: shows the change, asks for confirmation, and keeps a backup of the old file."""
    program = CLIENTS[client]
    path = _path(program, project=project)
    server = _server(needs_key=program.speaks_http and not over_stdio and not project, tools=tools, shared=project)
    if project:
        server = dataclasses.replace(server, environment={})
    entry = program.stdio(server) if over_stdio else program.entry(server, project)
    if only_print:
        note(f"for {path}:")
        _print(snippet(path, program.table, name, entry), show_key=show_key)
        return
    _write(program, path, name, entry, ask=not yes)


def _path(program: McpClient, *, project: bool) -> Path:
    """The file of the user, or the one that a project shares."""
    if project and program.shared is None:
        raise click.UsageError(f"{program.title} has no file for a project")
    return program.shared if project and program.shared else program.personal(Path.home())


@mcp.command(epilog=examples("memctl mcp uninstall cursor", "memctl mcp uninstall vscode --project --dry-run"))
@click.argument("client", cls=OneOf, type=click.Choice([*CLIENTS]))
@click.option("--name", default="memd", show_default=True, help="Name of the server in the client.")
@click.option("--project", is_flag=True, help="From the project's shared file.")
@click.option("--print", "--dry-run", "only_print", is_flag=True, help="Print the change and write nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def uninstall(client: str, *, name: str, project: bool, only_print: bool, yes: bool) -> None:
    """Remove memd from the settings of CLIENT: shows the change, asks, and keeps a backup of the old file."""
    program = CLIENTS[client]
    path = _path(program, project=project)
    try:
        before = text_of(path)
        after = without_entry(path, before, program.table, name)
        unchanged = f"{path} has no entry {name}"
        if not only_print:
            _replace(path, before, after, unchanged, ask=not yes)
        elif change := difference(path, before, after):
            output.script(change)
        else:
            note(unchanged)
    except (OSError, UnicodeDecodeError, UnknownSettingsError) as error:
        give_up(f"{path} stays as it is: {error}", ExitCode.USAGE)


@mcp.command("list", epilog=examples("memctl mcp list"))
@click.option("--name", default="memd", show_default=True, help="Name of the server in the clients.")
def list_(name: str) -> None:
    """List the clients that have memd in their settings, of the user and of the project in this folder."""
    found = False
    for program in CLIENTS.values():
        for path in _files_of(program):
            try:
                entry = entry_in(path, text_of(path), program.table, name)
            except (OSError, UnicodeDecodeError, UnknownSettingsError) as error:
                note(f"{program.title}: {path}: {error}")
                continue
            if entry is not None:
                found = True
                address = next(
                    (entry[key] for key in ("url", "httpUrl", "serverUrl") if key in entry), "memctl mcp stdio"
                )
                output.say(f"{program.title}: {path}: {address}")
    if not found:
        note(f"no client has {name} in its settings; `memctl mcp install CLIENT` adds it")


def _files_of(program: McpClient) -> list[Path]:
    """The settings files of a client that exist, the user's first; in the home folder they may be one file."""
    files = [path for path in (program.personal(Path.home()), program.shared) if path is not None and path.exists()]
    return files[:1] if len({path.resolve() for path in files}) == 1 else files


def _print(text: str, *, show_key: bool) -> None:
    """The entry; terminals and logs keep what is printed, so the key is in it only when asked for."""
    shown = text if show_key else masked(text)
    output.script(shown)
    if shown != text:
        note("the key is masked; --show-key prints it")


def _server(*, needs_key: bool, tools: str, shared: bool) -> Server:
    """How a client reaches memd: as this command does; without a key there is nothing to install over HTTP."""
    target = connection()
    if needs_key and target.api_key is None:
        give_up("no API key is known for this address; see `memctl doctor`", ExitCode.NOT_AUTHORISED)
    program = shutil.which("memctl") or str(Path(sys.executable).with_name("memctl"))
    if target.key_source == target.url_source:  # one profile holds both, and `mcp stdio` will find it
        where, environment = ["--profile", target.key_source.removeprefix("profile ")], dict[str, str]()
    elif target.key_file is not None and not shared:  # the same with the folder, whose key may be rotated
        where, environment = ["--data-dir", str(target.key_file.parent.absolute())], dict[str, str]()
    else:
        where = ["--url", target.url]
        environment = {KEY_VARIABLE: target.api_key} if target.api_key else {}
    if target.end_user is not None:
        where += ["--as", target.end_user]
    is_core = tools == CORE
    command = (program, *where, "mcp", "stdio", *(["--tools", CORE] if is_core else []))
    query = f"?tools={CORE}" if is_core else ""
    return Server(target.url, target.api_key or "", command, environment, target.end_user, query)


def _write(program: McpClient, path: Path, name: str, entry: dict[str, Any], *, ask: bool) -> None:
    try:
        before = text_of(path)
        after = with_entry(path, before, program.table, name, entry)
    except (OSError, UnicodeDecodeError, UnknownSettingsError) as error:
        give_up(f"{path} stays as it is: {error}; add the entry by hand, --print shows it", ExitCode.USAGE)
    if _replace(path, before, after, f"{path} has this entry already", ask=ask):
        output.say(f"{program.title} knows {name} now; {program.afterwards}")


def _replace(path: Path, before: str, after: str, unchanged: str, *, ask: bool) -> bool:
    """Show the change, ask, and write the file; returns whether there was anything to write."""
    change = difference(path, before, after)
    if not change:
        note(unchanged)
        return False
    note(change)
    if ask:
        confirm(f"Write {path}?")
    try:
        copy = replace(path, after)
    except OSError as error:
        give_up(f"{path}: {error.strerror}", ExitCode.UNEXPECTED)
    if copy:
        note(f"the old file is {copy}")
    return True


@mcp.command(epilog=examples("memctl mcp stdio", "memctl --profile work mcp stdio --tools core"))
@_tools("all")
@remote
def stdio(tools: str) -> None:
    """Speak MCP on standard input and output, for clients that start a program instead of calling an address."""
    context = click.get_current_context()
    connection()  # options and a config file that cannot be used end the command here
    asyncio.run(_converse(lambda: named_connection(context), partial(open_client, context), tools))


async def _converse(find: Callable[[], Connection], open_link: Callable[[Connection], MemdClient], tools: str) -> None:
    """Pass every line on and write its answer; several at a time, until standard input ends."""
    async with Bridge(find, open_link, CORE if tools == CORE else None) as bridge, asyncio.TaskGroup() as group:
        while line := await asyncio.to_thread(sys.stdin.buffer.readline):
            if line.strip():
                group.create_task(_pass_on(bridge, line))


async def _pass_on(bridge: Bridge, line: bytes) -> None:
    try:
        read: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        output.line({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": f"Parse error: {error}"}})
        return
    if not isinstance(read, dict):
        text = "Invalid Request: send one JSON object in a line; batches are not supported"
        output.line({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": text}})
        return
    answer = await bridge.answer(cast("dict[str, Any]", read))
    if answer is not None:
        output.line(answer)
