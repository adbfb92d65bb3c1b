"""Profiles: named addresses and keys."""

import click

from memctl import output
from memctl.config_file import delete_profile, forget_key, set_profile, use_profile
from memctl.diagnostics import ExitCode, give_up, note
from memctl.groups import Group
from memctl.options import Form, content_of, examples, forms
from memctl.settings import Config, ConfigError, chosen_profile, config_path, read_config
from memctl.wire.api_keys import MalformedKeyError, trimmed_key


@click.group(
    cls=Group,
    epilog=examples("memctl config set work --url https://memory.example.com --api-key -", "memctl config use work"),
)
def config() -> None:
    """Choose and change profiles: addresses and keys under a name."""


def _read() -> Config:
    try:
        return read_config(config_path())
    except ConfigError as error:
        give_up(str(error), ExitCode.USAGE)


@config.command("list", epilog=examples("memctl config list", "memctl config list --json"))
@forms()
def list_(form: Form) -> None:
    """List the profiles; keys are never shown."""
    found = _read()
    if form is Form.JSON:
        entries = {
            name: {"url": profile.url, "hasKey": bool(profile.api_key)} for name, profile in found.profiles.items()
        }
        output.document({"profile": found.chosen, "profiles": entries})
        return
    if not found.profiles:
        note(f"no profiles in {config_path()}; create one with `memctl config set NAME --url URL`")
        return
    rows = (
        ["*" if name == found.chosen else "", name, profile.url, "yes" if profile.api_key else "no"]
        for name, profile in found.profiles.items()
    )
    output.table(["", "profile", "url", "key"], rows)


@config.command(epilog=examples("memctl config use work"))
@click.argument("name")
def use(name: str) -> None:
    """Make NAME the profile that commands use."""
    try:
        chosen_profile(_read(), name)
        use_profile(config_path(), name)
    except ConfigError as error:
        give_up(str(error), ExitCode.USAGE)
    note(f"commands now use {name}")


@config.command(
    "set",
    epilog=examples(
        "memctl config set work --url https://memory.example.com --api-key - < key.txt",
        "memctl config set work --url http://10.0.0.5:7377",
    ),
)
@click.argument("name")
@click.option("--url", help="Address of memd.")
@click.option(
    "--api-key", help="API key; `-` reads it from standard input, so that it stays out of the shell's history."
)
def set_(name: str, url: str | None, api_key: str | None) -> None:
    """Create or change the profile NAME; the first one becomes the default. Only you can read the file."""
    try:
        key = trimmed_key(content_of(api_key)) if api_key else None
        is_first = set_profile(config_path(), name, url.strip() if url else url, key)
    except MalformedKeyError as error:
        give_up(f"--api-key holds no API key: {error}", ExitCode.USAGE)
    except ConfigError as error:
        give_up(str(error), ExitCode.USAGE)
    note(f"profile {name} is in {config_path()}{'; commands now use it' if is_first else ''}")


@config.command(epilog=examples("memctl config delete work"))
@click.argument("name")
def delete(name: str) -> None:
    """Remove the profile NAME with its key; the key itself stays valid until `memctl keys revoke`."""
    try:
        chosen_profile(_read(), name)
        delete_profile(config_path(), name)
    except ConfigError as error:
        give_up(str(error), ExitCode.USAGE)
    note(f"deleted profile {name}")


@click.command(epilog=examples("memctl logout", "memctl logout --profile work"))
@click.option("--profile", metavar="TEXT", help="Profile of the config file.  [default: the one in use]")
def logout(profile: str | None) -> None:
    """Remove the key of a profile from this machine; it stays valid until `memctl keys revoke`."""
    try:
        found = chosen_profile(_read(), profile)
        if found is not None:
            forget_key(config_path(), found.name)
    except ConfigError as error:
        give_up(str(error), ExitCode.USAGE)
    if found is None:
        raise click.UsageError("no profile is in use; name one with --profile")
    note(f"profile {found.name} has no key any more" if found.api_key else f"profile {found.name} has no key")
