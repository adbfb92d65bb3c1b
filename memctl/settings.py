"""Which memd to talk to, and with which key.

The order is: options (`--url`, `--data-dir`, `--profile`), environment (`MEMCTL_URL`, `MEMCTL_API_KEY`), the chosen
profile of the config file, the memd of this machine, which `memd.json` in its data directory names. A key never leaves
for an address that it does not belong to: a profile's key goes to the profile's address only, that of the environment
to `MEMCTL_URL` where it is set, the key file's only through the unix socket in the same directory, since anybody on
this machine may listen on a port.
"""

import json
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from memctl.addresses import DEFAULT_PORT, LOOPBACK
from memctl.wire.api_keys import MalformedKeyError, trimmed_key
from memctl.wire.external_ids import MalformedExternalIdError, external_id

DEFAULT_URL = f"http://127.0.0.1:{DEFAULT_PORT}"
GUESSED = "default"
"""The source of an address that nothing has named."""
NOT_SERVED = "--data-dir, which no memd serves"
"""The source of the address when the data directory that was named has no running memd."""
_BLANK = re.compile(r"[\s\x00-\x1f\x7f]")


class ConfigError(Exception):
    """The config file cannot be read, or does not hold what was asked for; or a setting cannot be used."""


class Profile(NamedTuple):
    """An address and its key under a name."""

    name: str
    url: str
    api_key: str | None = None


class Config(NamedTuple):
    """The config file: profiles, and the name of the one in use."""

    profiles: Mapping[str, Profile]
    chosen: str | None = None


class Options(NamedTuple):
    """The options of the command line; None when an option is absent."""

    url: str | None = None
    api_key: str | None = None
    profile: str | None = None
    data_dir: str | None = None
    as_user: str | None = None


class Connection(NamedTuple):
    """The address and key to use, and for `memctl doctor` where each of them came from.

    `socket` is the path of a unix socket that leads to the same server, `key_file` the file that the key is from if it
    is the key of this machine. `end_user` is whom the key acts for, by the name that the application has for the end
    user (contract 17.1).
    """

    url: str
    api_key: str | None
    url_source: str
    key_source: str
    socket: str | None = None
    key_file: Path | None = None
    end_user: str | None = None

    @property
    def is_exposed(self) -> bool:
        """Whether a key would cross a network without encryption."""
        where = urlsplit(self.url)
        return where.scheme == "http" and where.hostname not in LOOPBACK and self.api_key is not None

    @property
    def is_guess(self) -> bool:
        """Whether nothing says that memd is at this address: any program of this machine may listen there."""
        return self.url_source == NOT_SERVED or (self.url_source == GUESSED and self.api_key is None)

    @property
    def is_of_data_directory(self) -> bool:
        """Whether the address is that of the memd which serves a data directory, running or not."""
        return self.url_source in {"--data-dir", "memd.json", NOT_SERVED, GUESSED}


class LocalServer(NamedTuple):
    """The memd that serves a data directory of this machine, as `memd.json` says."""

    url: str
    socket: str


def config_path(environment: Mapping[str, str] = os.environ) -> Path:
    """The config file: `MEMCTL_CONFIG`, or `config.toml` in the platform's folder."""
    if named := environment.get("MEMCTL_CONFIG"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("memctl", appauthor=False)) / "config.toml"


def state_dir() -> Path:
    """The folder for what memctl remembers between runs: `MEMCTL_STATE_DIR`, or the platform's."""
    if named := os.environ.get("MEMCTL_STATE_DIR"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_state_dir("memctl", appauthor=False))


def local_server(folder: Path) -> LocalServer | None:
    """The memd that serves this data directory; None without one, or when its socket is not the directory owner's."""
    try:
        state = cast("dict[str, Any]", json.loads((folder / "memd.json").read_text("utf-8")))
        host, port, socket = str(state["host"]), int(state["port"]), str(state["socket"])
        found = Path(socket).lstat()
        owner = folder.stat().st_uid
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not stat.S_ISSOCK(found.st_mode) or found.st_uid not in {owner, 0}:
        return None
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - names to replace
    return LocalServer(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}", socket)


def local_key_path(environment: Mapping[str, str] = os.environ) -> Path:
    """The key file that `memd serve` writes on its first start on this machine."""
    if named := environment.get("MEMD_DATA_DIR"):
        return Path(named) / "local.key"
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/memd/local.key")
    import platformdirs

    return Path(platformdirs.user_data_dir("memd", appauthor=False)) / "local.key"


def unusual_data_dir() -> str | None:
    """The data directory that `MEMD_DATA_DIR` names, as an absolute path; None when it is the default one."""
    folder = local_key_path().parent.absolute()
    usual = local_key_path({**os.environ, "MEMD_DATA_DIR": ""}).parent
    return None if folder == usual else str(folder)


def read_config(path: Path) -> Config:
    """The config file; empty when there is none. ConfigError when it cannot be understood."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Config({})
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    import tomllib  # hooks start a process for each event and mostly there is no file

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from error
    entries = cast("dict[str, Any]", table.get("profiles", {}))
    profiles = {name: _profile(path, name, entry) for name, entry in entries.items()}
    return Config(profiles, table.get("profile"))


def _profile(path: Path, name: str, entry: Any) -> Profile:
    if not isinstance(entry, dict) or not isinstance(cast("dict[str, Any]", entry).get("url"), str):
        raise ConfigError(f"{path}: profile {name} has no url")
    fields = cast("dict[str, Any]", entry)
    return Profile(name, fields["url"].strip(), fields.get("api_key"))


def chosen_profile(config: Config, name: str | None) -> Profile | None:
    """The named profile, else the one in use; ConfigError when the file has no such profile."""
    profile_name = name or config.chosen
    if profile_name is None:
        return None
    if profile_name not in config.profiles:
        known = ", ".join(sorted(config.profiles)) or "none"
        raise ConfigError(
            f"no profile {profile_name} in the config file; it has: {known}; see `memctl config set --help`"
        )
    return config.profiles[profile_name]


def resolve(options: Options, environment: Mapping[str, str] = os.environ) -> Connection:
    """The connection for a command; ConfigError when the config file cannot be used."""
    profile = chosen_profile(read_config(config_path(environment)), options.profile)
    if options.data_dir:
        environment = {**environment, "MEMD_DATA_DIR": options.data_dir}
    folder = local_key_path(environment).parent
    local = local_server(folder)
    url, url_source = _url(options, environment, profile, local)
    url = url.strip()
    check_address(url, url_source)
    if local is not None and not _is_same(url, local.url):
        local = None
    key, key_source = _key(options, environment, profile, url, local)
    try:
        key = None if key is None else trimmed_key(key)
    except MalformedKeyError as error:
        raise ConfigError(f"{key_source} holds no API key: {error}") from None
    key_file = folder / "local.key" if key_source == str(folder / "local.key") else None
    end_user = _end_user(options, environment)
    return Connection(url.rstrip("/"), key, url_source, key_source, local.socket if local else None, key_file, end_user)


def check_address(url: str, source: str) -> None:
    """ConfigError when an address is none that memd can have."""
    try:
        parts = urlsplit(url)
        usable = (
            parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0 and not _BLANK.search(url)
        )
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"{url!r} ({source}) is not an address of memd; it looks like {DEFAULT_URL}")


def _end_user(options: Options, environment: Mapping[str, str]) -> str | None:
    """Whom to act for; ConfigError for what cannot be a name, so that nothing is done for the account instead."""
    source, name = (
        ("--as", options.as_user) if options.as_user is not None else ("MEMCTL_AS", environment.get("MEMCTL_AS"))
    )
    try:
        return None if name is None else external_id(name)
    except MalformedExternalIdError as error:
        raise ConfigError(f"{source} {error}") from None


def _is_same(url: str, local: str) -> bool:
    """Whether an address is that of the local server, by any name of loopback."""
    given, known = urlsplit(url), urlsplit(local)
    try:
        return given.scheme == "http" and given.port == known.port and given.hostname in {*LOOPBACK, known.hostname}
    except ValueError:
        return False


def _url(
    options: Options, environment: Mapping[str, str], profile: Profile | None, local: LocalServer | None
) -> tuple[str, str]:
    if options.url:
        return options.url, "--url"
    if options.data_dir:
        return (local.url, "--data-dir") if local is not None else (DEFAULT_URL, NOT_SERVED)
    if options.profile and profile:
        return profile.url, f"profile {profile.name}"
    if named := environment.get("MEMCTL_URL"):
        return named, "MEMCTL_URL"
    if profile:
        return profile.url, f"profile {profile.name}"
    return (local.url, "memd.json") if local is not None else (DEFAULT_URL, GUESSED)


def _key(
    options: Options,
    environment: Mapping[str, str],
    profile: Profile | None,
    url: str,
    local: LocalServer | None,
) -> tuple[str | None, str]:
    if options.api_key:
        return options.api_key, "--api-key"
    asked_for = options.profile is not None and profile is not None and profile.api_key is not None
    named = environment.get("MEMCTL_API_KEY")
    other = _other_address(environment, url)
    if named and not asked_for and not other:
        return named, "MEMCTL_API_KEY"
    if profile and profile.api_key and profile.url.rstrip("/") == url.rstrip("/"):
        return profile.api_key, f"profile {profile.name}"
    if local is not None:
        return _local_key(local_key_path(environment))
    return None, f"none (MEMCTL_API_KEY is for {other})" if named and other else "none"


def _other_address(environment: Mapping[str, str], url: str) -> str | None:
    """The address of `MEMCTL_URL`, which the key next to it is for, unless it is this one; None where it is not set."""
    named = environment.get("MEMCTL_URL", "").strip()
    is_same = named.rstrip("/") == url.rstrip("/") or (_is_same(url, named) and _is_same(named, url))
    return None if not named or is_same else named


def _local_key(path: Path) -> tuple[str | None, str]:
    try:
        return path.read_text("ascii").strip() or None, str(path)
    except FileNotFoundError:
        return None, "none"
    except (OSError, UnicodeDecodeError) as error:
        return None, f"none ({path}: {error.__class__.__name__})"
