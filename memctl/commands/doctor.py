"""Checks what a command needs: address, server, readiness, key."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import click

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import ClientError
from memctl.diagnostics import ExitCode, exit_code_of, explain
from memctl.options import Form, examples, forms, remote
from memctl.run import connection, run


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: its name, whether it passed, what was found, and the exit code when it failed."""

    check: str
    ok: bool
    found: str
    code: ExitCode = ExitCode.OK


Check = Callable[[MemdClient], Awaitable[Finding]]


async def _alive(client: MemdClient) -> Finding:
    await client.health.alive()
    return Finding("server", ok=True, found=f"answers at {client.url}")


async def _ready(client: MemdClient) -> Finding:
    health = await client.health.ready()
    missing = ", ".join(f"{name}: {state}" for name, state in (health.checks or {}).items())
    code = ExitCode.OK if health.ok else ExitCode.UNEXPECTED
    return Finding("ready", health.ok, "database, migrations and embedder" if health.ok else missing, code)


async def _key(client: MemdClient) -> Finding:
    who = await client.accounts.whoami()
    return Finding("key", ok=True, found=f"{who.user_id}, {'+'.join(who.scopes)}, {who.policy}")


async def _version(client: MemdClient) -> Finding:
    told = await client.health.version()
    return Finding("version", ok=True, found=f"{told.version}, {told.embedding_model} ({told.embedding_dimensions}-d)")


async def _credits(client: MemdClient) -> Finding:
    check = await client.compat.rate_limit_check()
    code = ExitCode.OK if check.allowed else ExitCode.REFUSED_BY_LIMIT
    return Finding("credits", check.allowed, f"{check.remaining:,} of {check.limit:,} a minute left", code)


CHECKS: dict[str, Check] = {"server": _alive, "ready": _ready, "key": _key, "version": _version, "credits": _credits}


@click.command(epilog=examples("memctl doctor", "memctl doctor --url https://memory.example.com --json"))
@remote
@forms()
def doctor(form: Form) -> None:
    """Check where memctl looks for memd, whether it answers, whether it is ready, and whether the key works."""
    target = connection()

    async def action(client: MemdClient) -> ExitCode:
        findings = await _examine(client)
        if form is Form.JSON:
            sources = {"url": target.url, "urlSource": target.url_source, "keySource": target.key_source}
            checks = [{"check": each.check, "ok": each.ok, "found": each.found} for each in findings]
            output.document({**sources, "checks": checks})
        else:
            output.record(
                [("address", f"{target.url} (from: {target.url_source})"), ("key", f"from: {target.key_source}")]
            )
            for each in findings:
                output.say(f"{'ok  ' if each.ok else 'FAIL'}  {each.check:<8} {each.found}")
        return next((each.code for each in findings if not each.ok), ExitCode.OK)

    run(action)


async def _examine(client: MemdClient) -> list[Finding]:
    """Every check in turn; nothing is asked of a server that does not answer."""
    findings: list[Finding] = []
    for name, check in CHECKS.items():
        try:
            findings.append(await check(client))
        except ClientError as error:
            findings.append(Finding(name, ok=False, found=explain(error), code=exit_code_of(error)))
            if name == "server":
                break
    return findings
