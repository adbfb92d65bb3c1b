"""The command group `memd`: serve, worker, migrate, reembed, doctor, backup, restore, audit, model, service."""

import asyncio
import json
import os
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import click

from memd.system_service.commands import service
from memd.version import VERSION


def _settings(**options: Any) -> Any:
    """The settings with the options that were given on the command line; from here on, logs are written as they say."""
    from pydantic import ValidationError

    from memd.logs import configure
    from memd.settings import Settings
    from memd.tracing.endpoint import can_export

    file = os.environ.get("MEMD_CONFIG")
    if file and not Path(file).is_file():
        raise click.UsageError(f"MEMD_CONFIG names {file}, and no file is there")
    try:
        settings = Settings(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        lines = [f"MEMD_{'_'.join(map(str, item['loc'])).upper()}: {item['msg']}" for item in error.errors()]
        raise click.UsageError("\n".join(lines)) from None
    except tomllib.TOMLDecodeError as error:
        raise click.UsageError(f"{file} is no TOML: {error}") from None
    configure(settings.log_level)
    if settings.otel_endpoint and not can_export():
        raise click.UsageError("MEMD_OTEL_ENDPOINT needs an extra: pip install 'memd-server[otel]'")
    return settings


data_dir_option = click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False), help="Folder of the database, the models, the key."
)
database_url_option = click.option("--database-url", help="A Postgres of your own (15 or newer, with pgvector).")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="memd")
def main() -> None:
    """Long-term memory for agents, on a bundled Postgres."""


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
    """Start the daemon in the foreground; the first start creates the database, a user and a key."""
    from memd.start import run

    sys.exit(run(_settings(**options)))


@main.command()
@data_dir_option
@database_url_option
def worker(data_dir: Path | None, database_url: str | None) -> None:
    """Run background jobs in a separate process, together with `memd serve --workers-off` or any number of replicas."""
    from memd.start import run_worker

    sys.exit(run_worker(_settings(data_dir=data_dir, database_url=database_url)))


@main.command()
@data_dir_option
@database_url_option
@click.option("--distribute", is_flag=True, help="Distribute the tables over the nodes of a Citus cluster.")
@click.option("--shards", type=click.IntRange(1, 1024), help="With --distribute: shards of each table.  [default: 32]")
def migrate(data_dir: Path | None, database_url: str | None, distribute: bool, shards: int | None) -> None:
    """Migrate the database to the newest revision and exit."""
    from memd.db.distribute import SHARDS
    from memd.db.distribute import distribute as run_distribution
    from memd.db.errors import DatabaseStartError
    from memd.db.migrate import migrate as run_migrations
    from memd.resources import database

    try:
        with database(_settings(data_dir=data_dir, database_url=database_url)) as conninfo:
            click.echo(f"The database is at revision {run_migrations(conninfo)}")
            if distribute:
                run_distribution(conninfo, shards or SHARDS, click.echo)
    except DatabaseStartError as error:
        raise click.ClickException(str(error)) from error


@main.command()
@data_dir_option
@database_url_option
def reembed(data_dir: Path | None, database_url: str | None) -> None:
    """Embed everything again with the model that MEMD_EMBED_MODEL names; can be interrupted and resumed."""
    from memd.db.errors import DatabaseStartError
    from memd.embed.reembed import run

    try:
        total = asyncio.run(run(_settings(data_dir=data_dir, database_url=database_url), click.echo))
    except DatabaseStartError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{total} rows embedded; start memd again to use the new vectors")


@main.command()
@data_dir_option
@database_url_option
def doctor(data_dir: Path | None, database_url: str | None) -> None:
    """Check settings, disk, database, tables, key, queue and model of this machine, and say how to fix problems."""
    from memd.inspection import State, inspect

    marks = {State.OK: "ok  ", State.WARNING: "warn", State.FAILED: "FAIL"}
    failed = False
    for finding in inspect(_settings(data_dir=data_dir, database_url=database_url)):
        click.echo(f"{marks[finding.state]}  {finding.check:<8} {finding.found}")
        if finding.fix:
            click.echo(f"{'':14} → {finding.fix}")
        failed = failed or finding.state is State.FAILED
    if failed:
        sys.exit(1)


class _BackupGroup(click.Group):
    """`memd backup FILE` is short for `memd backup create FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["create", *args]
        return super().parse_args(ctx, args)


@main.group(cls=_BackupGroup, options_metavar="", subcommand_metavar="FILE | create FILE | verify FILE")
def backup() -> None:
    """Write everything to FILE, while memd serves or without it (`memd backup FILE`), or check such a file."""


@backup.command("create")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_dir_option
@database_url_option
def backup_create(file: Path, data_dir: Path | None, database_url: str | None) -> None:
    """Write everything to FILE, while memd serves or without it; FILE holds the local key, so keep it private."""
    from memd.backup import backup as write
    from memd.db.errors import DatabaseStartError

    try:
        size = write(_settings(data_dir=data_dir, database_url=database_url), file)
    except DatabaseStartError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{file} holds everything ({size / 2**20:.1f} MiB)")


@backup.command("verify")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup_verify(file: Path) -> None:
    """Restore FILE into a throw-away Postgres and compare every table with the counts and hashes that FILE recorded."""
    from memd.backup import verify
    from memd.db.errors import DatabaseStartError

    try:
        manifest, differences = verify(file)
    except DatabaseStartError as error:
        raise click.ClickException(str(error)) from error
    if differences:
        raise click.ClickException("\n".join([f"{file} does not hold what was backed up", *map(str, differences)]))
    rows = sum(digest.rows for digest in manifest.tables.values())
    click.echo(f"{file} is whole: {rows:,} rows in {len(manifest.tables)} tables came back as they were")


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL: eval "$(memd completion bash)"."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is not None:
        click.echo(kind(main, {}, "memd", "_MEMD_COMPLETE").source())


@main.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_dir_option
@database_url_option
def restore(file: Path, data_dir: Path | None, database_url: str | None) -> None:
    """Fill an empty data directory, or an empty database, from a backup."""
    from memd.backup import restore as read
    from memd.db.errors import DatabaseStartError

    settings = _settings(data_dir=data_dir, database_url=database_url)
    try:
        manifest = read(settings, file)
    except DatabaseStartError as error:
        raise click.ClickException(str(error)) from error
    option = "" if data_dir is None else f" --data-dir {shlex.quote(str(data_dir))}"
    start = f"start it with: memd serve{option}"
    click.echo(f"restored the backup of memd {manifest.version} into {settings.data_dir}; {start}")


@main.group()
def audit() -> None:
    """The audit log of this machine: a hash chain that shows whether an entry was changed or removed."""


@audit.command("verify")
@click.option("--head", metavar="SEQ:HASH", help="A head noted earlier, which must still be part of the log.")
@data_dir_option
@database_url_option
def audit_verify(head: str | None, data_dir: Path | None, database_url: str | None) -> None:
    """Check every entry of the audit log against the chain; exit code 1 at the first that does not fit."""
    from memd.audit.verification import verify_log
    from memd.db.errors import DatabaseStartError
    from memd.domain.audit_chain import parse_link

    try:
        expected = parse_link(head) if head else None
    except ValueError:
        raise click.UsageError("--head takes SEQ:HASH, as `memd audit head` prints it") from None
    try:
        found = verify_log(_settings(data_dir=data_dir, database_url=database_url), expected)
    except DatabaseStartError as error:
        raise click.ClickException(str(error)) from error
    removed = f", {found.removed_through:,} older ones removed by retention" if found.removed_through else ""
    click.echo(f"{found.entries:,} entries in an unbroken chain{removed}; the head is {found.head}")


@audit.command("head")
@data_dir_option
@database_url_option
def audit_head(data_dir: Path | None, database_url: str | None) -> None:
    """Print the head of the chain; keep it outside of the database, for `memd audit verify --head`."""
    from memd.audit.verification import head
    from memd.db.errors import DatabaseStartError

    try:
        click.echo(head(_settings(data_dir=data_dir, database_url=database_url)))
    except DatabaseStartError as error:
        raise click.ClickException(str(error)) from error


@main.group()
def model() -> None:
    """The embedding model on this machine."""


@model.command("install")
@data_dir_option
def model_install(data_dir: Path | None) -> None:
    """Fetch the default model and check its hashes; needed once after a plain `pip install`."""
    from memd.embed.model_files import install_model
    from memd.embed.provider import EmbedError

    try:
        folder = install_model(_settings(data_dir=data_dir).data_dir)
    except EmbedError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"The model all-MiniLM-L6-v2 is in {folder}")


@model.command("info")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@data_dir_option
def model_info(as_json: bool, data_dir: Path | None) -> None:
    """Load the models that the settings name and show what they are; fails with what is missing."""
    from dataclasses import asdict

    from memd.embed.info import model_infos
    from memd.embed.provider import EmbedError

    try:
        infos = model_infos(_settings(data_dir=data_dir))
    except EmbedError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps({"models": [asdict(info) for info in infos]}))
        return
    for info in infos:
        for label, value in info.lines():
            click.echo(f"{label:<16} {value!r}" if "prefix" in label else f"{label:<16} {value}")
