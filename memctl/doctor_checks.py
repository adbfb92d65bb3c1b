"""The checks of `memctl doctor`: each reports what it found and, after a failure, how to fix it."""

import shutil
import stat
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from shlex import quote

from memctl import __version__
from memctl.background import LAG_GROUPS, LAG_MS, lag_line
from memctl.client import MemdClient
from memctl.client.errors import ClientError, NotReachable, ProtocolError, Unauthorized
from memctl.diagnostics import ExitCode, exit_code_of, explain
from memctl.local_memd import is_starting
from memctl.settings import NOT_SERVED, Connection, config_path
from memctl.text import count
from memctl.wire.messages import SearchMessagesRequest

GIB = 2**30
LITTLE_DISK, NO_DISK = 2 * GIB, GIB // 4
NO_ROOM = "make room: Postgres stops when its disk is full"
SKEW_SECONDS = 30
OF_OTHER_CHECKS = frozenset({"clock", "disk"})
"""Degradations of /readyz that another check reports."""
OLD_JOB_MS = 10 * 60_000


class State(StrEnum):
    """How a check went."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: what was found, how to fix it, and the exit code after a failure."""

    check: str
    state: State
    found: str
    fix: str | None = None
    code: ExitCode = ExitCode.OK


def passed(check: str, found: str) -> Finding:
    """All is well."""
    return Finding(check, State.OK, found)


def warned(check: str, found: str, fix: str) -> Finding:
    """It works, but not as it should."""
    return Finding(check, State.WARNING, found, fix)


def failed(check: str, found: str, fix: str, code: ExitCode = ExitCode.UNEXPECTED) -> Finding:
    """Commands cannot work like this."""
    return Finding(check, State.FAILED, found, fix, code)


def check_config() -> Finding:
    """The config file is readable by its owner only; it was parsed before."""
    path = config_path()
    if not path.exists():
        return passed("config", f"no file at {path}; none is needed")
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        return warned("config", f"{path} can be read by others", f"chmod 600 {path}")
    return passed("config", str(path))


async def check_server(client: MemdClient) -> Finding:
    """Something answers at the address."""
    await client.health.alive()
    return passed("server", f"answers at {client.url}")


async def check_ready(client: MemdClient) -> Finding:
    """Database, migrations and embedder are there."""
    health = await client.health.ready()
    degraded = {name: state for name, state in (health.degraded or {}).items() if name not in OF_OTHER_CHECKS}
    if health.ok and degraded:
        found = "; ".join(f"{name}: {state}" for name, state in degraded.items())
        return warned("ready", found, "requests are answered; read memd's log and run `memd doctor` there")
    if health.ok:
        return passed("ready", "database, migrations and embedder")
    missing = ", ".join(f"{name}: {state}" for name, state in (health.checks or {}).items())
    return failed("ready", missing, "wait a moment; if it stays, read memd's log and run `memd doctor` there")


async def check_key(client: MemdClient) -> Finding:
    """The key is known, and what it may do."""
    who = await client.accounts.whoami()
    return passed("key", f"{who.user_id}, {'+'.join(who.scopes)}, {who.policy}")


async def check_version(client: MemdClient) -> Finding:
    """Both sides are of one release."""
    server = await client.health.version()
    if server.version != __version__:
        return warned("version", f"memd {server.version}, memctl {__version__}", "install the same release of both")
    return passed("version", server.version)


async def check_model(client: MemdClient) -> Finding:
    """The embedder answers a query; costs what one search costs."""
    server = await client.health.version()
    model = f"{server.embedding_model} ({server.embedding_dimensions}-d)"
    reply = await client.messages.search(SearchMessagesRequest(query="memctl doctor", limit=1))
    if reply.degradation:
        fix = "on the server: `memd model install`, or look at MEMD_EMBED_MODEL and MEMD_EMBED_URL"
        return warned("model", f"{model}: {reply.degradation.message}", fix)
    return passed("model", model)


async def check_languages(client: MemdClient) -> Finding:
    """The embedding model reads the languages of the stored texts."""
    stats = await client.stats()
    if stats.embedding_note is not None:
        found, fix = stats.embedding_note.split(". ", 1)
        return warned("languages", found, f"on the server: {fix}")
    return passed("languages", ", ".join([*stats.languages][:5]) or "nothing is stored yet")


async def check_credits(client: MemdClient) -> Finding:
    """The minute's credits are not used up."""
    check = await client.compat.rate_limit_check()
    remaining = f"{check.remaining:,} of {check.limit:,} a minute left"
    if check.allowed:
        return passed("credits", remaining)
    return failed("credits", remaining, "wait a minute", ExitCode.REFUSED_BY_LIMIT)


async def check_queue(client: MemdClient) -> Finding:
    """Background work gets done."""
    queue = (await client.jobs.list()).queue
    broken = sum(kind.failed for kind in queue.by_kind.values())
    if broken:
        return warned(
            "queue", f"{count(broken, 'job')} failed permanently", "see `memctl jobs list`, and memd's log for why"
        )
    if (queue.oldest_age_ms or 0) > OLD_JOB_MS:
        minutes = f"{(queue.oldest_age_ms or 0) // 60_000:,} min"
        return warned("queue", f"{queue.depth:,} wait, the oldest for {minutes}", "is memd running with --workers-off?")
    behind = {kind: ms for kind, ms in queue.lag_ms.items() if ms > LAG_MS}
    if behind:
        groups = [name for name, kinds in LAG_GROUPS.items() if behind.keys() & set(kinds)]
        flags = "".join(f" --kind {name}" for name in groups)
        return warned(
            "queue", f"behind: {lag_line(behind)}", f"`memctl wait{flags}` waits; `memctl jobs list` says more"
        )
    return passed("queue", f"{count(queue.depth, 'job')} waiting")


async def check_clock(client: MemdClient) -> Finding:
    """The server trusts its clock, and both clocks agree: times are compared across them."""
    doubt = ((await client.health.ready()).degraded or {}).get("clock")
    if doubt is not None:
        return warned(
            "clock", f"the server's: {doubt}", "correct it there if it is wrong; otherwise nothing needs to be done"
        )
    if client.server_time is None:
        return passed("clock", "the server does not report its time")
    skew = (datetime.now(UTC) - client.server_time).total_seconds()
    if abs(skew) > SKEW_SECONDS:
        return warned("clock", f"differs from the server's by {skew:+.0f} s", "let both machines follow a time server")
    return passed("clock", f"within {max(abs(skew), 1):.0f} s of the server's")


async def check_reported_disk(client: MemdClient) -> Finding:
    """There is room on the disk of a server elsewhere, as far as it reports a shortage."""
    shortage = ((await client.health.ready()).degraded or {}).get("disk")
    if shortage is not None:
        return failed("disk", f"on the server: {shortage}", NO_ROOM)
    return passed("disk", "the server reports no shortage; `memd doctor` there shows how much is free")


def check_disk(socket: Path) -> Finding:
    """There is room where the memd of this machine keeps its data, whether or not it answers."""
    existing = next(each for each in socket.parents if each.exists())
    free = shutil.disk_usage(existing).free
    found = f"{free / GIB:,.1f} GiB free for {socket.parent}"
    if free < NO_DISK:
        return failed("disk", found, NO_ROOM)
    return warned("disk", found, "make room soon") if free < LITTLE_DISK else passed("disk", found)


Check = Callable[[MemdClient], Awaitable[Finding]]
CHECKS: dict[str, Check] = {
    "server": check_server,
    "ready": check_ready,
    "key": check_key,
    "version": check_version,
    "model": check_model,
    "languages": check_languages,
    "credits": check_credits,
    "queue": check_queue,
    "clock": check_clock,
}


async def run_checks(client: MemdClient, target: Connection, data_dir: Path) -> list[Finding]:
    """Run all checks; they stop at a server that is no memd or does not answer, has no database or refuses the key.

    Without an address: whether memd is starting in `data_dir`.
    """
    findings = [check_config()]
    if target.is_guess:
        return [*findings, _not_served(data_dir, option=target.url_source == NOT_SERVED)]
    checks = CHECKS if target.socket else CHECKS | {"disk": check_reported_disk}
    for name, check in checks.items():
        try:
            findings.append(await check(client))
        except ClientError as error:
            findings.append(failed(name, _text(error), _mend(error, target), exit_code_of(error)))
            if name == "server" or isinstance(error, NotReachable | Unauthorized):
                break
        last = findings[-1]
        if last.check == "ready" and last.state is State.FAILED and last.found.startswith("database"):
            break  # every further check would fail for the same reason
    return [*findings, check_disk(Path(target.socket))] if target.socket else findings


def _not_served(folder: Path, *, option: bool) -> Finding:
    """`option`: --data-dir named the folder, and the command that starts memd needs it, too."""
    if is_starting(folder):
        return failed("server", f"memd is still starting in {folder}", "see what its log says", ExitCode.NOT_REACHABLE)
    fix = f"start it with `memd serve{_option(folder if option else None)}`, or name one by --url, MEMCTL_URL or a profile"
    return failed("server", f"no memd serves {folder}", fix, ExitCode.NOT_REACHABLE)


def _text(error: ClientError) -> str:
    return "the key is missing or not valid here" if isinstance(error, Unauthorized) else explain(error)


def _option(folder: Path | None) -> str:
    """The option of `memd` that names a data directory."""
    return f" --data-dir {quote(str(folder))}" if folder else ""


def _mend(error: ClientError, target: Connection) -> str:
    option = _option(Path(target.socket).parent if target.socket else None)
    if isinstance(error, NotReachable):
        said = f"({target.url_source} said {target.url})"
        if error.start:
            return f"start it with `{error.start}`, or name another address {said}"
        return f"{error.advice or 'name another address'} {said}"
    if isinstance(error, ProtocolError):
        return (
            f"another program may be using this address; name the one of memd ({target.url_source} said {target.url})"
        )
    if isinstance(error, Unauthorized) and target.is_of_data_directory:
        return f"`memd key create{option}` creates one (the key came from: {target.key_source})"
    if isinstance(error, Unauthorized):
        return f"`memctl login`, or `memctl config set NAME --api-key -` (the key came from: {target.key_source})"
    return "look at memd's log"
