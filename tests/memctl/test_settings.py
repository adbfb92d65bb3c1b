"""Where memctl finds its server: options, environment, profile, the key file of this machine."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from memctl.config_file import set_profile, use_profile
from memctl.main import cli
from memctl.settings import DEFAULT_URL, ConfigError, Connection, Options, read_config, resolve

CONFIG = """
profile = "work"

[profiles.work]
url = "https://work.example"
api_key = "work-key"

[profiles.bare]
url = "https://bare.example"
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "local.key").write_text("local-key\n")
    return {"MEMCTL_CONFIG": str(tmp_path / "config.toml"), "MEMD_DATA_DIR": str(tmp_path / "data")}


@pytest.mark.parametrize("around", ["{}\n", "{}\r\n", " {} "])
def test_a_line_break_after_a_key_or_an_address_is_no_part_of_it(environment: dict[str, str], around: str) -> None:
    given = {"MEMCTL_URL": around.format("http://e"), "MEMCTL_API_KEY": around.format("ek")}
    found = resolve(Options(), environment | given)
    assert (found.url, found.api_key) == ("http://e", "ek")


def test_the_key_of_a_profile_is_sent_to_its_address_where_blanks_are_around_it(environment: dict[str, str]) -> None:
    config = Path(environment["MEMCTL_CONFIG"])
    config.write_text(CONFIG.replace("https://work.example", " https://work.example "))
    found = resolve(Options(), environment)
    assert (found.url, found.api_key) == ("https://work.example", "work-key")


@pytest.mark.parametrize("key", ["secret\nsecret", "secret secret", "sécret", "\n"])
def test_what_cannot_be_a_key_is_refused_and_not_shown(environment: dict[str, str], key: str) -> None:
    with pytest.raises(ConfigError, match="MEMCTL_API_KEY holds no API key") as refused:
        resolve(Options(), environment | {"MEMCTL_API_KEY": key})
    assert "cret" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://e\n.example", "http://e .example", "http://e\x00"])
def test_an_address_with_a_blank_in_it_is_refused(environment: dict[str, str], url: str) -> None:
    with pytest.raises(ConfigError, match="is not an address of memd"):
        resolve(Options(url=url), environment)


def without_profile(environment: dict[str, str]) -> dict[str, str]:
    return environment | {"MEMCTL_CONFIG": environment["MEMCTL_CONFIG"] + ".none"}


@pytest.mark.parametrize(
    ("options", "variables", "url", "key"),
    [
        (Options(), {}, "https://work.example", "work-key"),
        (Options(), {"MEMCTL_URL": "http://e", "MEMCTL_API_KEY": "ek"}, "http://e", "ek"),
        (Options(url="http://o/", api_key="ok"), {"MEMCTL_URL": "http://e", "MEMCTL_API_KEY": "ek"}, "http://o", "ok"),
        (Options(url="http://o"), {"MEMCTL_API_KEY": "ek"}, "http://o", "ek"),
        (
            Options(profile="work"),
            {"MEMCTL_URL": "http://e", "MEMCTL_API_KEY": "ek"},
            "https://work.example",
            "work-key",
        ),
        (Options(profile="bare"), {"MEMCTL_API_KEY": "ek"}, "https://bare.example", "ek"),
        (Options(url="http://e/"), {"MEMCTL_URL": " http://e", "MEMCTL_API_KEY": "ek"}, "http://e", "ek"),
        (Options(url="http://localhost:1"), {"MEMCTL_URL": "http://[::1]:1", "MEMCTL_API_KEY": "ek"}, None, "ek"),
    ],
)
def test_options_beat_environment_beats_profile(
    environment: dict[str, str], options: Options, variables: dict[str, str], url: str | None, key: str
) -> None:
    found = resolve(options, environment | variables)
    assert (found.url, found.api_key) == (url or options.url, key)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        (Options(url="http://stranger"), None),
        (Options(url="http://localhost"), None),
        (Options(url="https://work.example"), "work-key"),
        (Options(profile="bare"), None),
    ],
)
def test_the_key_of_the_environment_goes_to_no_other_address_than_the_one_next_to_it(
    environment: dict[str, str], options: Options, key: str | None
) -> None:
    found = resolve(options, environment | {"MEMCTL_URL": "http://memory.example", "MEMCTL_API_KEY": "ek"})
    assert (found.api_key, key or "MEMCTL_API_KEY is for http://memory.example" in found.key_source) == (
        key,
        key or True,
    )


@pytest.fixture
def served(environment: dict[str, str]) -> Iterator[Path]:
    """A socket and a `memd.json` in the data directory, as a running memd leaves them."""
    folder = Path(environment["MEMD_DATA_DIR"])
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "memd.sock"))
        state = {"host": "127.0.0.1", "port": 9000, "socket": str(folder / "memd.sock"), "pid": 1}
        (folder / "memd.json").write_text(json.dumps(state))
        yield folder


def test_without_a_profile_the_memd_of_this_machine_is_used(environment: dict[str, str], served: Path) -> None:
    found = resolve(Options(), without_profile(environment))
    assert (found.url, found.api_key, found.socket) == ("http://127.0.0.1:9000", "local-key", str(served / "memd.sock"))
    named = resolve(Options(data_dir=str(served)), environment | {"MEMD_DATA_DIR": "/nowhere"})
    assert (named.url, named.api_key, named.socket) == (found.url, found.api_key, found.socket)
    elsewhere = {"MEMCTL_URL": "http://memory.example", "MEMCTL_API_KEY": "ek"}
    assert resolve(Options(data_dir=str(served), profile="work"), environment | elsewhere) == named


@pytest.mark.parametrize(
    "state", ["", "{}", '{"host": "127.0.0.1", "port": 9000, "socket": "/etc/hostname", "pid": 1}']
)
def test_without_a_socket_the_key_of_the_data_directory_stays(environment: dict[str, str], state: str) -> None:
    """Anybody on this machine may listen on the port."""
    if state:
        (Path(environment["MEMD_DATA_DIR"]) / "memd.json").write_text(state)
    found = resolve(Options(), without_profile(environment))
    assert (found.url, found.api_key, found.socket) == (DEFAULT_URL, None, None)
    assert found.is_guess
    assert not resolve(Options(url=DEFAULT_URL), without_profile(environment)).is_guess


@pytest.mark.parametrize(
    ("url", "key", "exposed"),
    [
        ("http://memory.example", "k", True),
        ("http://memory.example", None, False),
        ("https://memory.example", "k", False),
        ("http://127.0.0.1:7377", "k", False),
    ],
)
def test_a_key_over_plain_http_to_another_host_is_exposed(url: str, key: str | None, exposed: bool) -> None:
    assert Connection(url, key, "", "").is_exposed is exposed


@pytest.mark.parametrize(
    ("options", "key"),
    [
        (Options(url="https://elsewhere.example"), None),
        (Options(profile="bare"), None),
        (Options(url="http://localhost:9000"), "local-key"),
        (Options(url="http://localhost:7377"), None),
        (Options(url="https://work.example/"), "work-key"),
    ],
)
@pytest.mark.usefixtures("served")
def test_a_key_goes_only_where_it_belongs(environment: dict[str, str], options: Options, key: str | None) -> None:
    assert resolve(options, environment).api_key == key


def test_a_missing_profile_names_those_that_exist(environment: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="no profile home in the config file; it has: bare, work"):
        resolve(Options(profile="home"), environment)


@pytest.mark.parametrize("text", ["profile = [", "[profiles.x]\nkey = 1\n", "[profiles]\nx = 1\n"])
def test_a_config_file_that_cannot_be_understood_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"config\.toml"):
        read_config(path)


def test_a_profile_is_written_for_its_owner_only_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "config.toml"
    set_profile(path, "work", "https://work.example", "k1")
    path.write_text("# mine\n" + path.read_text())
    set_profile(path, "work", None, "k2")
    set_profile(path, "home", "http://home.example", None)
    config = read_config(path)
    assert path.read_text().startswith("# mine\n")
    assert path.stat().st_mode & 0o777 == 0o600
    assert (config.chosen, config.profiles["work"].api_key, config.profiles["home"].url) == (
        "work",
        "k2",
        "http://home.example",
    )
    use_profile(path, "home")
    assert read_config(path).chosen == "home"


def test_a_new_profile_needs_an_address(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--url"):
        set_profile(tmp_path / "config.toml", "work", None, "k")


def test_a_write_that_fails_leaves_no_key_behind(tmp_path: Path) -> None:
    """A lone surrogate cannot be encoded, which is found out in the middle of the write."""
    path = tmp_path / "config.toml"
    set_profile(path, "work", "https://work.example", "k1")
    with pytest.raises(UnicodeEncodeError):
        set_profile(path, "work", None, "secret\udc80")
    assert list(tmp_path.iterdir()) == [path]
    assert read_config(path).profiles["work"].api_key == "k1"


@pytest.mark.parametrize(("scheme", "warned"), [("http", True), ("https", False)])
def test_a_command_warns_before_it_sends_a_key_over_plain_http(tmp_path: Path, scheme: str, warned: bool) -> None:
    url = f"{scheme}://memd.invalid:7377"  # never resolved (RFC 6761)
    environment = {"MEMCTL_CONFIG": str(tmp_path / "none.toml"), "MEMD_DATA_DIR": str(tmp_path)}
    done = CliRunner().invoke(cli, ["--url", url, "--api-key", "k", "stats"], env=environment)
    assert done.exit_code != 0
    assert (f"{url} is not encrypted: the API key can be read on the way" in done.stderr) == warned
