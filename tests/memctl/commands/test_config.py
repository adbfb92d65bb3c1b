"""`memctl config`, `completion` and what `doctor` reports without a server."""

import json
from collections.abc import Callable

import pytest
from click.testing import Result

Run = Callable[..., Result]


def test_profiles_are_made_chosen_and_listed_without_their_keys(memctl: Run) -> None:
    assert (
        memctl("config", "set", "work", "--url", "https://work.example", "--api-key", "-", stdin="secret\n").exit_code
        == 0
    )
    assert memctl("config", "set", "home", "--url", "http://home.example").exit_code == 0
    assert memctl("config", "use", "home").exit_code == 0
    listed = memctl("config", "list", "--json")
    assert json.loads(listed.stdout) == {
        "profile": "home",
        "profiles": {
            "work": {"url": "https://work.example", "hasKey": True},
            "home": {"url": "http://home.example", "hasKey": False},
        },
    }
    assert "secret" not in memctl("config", "list").stdout


def test_a_profile_that_does_not_exist_cannot_be_used(memctl: Run) -> None:
    done = memctl("config", "use", "nowhere")
    assert (done.exit_code, "it has: none" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["use", "delete"])
def test_a_blank_name_is_no_profile(memctl: Run, command: str) -> None:
    memctl("config", "set", "work", "--url", "https://work.example")
    done = memctl("config", command, "")
    assert (done.exit_code, done.stderr) == (2, "memctl: a profile needs a name\n")
    assert json.loads(memctl("config", "list", "--json").stdout) == {
        "profile": "work",
        "profiles": {"work": {"url": "https://work.example", "hasKey": False}},
    }


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_prints_a_script(memctl: Run, shell: str) -> None:
    done = memctl("completion", shell)
    assert done.exit_code == 0
    assert "_MEMCTL_COMPLETE" in done.stdout


def test_doctor_says_where_it_looked(memctl: Run) -> None:
    memctl("config", "set", "work", "--url", "http://127.0.0.1:9", "--api-key", "k")
    done = memctl("doctor", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 3
    assert (found["url"], found["urlSource"], found["keySource"]) == (
        "http://127.0.0.1:9",
        "profile work",
        "profile work",
    )
    states = {check["check"]: check["state"] for check in found["checks"]}
    assert states == {"config": "ok", "server": "failed"}


@pytest.mark.parametrize(
    ("name", "url", "expected"),
    [
        ("", "http://work.example", "a profile needs a name"),
        (" ", "http://work.example", "a profile needs a name"),
        ("work", "x", "'x' (--url) is not an address of memd"),
        ("work", "ftp://work.example", "is not an address of memd"),
        ("work", "", "is not an address of memd"),
    ],
)
def test_a_profile_without_a_name_or_an_address_is_refused(memctl: Run, name: str, url: str, expected: str) -> None:
    done = memctl("config", "set", name, "--url", url)
    assert (done.exit_code, expected in done.stderr) == (2, True)
    assert json.loads(memctl("config", "list", "--json").stdout) == {"profile": None, "profiles": {}}


def test_the_first_profile_is_said_to_be_in_use(memctl: Run) -> None:
    in_use = [
        "commands now use it" in memctl("config", "set", name, "--url", "http://a.example").stderr
        for name in ("work", "home", "work")
    ]
    assert in_use == [True, False, False]


@pytest.mark.parametrize("key", ["two words", "-"])
def test_what_can_be_no_key_is_not_kept(memctl: Run, key: str) -> None:
    refused = memctl("config", "set", "work", "--url", "http://127.0.0.1:9", "--api-key", key, stdin="\n")
    assert refused.exit_code == 2
    assert refused.stderr == "memctl: --api-key holds no API key: an API key is one word of ASCII characters\n"
    assert json.loads(memctl("config", "list", "--json").stdout)["profiles"] == {}


def test_blanks_around_an_address_are_no_part_of_it(memctl: Run) -> None:
    assert memctl("config", "set", "work", "--url", " http://127.0.0.1:9\n").exit_code == 0
    listed = json.loads(memctl("config", "list", "--json").stdout)
    assert listed["profiles"]["work"]["url"] == "http://127.0.0.1:9"
