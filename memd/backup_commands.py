"""`memd backup` and `memd restore`."""

import shlex
from pathlib import Path

import click

from memd.options import data_dir_option, database_url_option, read_settings


class _BackupGroup(click.Group):
    """`memd backup FILE` is short for `memd backup create FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["create", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_BackupGroup, options_metavar="", subcommand_metavar="FILE | create FILE | verify FILE")
def backup() -> None:
    """Back up everything to FILE, or verify a backup.

    `memd backup FILE` is short for `memd backup create FILE`; memd may be running.
    """


@backup.command("create")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_dir_option
@database_url_option
def backup_create(file: Path, data_dir: Path | None, database_url: str | None) -> None:
    """Back up everything to FILE, which must not exist.

    memd may be running. FILE contains the local key, so keep it private.
    """
    from memd.backup import backup as write

    if str(file) == "-":
        raise click.UsageError("FILE must be a file: a backup is renamed into place when it is complete")
    size = write(read_settings(data_dir=data_dir, database_url=database_url), file)
    click.echo(f"{file} holds everything ({size / 2**20:,.2f} MiB)")


@backup.command("verify")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup_verify(file: Path) -> None:
    """Check that FILE can be restored.

    It is restored into a temporary Postgres, and every table is compared with the counts and hashes that FILE recorded.
    """
    from memd.backup import verify
    from memd.logs import harmless

    manifest, differences = verify(file)
    if differences:
        lines = "\n".join([f"{file} differs from what was backed up", *map(str, differences)])
        raise click.ClickException(harmless(lines))
    rows = sum(digest.rows for digest in manifest.tables.values())
    click.echo(f"{file} is intact: {rows:,} rows in {len(manifest.tables)} tables were restored unchanged")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_dir_option
@database_url_option
def restore(file: Path, data_dir: Path | None, database_url: str | None) -> None:
    """Restore a backup into an empty data directory or database."""
    from memd.backup import restore as read
    from memd.logs import harmless

    settings = read_settings(data_dir=data_dir, database_url=database_url)
    manifest = read(settings, file)
    option = "" if data_dir is None else f" --data-dir {shlex.quote(str(data_dir))}"
    place, address = settings.data_dir, ""
    if settings.database_url is not None:
        place, address = "the database of MEMD_DATABASE_URL", ", with the same MEMD_DATABASE_URL"
    version = harmless(manifest.version)
    click.echo(f"restored the backup of memd {version} into {place}; start it with: memd serve{option}{address}")
