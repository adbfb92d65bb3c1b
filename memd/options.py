"""The options that commands of memd share, and the settings with them."""

import os
import tomllib
from pathlib import Path
from typing import Any

import click


def read_settings(**options: Any) -> Any:
    """The settings with the options that were given on the command line; from here on, logs are written as they say."""
    from pydantic import ValidationError

    from memd.logs import configure
    from memd.settings import Settings
    from memd.tracing.endpoint import can_export

    file = os.environ.get("MEMD_CONFIG")
    if file and not Path(file).is_file():
        raise click.UsageError(f"MEMD_CONFIG names {file}, which does not exist")
    try:
        settings = Settings(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        lines = [f"MEMD_{str(item['loc'][0]).upper()}: {item['msg']}" for item in error.errors()]
        raise click.UsageError("\n".join(lines)) from None
    except tomllib.TOMLDecodeError as error:
        raise click.UsageError(f"{file} is not valid TOML: {error}") from None
    configure(settings.log_level)
    if settings.otel_endpoint and not can_export():
        raise click.UsageError("MEMD_OTEL_ENDPOINT needs an extra: pip install 'memd-server[otel]'")
    return settings


data_dir_option = click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False), help="Directory of the database, models and key."
)
database_url_option = click.option("--database-url", help="A Postgres of your own (15 or newer, with pgvector).")
