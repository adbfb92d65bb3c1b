"""Runs a command against memd: the one place that starts an event loop and turns failures into exit codes."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from memctl import diagnostics
from memctl.client import MemdClient
from memctl.client.errors import ApiError, ClientError, Forbidden, NoMemdFound, NotFound
from memctl.diagnostics import CommandError, ExitCode
from memctl.findings import NOT_AN_ID, invalid_identifier
from memctl.id_lists import with_list
from memctl.importers.retries import until_reached
from memctl.local_memd import no_memd
from memctl.options import given_options, names_of
from memctl.settings import ConfigError, Connection, local_key_path, resolve
from memctl.termination import Terminated, end_by_sigterm, second_ctrl_c_ends
from memctl.wire.enums import KeyScope
from memctl.wire.ids import MalformedIdentifierError, decode

if TYPE_CHECKING:
    import httpx

_NO_ACT_AS = "this key may not act for the end user {}: it lacks the scope act_as; see `memctl keys create --help`"
INVALID_ID = "Invalid identifier: id"
"""The details of memd's error about an id in a path (contract 1.2), which do not repeat it."""
_ID = re.compile("[a-z]+_[0-9a-z]{26}")
Action = Callable[[MemdClient], Awaitable[ExitCode | None]]


def connection() -> Connection:
    """Where the running command finds memd."""
    try:
        return resolve(given_options(click.get_current_context()))
    except ConfigError as error:
        diagnostics.give_up(str(error), ExitCode.USAGE)


def run(action: Action, *, needs_key: bool = True, wait: float = 0) -> None:
    """Run `action` with a client; a failure is printed to standard error and ends with its exit code.

    An action that needs a key is not run when no memd of this machine was found and no address is named: stored text
    would go to any program that listens on the default port.

    All that it writes is one operation, which `memctl undo` takes back as one.

    `wait`: how many seconds to wait for a memd that does not serve its data directory yet.

    The root context's object, when there is one, is the transport to use instead of the network.
    """
    context = click.get_current_context()
    _refuse_blank_arguments(context)
    try:
        target = _target(context, wait) if needs_key else connection()
        code = asyncio.run(_interruptible(action, context, target))
    except Terminated:
        context.find_root().call_on_close(end_by_sigterm)
        context.exit(ExitCode.TERMINATED)
    except (ClientError, CommandError) as error:
        text = _with_id(error, _typed_id(context))
        is_about_id = isinstance(error, NotFound) or text.endswith(NOT_AN_ID)
        diagnostics.give_up(with_list(text, context) if is_about_id else text, diagnostics.exit_code_of(error))
    if code:
        context.exit(int(code))


def _refuse_blank_arguments(context: click.Context) -> None:
    """End with a usage error when an argument is blank, as `"$KEY"` is in a script that has not set it."""
    for name, metavar in names_of(context).items():
        value = context.params.get(name)
        values: Sequence[object] = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        is_argument = not metavar.startswith("-")
        if is_argument and any(isinstance(each, str) and not each.strip() for each in values):
            diagnostics.give_up(f"{metavar.strip('[].')} must not be empty", ExitCode.USAGE)


def _target(context: click.Context, wait: float) -> Connection:
    """Where the running command finds memd, after at most `wait` seconds; `NoMemdFound` when there is none yet."""

    async def find() -> Connection:
        return named_connection(context)

    return asyncio.run(until_reached(find, wait)) if wait else named_connection(context)


def named_connection(context: click.Context) -> Connection:
    """Where the running command finds memd; `NoMemdFound` when nothing says that it is memd that listens there.

    `CommandError` when the configuration cannot be read.
    """
    try:
        target = resolve(given_options(context))
    except ConfigError as error:
        raise CommandError(str(error), ExitCode.USAGE) from error
    if target.is_guess and context.find_root().obj is None:
        raise no_memd_found(context)
    return target


def open_client(context: click.Context, target: Connection) -> MemdClient:
    """A client of the memd at `target`, which retries nothing; warns about a key that could be read on the way."""
    if target.is_exposed and context.find_root().obj is None:
        diagnostics.note(f"{target.url} is not encrypted: the API key can be read on the way; use https")
    return _client(context, target)


def _client(context: click.Context, target: Connection) -> MemdClient:
    transport: httpx.AsyncBaseTransport | None = context.find_root().obj
    return MemdClient(target.url, target.api_key, transport, socket=target.socket, end_user=target.end_user, retries=0)


def no_memd_found(context: click.Context) -> NoMemdFound:
    """That no memd serves the data directory of this command, and how to start it."""
    return no_memd(data_dir(context), option=given_options(context).data_dir is not None)


def data_dir(context: click.Context) -> Path:
    """The data directory of a command."""
    named = given_options(context).data_dir
    return Path(named) if named else local_key_path().parent


async def each_of(ids: Sequence[str], act: Callable[[str], Awaitable[None]], prefix: str = "mem") -> ExitCode:
    """Run `act` on each id; failures are printed and the rest continues. With a single id the failure is raised.

    Where one of them is not an identifier, nothing is done.
    """
    for each in ids:
        try:
            decode(prefix, each)
        except MalformedIdentifierError:
            raise CommandError(invalid_identifier(each), ExitCode.USAGE) from None
    failures: list[ExitCode] = []
    for each in ids:
        try:
            await act(each)
        except ClientError as error:
            if len(ids) == 1:
                raise
            diagnostics.note(f"memctl: {each}: {_explained(error, each)}")
            failures.append(diagnostics.exit_code_of(error))
    if len(failures) == len(ids):
        return failures[0]
    return ExitCode.DONE_IN_PART if failures else ExitCode.OK


def _explained(error: ClientError | CommandError, typed: str | None) -> str:
    """The text of a failure; an id that memd cannot read is shown as it was `typed`, as before a request is sent."""
    is_id = isinstance(error, ApiError) and error.body.details == INVALID_ID
    return invalid_identifier(typed) if is_id and typed is not None else diagnostics.explain(error)


def _with_id(error: ClientError | CommandError, typed: str | None) -> str:
    """The same, followed by the `typed` id where memd does not find it."""
    explained = _explained(error, typed)
    return f"{explained}: {typed}" if isinstance(error, NotFound) and typed and _ID.fullmatch(typed) else explained


def _typed_id(context: click.Context) -> str | None:
    """The first argument of the running command, which is where commands take an id; None without one."""
    arguments = (parameter.name for parameter in context.command.params if isinstance(parameter, click.Argument))
    value: object = context.params.get(next(arguments, None) or "")
    if isinstance(value, tuple):
        value = cast("tuple[object, ...]", value)[0] if value else None
    return value if isinstance(value, str) else None


async def _interruptible(action: Action, context: click.Context, target: Connection) -> ExitCode | None:
    with second_ctrl_c_ends():
        return await _with_client(action, context, target)


async def _with_client(action: Action, context: click.Context, target: Connection) -> ExitCode | None:
    async with open_client(context, target) as client:
        client.begin_operation()
        try:
            return await action(client)
        except Forbidden as error:
            error.scopes = await _scopes_of_key(context, target)
            if target.end_user is not None and error.scopes and KeyScope.ACT_AS not in error.scopes:
                raise CommandError(_NO_ACT_AS.format(target.end_user), ExitCode.NOT_AUTHORISED) from error
            raise


async def _scopes_of_key(context: click.Context, target: Connection) -> Sequence[str]:
    """The scopes of the key itself, whoever it acts for; none when they cannot be read, for which it needs the scope read."""
    async with _client(context, target._replace(end_user=None)) as client:
        with suppress(ClientError):
            return (await client.accounts.whoami()).scopes
    return ()
