"""The key of the data directory reaches memd through its unix socket and nobody else (a real memd)."""

import json
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from memctl.main import cli
from tests.support.daemon import Daemon, fast_daemon


@pytest.fixture(scope="module")
def shared(enterable_folder: Path, started_once: Path) -> Iterator[Daemon]:
    """A memd that these tests share; each starts it unless it runs."""
    with fast_daemon(enterable_folder / "d-local-socket", started_once) as served:
        served.arguments = ("--workers-off",)
        yield served


@pytest.fixture
def daemon(shared: Daemon) -> Daemon:
    """The shared memd, running."""
    return shared if shared.runs else shared.start()


def variables(folder: Path) -> dict[str, str]:
    """The variables that point memctl to the data directory, and to nothing else."""
    return {"MEMD_DATA_DIR": str(folder), "MEMCTL_CONFIG": str(folder / "none.toml")}


def memctl_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run memctl as a program of its own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
    command = [sys.executable, "-m", "memctl", *arguments]
    environment = clean | variables(folder)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def memctl(folder: Path, *arguments: str) -> Result:
    """Run memctl in this process."""
    others = {name: None for name in os.environ if name.startswith(("MEMD_", "MEMCTL_"))}
    return CliRunner().invoke(cli, arguments, env={**others, **variables(folder)}, catch_exceptions=False)


@contextmanager
def stranger() -> Generator[tuple[int, list[bytes]]]:
    """Somebody else's listener on loopback, and all that it was sent."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def listen() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        heard.append(connection.recv(1 << 16))
                        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        yield listener.getsockname()[1], heard
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def test_rotating_the_local_key_keeps_this_machine_signed_in(daemon: Daemon) -> None:
    folder = daemon.data_dir
    before = (folder / "local.key").read_text()
    done = memctl(folder, "keys", "rotate", "local")
    assert (done.exit_code, f"{folder}/local.key has the new key" in done.stderr) == (0, True)
    after = (folder / "local.key").read_text()
    assert (after, stat.S_IMODE((folder / "local.key").stat().st_mode)) == (done.stdout, 0o600)
    assert after != before
    assert memctl(folder, "stats").exit_code == 0
    doctor = memctl(folder, "doctor")
    assert f"free for {folder}" in doctor.stdout


def test_the_socket_leads_to_memd_and_goes_with_it(daemon: Daemon) -> None:
    folder = daemon.data_dir
    state = json.loads((folder / "memd.json").read_text())
    assert daemon.process is not None
    assert state == {
        "host": "127.0.0.1",
        "port": httpx.URL(daemon.url).port,
        "socket": str(folder / "memd.sock"),
        "pid": daemon.process.pid,
    }
    assert stat.S_IMODE((folder / "memd.sock").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "memd.json").stat().st_mode) == 0o600
    with httpx.Client(transport=httpx.HTTPTransport(uds=state["socket"]), base_url="http://localhost") as http:
        reply = http.get("/api/mcp/auth", headers={"Authorization": f"Bearer {daemon.key}"})
        assert (reply.status_code, reply.json()["ok"]) == (200, True)
    assert memctl_process(folder, "stats").returncode == 0
    daemon.stop()
    assert not (folder / "memd.json").exists()
    assert not (folder / "memd.sock").exists()


def test_a_stranger_on_the_port_gets_no_key(daemon: Daemon) -> None:
    """Neither while memd runs elsewhere, nor after it was killed and left its files behind, nor without it."""
    folder = daemon.data_dir
    with stranger() as (port, heard):
        assert memctl(folder, "--url", f"http://127.0.0.1:{port}", "stats").exit_code != 0
        daemon.kill()
        state = json.loads((folder / "memd.json").read_text())
        (folder / "memd.json").write_text(json.dumps(state | {"port": port}))
        assert memctl(folder, "stats").exit_code == 3
        (folder / "memd.json").unlink()
        memctl(folder, "--url", f"http://localhost:{port}", "stats")
    key = daemon.key.encode()
    assert heard
    assert [each for each in heard if key in each or b"authorization" in each.lower()] == []


@pytest.mark.parametrize("command", [("import", "jsonl"), ("kb", "import", "Notes", "--create")])
def test_an_import_waits_for_a_memd_that_is_started_after_it(
    daemon: Daemon, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """As at boot, where a scheduled import may come first."""
    folder, file = daemon.data_dir, tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"title": command[0], "content": f"Stored by {command[0]}."}))
    daemon.stop()
    assert memctl(folder, *command, str(file), "--wait", "0").exit_code == 3
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
    state = {"MEMCTL_STATE_DIR": str(tmp_path / "state")}
    with subprocess.Popen(
        [sys.executable, "-m", "memctl", *command, str(file)],
        env=clean | variables(folder) | state,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as waiting:
        assert waiting.stderr is not None
        assert f"trying again in 1 s: no memd serves {folder}" in waiting.stderr.readline()
        daemon.start()
        assert "1 new" in waiting.communicate(timeout=60)[0]
    assert waiting.returncode == 0
