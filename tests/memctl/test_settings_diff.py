"""The differences shown between settings files hide the secrets in them."""

import json
from pathlib import Path

import pytest

from memctl.settings_diff import difference, masked

KEY = "0123456789abcdef" * 4
SECRET = "Zx9-hunter.2"
ADDRESS = f"https://ann:{SECRET}@example.org"


@pytest.mark.parametrize(
    "text",
    [
        f'{{"env": {{"ANTHROPIC_API_KEY": "{SECRET}"}}}}',
        f'{{"githubPat":"{SECRET}"}}',
        f'{{"password":\n    "{SECRET}"}}',
        f'{{"headers": {{"Authorization": "Bearer {SECRET}"}}}}',
        f'{{"headers": {{"X-Api-Key": "{SECRET}", "Cookie": "sid={SECRET}"}}}}',
        f'{{"args": [\n  "--token",\n  "{SECRET}"\n]}}',
        f'{{"args": ["--api-key={SECRET}"]}}',
        f'{{"tokens": ["{SECRET}", "{SECRET}"]}}',
        f'{{"secret": "a \\" quote {SECRET}"}}',
        f'{{"command": "TOKEN={SECRET} run --password {SECRET}"}}',
        f'{{"command": "curl -H \'Authorization: Bearer {SECRET}\' {ADDRESS}"}}',
        f'{{"url": "https://example.org/mcp?api_key={SECRET}&a=b"}}',
        f"[servers.a]\ntoken = '{SECRET}'\n",
        f'[servers.a]\nenv = {{ OPENAI_API_KEY = "{SECRET}" }}\n',
        f'[servers.a]\nsecrets = ["{SECRET}",\n  "{SECRET}"]\n',
        f"{{ apiKey: '{SECRET}', token: \"{SECRET}\" }}",
        f'token = """\n{SECRET}\nand {SECRET}"""\n',
        f'{{"env": {{"DB_PWD": "{SECRET}", "API_KEY_2": "{SECRET}", "apiKeys": ["{SECRET}"], "tokenValue": "{SECRET}"}}}}',
        f'{{"env": "{{\\"token\\":\\"{SECRET}\\"}}"}}',
        f'{{"command": "PASSWORD=\\"{SECRET} {SECRET}\\" run"}}',
        f'{{"command": "SECRET=\'{SECRET} {SECRET}\' run"}}',
        f'{{"url": "https://{SECRET}@example.org/mcp"}}',
        f'{{"command": "curl -u ann:{SECRET} https://example.org"}}',
        f'{{"command": "curl --user=ann:{SECRET} https://example.org"}}',
        f'{{"credentials": {{"user": "{SECRET}", "more": {{"value": "{SECRET}"}}}}, "a": 1}}',
        f"{{ auth: {{ user: '{SECRET}' }} }}",
        '{"pin_token": 48151623, "password": 4815162342}',
        f'{{"args": ["-u", "ann:{SECRET}", "https://example.org"]}}',
        f'{{"key_file": "-----BEGIN PRIVATE KEY-----\\n{SECRET}\\n-----END PRIVATE KEY-----"}}',
        f'pem = """-----BEGIN RSA PRIVATE KEY-----\n{SECRET}\n{SECRET}\n-----END RSA PRIVATE KEY-----"""\n',
        '{"url": "https://example.org/api/mcp/s/hunterZmFrZTEyMzQ1Njc4OTBhYmNk/mcp"}',
    ],
)
def test_a_secret_is_hidden_wherever_a_settings_file_has_it(text: str) -> None:
    shown = masked(text)
    assert SECRET not in shown
    assert "hunter" not in shown
    assert "4815" not in shown
    assert shown.count("\n") == text.count("\n")
    assert masked(shown) == shown


@pytest.mark.parametrize("secret", ["sk-ant-REDACTED", "ghp_abcdefghij0123456789", "a1" * 20])
def test_a_secret_is_known_by_its_form_alone(secret: str) -> None:
    assert secret not in masked(json.dumps({"note": f"it is {secret}."}))


@pytest.mark.parametrize(
    "text",
    [
        '{"headers": {"Authorization": "Bearer ${MEMCTL_API_KEY}"}}',
        '{"headers": {"Authorization": "Bearer {env:MEMCTL_API_KEY}"}}',
        '[mcp_servers.memd]\nbearer_token_env_var = "MEMCTL_API_KEY"\n',
        '{"command": "memctl hooks run prompt --client codex --state /home/ann/.local/state/memctl --budget 800"}',
        '{"model": "opus", "note": "of tokens and keys", "maxTokens": 4096}',
        '{"command": "docker run -u 1000:1000 memd", "args": ["-u", "1000:1000", "memd"]}',
        '{"auth": {}, "after": {"value": "plain"}}',
        '{"command": "/nix/store/a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6/bin/memctl"}',
        "not = a [file {of any kind\n'",
    ],
)
def test_everything_else_is_shown(text: str) -> None:
    assert masked(text) == text


def test_of_a_key_of_memd_the_end_is_shown() -> None:
    assert masked(f'{{"Authorization": "Bearer {KEY}"}}') == '{"Authorization": "Bearer …cdef"}'


def test_a_difference_shows_each_changed_line_even_if_only_a_secret_changes() -> None:
    before, after = ('{\r\n  "token": "one"\r\n}\r\n', '{\n  "token": "another"\n}\n')
    assert difference(Path("a.json"), before, before) == ""
    shown = difference(Path("a.json"), before, after).splitlines()
    assert shown[-4:] == [" {", '-  "token": "…"', '+  "token": "…"', " }"]


def test_a_line_that_is_a_secret_in_one_place_is_hidden_in_every_place() -> None:
    lines = ["{", '"token":', f'"{SECRET}",', '"names": [', f'"{SECRET}",', '"b"]', "}"]
    before, after = "\n".join(lines), "\n".join([*lines[:4], *lines[5:]])
    assert SECRET not in difference(Path("a.json"), before, after)
