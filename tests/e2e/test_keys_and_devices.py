"""Keys, users and device sign-in from the command line against a real memd; and nothing secret is left lying about."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from memctl.main import cli
from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e


class Terminal:
    """A shell of somebody with a config file of their own."""

    def __init__(self, daemon: Daemon, home: Path) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
        self.environment = {
            **clean,
            "MEMCTL_URL": daemon.url,
            "MEMCTL_CONFIG": str(home / "config.toml"),
            "MEMD_DATA_DIR": str(home / "nothing"),
        }

    def memctl(self, *arguments: str, key: str | None = None, code: int = 0) -> str:
        """Run memctl; its standard output."""
        environment = {**self.environment, "MEMCTL_API_KEY": key}
        done = CliRunner().invoke(cli, arguments, env=environment, catch_exceptions=False)
        assert done.exit_code == code, done.stderr
        return done.stdout.strip()

    def json(self, *arguments: str, key: str | None = None) -> Any:
        return json.loads(self.memctl(*arguments, "--json", key=key))

    def login(self) -> tuple[subprocess.Popen[str], str]:
        """Start a sign-in; the process, and the code that it shows."""
        process = subprocess.Popen(
            [sys.executable, "-m", "memctl", "login", "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"[A-Z2-9]{4}-[A-Z2-9]{4}", line):
                return process, found.group()
        raise AssertionError("no code was shown")


def secrets_in(folder: Path, secrets: list[str]) -> list[tuple[str, str]]:
    """Every file under a folder that holds one of the secrets."""
    found: list[tuple[str, str]] = []
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "local.key":
            content = path.read_bytes()
            found += [(str(path), secret) for secret in secrets if secret.encode() in content]
    return found


def page_session(daemon: Daemon, key: str) -> list[str]:
    """Approve a device on the page; the secrets of the way: cookies, device code and key of the device."""
    with httpx.Client(base_url=daemon.url, follow_redirects=True) as browser:
        codes = browser.post("/api/device/start", json={"clientName": "laptop"}).json()
        page = browser.get(codes["verification_uri_complete"])
        cookies = [browser.cookies["memd_device"]]
        for fields in ({"api_key": key, "action": "sign_in"}, {"action": "approve"}):
            hidden = dict(re.findall(r'name="(\w+)" value="([^"]*)">', page.text))
            page = browser.post("/device", data={**hidden, **fields})
            cookies.append(browser.cookies["memd_device"])
        assert "Approved" in page.text
        answer = browser.get("/api/device/status", params={"device_code": codes["device_code"]}).json()
    return [*cookies, codes["device_code"], answer["apiKey"]]


def test_keys_users_and_devices_from_the_command_line(daemon: Daemon, tmp_path: Path) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    terminal, admin = Terminal(daemon, tmp_path), daemon.key

    made = terminal.memctl("keys", "create", "--label", "laptop", key=admin)
    assert re.fullmatch(r"[0-9a-f]{64}", made)
    assert "laptop" in terminal.memctl("keys", "list", key=made)
    rotated = terminal.memctl("keys", "rotate", "laptop", key=admin)
    terminal.memctl("keys", "list", key=made, code=4)
    terminal.memctl("keys", "list", key=rotated)
    terminal.memctl("keys", "revoke", "laptop", key=admin)
    terminal.memctl("keys", "list", key=rotated, code=4)
    terminal.memctl("keys", "revoke", "laptop", key=admin, code=5)
    read_only = terminal.json("keys", "create", "--scope", "read", "--days", "3", key=admin)
    assert (read_only["scopes"], read_only["expiresAt"] > 0) == (["read"], True)
    terminal.memctl("keys", "create", key=read_only["apiKey"], code=4)

    ann = terminal.json("users", "create", "ann", "--tier", "pro", key=admin)
    assert terminal.json("users", "set", "ann", "--policy", "managed_ultra", key=admin)["policy"] == "managed_ultra"
    assert terminal.json("users", "set", "ann", "--policy", "none", key=admin)["policy"] is None
    assert {row["name"] for row in terminal.json("users", "list", key=admin)["users"]} == {"local", "ann"}
    terminal.memctl("users", "list", key=ann["apiKey"], code=4)
    terminal.memctl("users", "set", "ann", key=admin, code=2)
    terminal.memctl("users", "set", "nobody", "--tier", "pro", key=admin, code=5)

    (denied, first_code), (approved, second_code) = terminal.login(), terminal.login()
    terminal.memctl("device", "deny", first_code.lower(), key=ann["apiKey"])
    terminal.memctl("device", "approve", second_code, key=ann["apiKey"])
    for process, code in ((denied, 4), (approved, 0)):
        process.communicate(timeout=60)
        assert process.returncode == code
    assert terminal.memctl("keys", "list").count("Device") == 1
    terminal.memctl("device", "approve", "AAAA-AAAA", key=ann["apiKey"], code=5)
    kept = re.findall(r'api_key = "(\w{64})"', (tmp_path / "config.toml").read_text())

    on_the_page = page_session(daemon, ann["apiKey"])
    secrets = [admin, made, rotated, read_only["apiKey"], ann["apiKey"], *kept, *on_the_page]
    assert len(set(secrets)) >= 9
    assert daemon.stop() == 0
    assert secrets_in(daemon.data_dir, secrets) == []
    printed = "".join(daemon.said)
    assert [secret for secret in secrets if secret in printed] == []
