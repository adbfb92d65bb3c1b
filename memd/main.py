"""The command group `memd`: serve, worker, migrate, reembed, doctor, backup, restore, audit, key, model, service."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from memd.backup_commands import backup, restore
from memd.options import data_dir_option, database_url_option, read_settings
from memd.system_service.commands import service
from memd.version import VERSION


class _Commands(click.Group):
    """Commands whose failures that an operator can fix are one message and exit code 1, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        os.environ["PGCLIENTENCODING"] = "UTF8"  # whatever the shell sets for libpq
        os.environ.setdefault("PGCONNECT_TIMEOUT", "10")  # s; psycopg waits two minutes for a server that is frozen
        try:
            return super().invoke(ctx)
        except _reported() as error:
            from memd.db.remedies import with_remedy
            from memd.logs import harmless

            raise click.ClickException(harmless(with_remedy(f"{_what_failed(error)}{error}"))) from error


def _what_failed(error: Exception) -> str:
    """The words before an error of Postgres; empty for one of memd's own, which says everything."""
    from psycopg.errors import DiskFull

    if isinstance(error, _start_errors()):
        return ""
    return "the database has no room: " if isinstance(error, DiskFull) else "memd cannot reach its database: "


def _start_errors() -> tuple[type[Exception], ...]:
    from memd.db.errors import DatabaseStartError
    from memd.embed.providers.provider import EmbedError

    return DatabaseStartError, EmbedError


def _reported() -> tuple[type[Exception], ...]:
    from psycopg import OperationalError

    return *_start_errors(), OperationalError


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="memd")
def main() -> None:
    """Long-term memory for agents, on a bundled Postgres."""


main.add_command(backup)
main.add_command(restore)
main.add_command(service)


@main.command()
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 picks a free one.  [default: 7377]")
@data_dir_option
@database_url_option
@click.option("--processes", metavar="N|auto", help="Processes that answer requests.  [default: 1]")
@click.option("--workers", type=click.IntRange(0, 8), help="Processes that run background jobs.  [default: 1]")
@click.option("--workers-off", is_flag=True, default=None, help="Queue background jobs without running them.")
def serve(**options: Any) -> None:
    """Start the daemon in the foreground. The first start creates the database, a user and a key."""
    from memd.start import run

    sys.exit(run(read_settings(**options)))


@main.command()
@data_dir_option
@database_url_option
def worker(data_dir: Path | None, database_url: str | None) -> None:
    """Run background jobs in a separate process, next to `memd serve --workers-off` or any number of replicas."""
    from memd.start import run_worker

    sys.exit(run_worker(read_settings(data_dir=data_dir, database_url=database_url)))


@main.command()
@data_dir_option
@database_url_option
@click.option("--distribute", is_flag=True, help="Distribute the tables across the nodes of a Citus cluster.")
@click.option("--shards", type=click.IntRange(1, 1024), help="With --distribute: shards per table.  [default: 32]")
def migrate(data_dir: Path | None, database_url: str | None, distribute: bool, shards: int | None) -> None:
    """Migrate the database to the newest revision and exit."""
    from memd.db.schema.distribute import SHARDS
    from memd.db.schema.distribute import distribute as run_distribution
    from memd.db.schema.migrate import migrate as run_migrations
    from memd.resources import database

    with database(read_settings(data_dir=data_dir, database_url=database_url)) as conninfo:
        click.echo(f"The database is at revision {run_migrations(conninfo)}")
        if distribute:
            run_distribution(conninfo, shards or SHARDS, click.echo)


@main.command()
@click.option("--retry-refused", is_flag=True, help="Also retry the texts that this model refused earlier.")
@data_dir_option
@database_url_option
def reembed(retry_refused: bool, data_dir: Path | None, database_url: str | None) -> None:
    """Embed everything again with another model.

    MEMD_EMBED_MODEL names it. memd can keep serving with the old model meanwhile. An interrupted run can be resumed.
    """
    from memd.embed.reembedding.reembed import run

    settings = read_settings(data_dir=data_dir, database_url=database_url)
    rows, refused = run(settings, click.echo, retry_refused=retry_refused)
    click.echo(f"{rows:,} rows embedded; start memd with this model to use the new vectors")
    if refused:
        click.echo(
            f"Texts refused by the model: {refused:,}. They are most likely too long, and are found by their words "
            "alone. Let the service truncate long texts, then run `memd reembed --retry-refused`; or choose another model"
        )


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@data_dir_option
@database_url_option
def doctor(as_json: bool, data_dir: Path | None, database_url: str | None) -> None:
    """Check this machine and say how to fix problems.

    Checks settings, disk, address, database, tables, key, queue and model, whether or not memd is running. Exits with 1 if a check fails; warnings alone exit with 0.
    """
    from dataclasses import asdict

    from memd.doctor_checks import State, run_checks

    marks = {State.OK: "ok  ", State.WARNING: "warn", State.FAILED: "FAIL"}
    findings = list[dict[str, str]]()
    for finding in run_checks(read_settings(data_dir=data_dir, database_url=database_url)):
        findings.append(asdict(finding))
        if as_json:
            continue
        click.echo(f"{marks[finding.state]}  {finding.check:<8} {finding.found}")
        if finding.fix:
            click.echo(f"{'':14} → {finding.fix}")
    if as_json:
        click.echo(json.dumps({"checks": findings}))
    if any(finding["state"] == State.FAILED for finding in findings):
        sys.exit(1)


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    In ~/.bashrc: eval "$(memd completion bash)"
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is not None:
        click.echo(kind(main, {}, "memd", "_MEMD_COMPLETE").source())


@main.group()
def audit() -> None:
    """Verify the audit log of this machine.

    The log is a hash chain, which shows whether an entry was changed or removed.
    """


@audit.command("verify")
@click.option("--head", metavar="SEQ:HASH", help="A head recorded earlier, which must still be part of the log.")
@data_dir_option
@database_url_option
def audit_verify(head: str | None, data_dir: Path | None, database_url: str | None) -> None:
    """Check every entry of the audit log against the chain; exit with 1 at the first that does not match."""
    from memd.audit.verification import verify_log
    from memd.domain.accounts.audit_chain import parse_link

    try:
        expected = parse_link(head) if head else None
    except ValueError:
        raise click.UsageError("--head takes SEQ:HASH, as `memd audit head` prints it") from None
    found = verify_log(read_settings(data_dir=data_dir, database_url=database_url), expected)
    removed = f", {found.removed_through:,} older ones removed by retention" if found.removed_through else ""
    click.echo(f"{found.entries:,} entries in an unbroken chain{removed}; the head is {found.head}")


@audit.command("head")
@data_dir_option
@database_url_option
def audit_head(data_dir: Path | None, database_url: str | None) -> None:
    """Print the head of the chain; keep it outside the database, for `memd audit verify --head`."""
    from memd.audit.verification import head

    click.echo(head(read_settings(data_dir=data_dir, database_url=database_url)))


@main.group()
def key() -> None:
    """Manage the key of this machine, local.key."""


@key.command("create")
@data_dir_option
@database_url_option
def key_create(data_dir: Path | None, database_url: str | None) -> None:
    """Write a new administrator key to local.key.

    Use it when every administrator key is lost: it needs no key, and memd may be running. Lost keys stay valid until
    you revoke them.
    """
    from memd.bootstrap import make_local_key

    name, file = make_local_key(read_settings(data_dir=data_dir, database_url=database_url))
    click.echo(
        f"{file} holds a new key of {name}; `memctl keys list` shows the others, `memctl keys revoke` revokes them"
    )


@main.group()
def model() -> None:
    """Install or inspect the embedding model on this machine."""


@model.command("install")
@data_dir_option
def model_install(data_dir: Path | None) -> None:
    """Download the default model and verify its hashes; `memd serve` does so at its first start."""
    from memd.embed.providers.model_files import install_model

    folder = install_model(read_settings(data_dir=data_dir).data_dir)
    click.echo(f"The model all-MiniLM-L6-v2 is in {folder}")


@model.command("info")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@data_dir_option
def model_info(as_json: bool, data_dir: Path | None) -> None:
    """Load the configured models and describe them; if one cannot be loaded, say what is missing."""
    from dataclasses import asdict

    from memd.embed.info import model_infos

    infos = model_infos(read_settings(data_dir=data_dir))
    if as_json:
        click.echo(json.dumps({"models": [asdict(info) for info in infos]}))
        return
    for info in infos:
        for label, value in info.lines():
            click.echo(f"{label:<16} {value!r}" if "prefix" in label else f"{label:<16} {value}")
