"""Invalid settings are reported by name, before anything starts."""

import json
import re
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner

from memd.main import main
from memd.settings import Settings, unknown_names


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path that MEMD_CONFIG names; nothing is there yet."""
    path = tmp_path / "memd.toml"
    monkeypatch.setenv("MEMD_CONFIG", str(path))
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "does not exist"),
        ("port = ", "is not valid TOML"),
        ("port = 99999", "MEMD_PORT: Input should be less than or equal to 65535"),
        ('trusted_proxies = ["127.0.0.1", "web"]', "MEMD_TRUSTED_PROXIES: Value error, web is not an IP address"),
        ('trusted_proxies = ["10.0.0.0/8"]', "MEMD_TRUSTED_PROXIES: Value error, 10.0.0.0/8 is not an IP address"),
        ('base_url = "memory.example.com"', "MEMD_BASE_URL: Value error, the address begins with http:// or https://"),
        (
            'time_zone = "Europa/Berlin"',
            "MEMD_TIME_ZONE: Value error, there is no time zone Europa/Berlin: use an IANA",
        ),
        ('embed_model = "best"', "MEMD_EMBED_MODEL: Value error, there is no model best"),
        ("[message_weights]\nluck = 1", "MEMD_MESSAGE_WEIGHTS: Value error, no component is named luck"),
        (
            "[message_weights]\nsession = -1",
            "MEMD_MESSAGE_WEIGHTS: Value error, A weight must be a number of at least 0",
        ),
        ("[message_weights]\nnear = 2", "MEMD_MESSAGE_WEIGHTS: Value error, near must be at most 1"),
        ("[message_weights]\ncosine = 0\ncoverage = 0", "MEMD_MESSAGE_WEIGHTS: Value error, near must be at most 1"),
    ],
)
def test_a_file_that_cannot_be_used_is_reported(config: Path, text: str | None, message: str) -> None:
    if text is not None:
        config.write_text(text)
    result = CliRunner().invoke(main, ["migrate"])
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


@pytest.mark.parametrize("name", ["MEMD_JWT_SUBJECTS", "MEMD_MESSAGE_WEIGHTS", "MEMD_SCHEDULE"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("decay=off", 'Value error, it must be a JSON object, such as {"name": "value"}: Expecting value'),
        ("[]", "Input should be a valid dictionary"),
    ],
)
def test_a_variable_that_is_no_json_object_is_reported(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, message: str
) -> None:
    monkeypatch.setenv(name, text)
    result = CliRunner().invoke(main, ["migrate"])
    assert (result.exit_code, f"{name}: {message}" in " ".join(result.output.split())) == (2, True)


def test_variables_may_be_json_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMD_SCHEDULE", '{"decay": "off"}')
    monkeypatch.setenv("MEMD_JWT_SUBJECTS", '{"ann": "usr_01m7yw9thmezt8dazqksafd50e"}')
    settings = Settings()
    assert (settings.schedule, list(settings.jwt_subjects)) == ({"decay": "off"}, ["ann"])


def test_a_name_that_is_no_setting_is_reported(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text('port = 7400\ncolour = "blue"')
    monkeypatch.setenv("MEMD_PROT", "1")
    assert unknown_names() == ["MEMD_PROT", f"colour in {config}"]
    assert Settings().port == 7400


def test_an_empty_variable_is_no_setting(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text("port = 7400")
    for name in Settings.model_fields:
        monkeypatch.delenv(f"MEMD_{name.upper()}", raising=False)
    unset = Settings()
    for name in Settings.model_fields:
        monkeypatch.setenv(f"MEMD_{name.upper()}", "")
    assert Settings() == unset
    assert (unset.port, unset.llm_url, unset.moderation_url) == (7400, None, None)


def test_a_time_zone_reaches_worker_processes(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text("")
    monkeypatch.setenv("MEMD_TIME_ZONE", "Asia/Kathmandu")
    assert Settings(**json.loads(json.dumps(Settings().model_dump(mode="json")))) == Settings()


@pytest.mark.parametrize("here", ["Asia/Kathmandu", "Pacific/Kiritimati"])
def test_doctor_shows_the_time_of_the_zone_and_another_one_of_the_machine(
    here: str, config: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config.write_text('time_zone = "Asia/Kathmandu"')
    monkeypatch.setenv("TZ", here)
    time.tzset()
    try:
        output = CliRunner().invoke(main, ["doctor", "--json", "--data-dir", str(tmp_path)]).output
    finally:
        monkeypatch.undo()
        time.tzset()
    (found,) = [check["found"] for check in json.loads(output)["checks"] if check["check"] == "zone"]
    said = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", found)
    assert said == "Asia/Kathmandu, where it is TIME" + (
        "" if here == "Asia/Kathmandu" else "; here it is TIME (MEMD_TIME_ZONE sets the zone)"
    )
    times = [datetime.fromisoformat(one) for one in re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", found)]
    for shown, zone in zip(times, ("Asia/Kathmandu", here), strict=False):
        assert abs(datetime.now(ZoneInfo(zone)) - shown.replace(tzinfo=ZoneInfo(zone))) < timedelta(minutes=2)
