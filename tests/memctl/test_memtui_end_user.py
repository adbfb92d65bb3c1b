"""`memtui --as USER` asks for the end user, and for nobody else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from memctl import memtui
from tests.support.loopback import LoopbackHandler, LoopbackServer, answering


@pytest.fixture
def named() -> Iterator[tuple[str, Queue[str | None]]]:
    """A server that understands nothing: its address, and whom each request names as its end user."""
    names: Queue[str | None] = Queue()

    class Listener(LoopbackHandler):
        def answer(self) -> None:
            names.put(self.headers.get("X-Memd-User"))
            self.send_error(404)

    with answering(LoopbackServer(Listener)) as server:
        yield server.address, names


def test_requests_name_the_end_user(named: tuple[str, Queue[str | None]], home: Path) -> None:
    url, names = named
    command = [sys.executable, "-c", "from memctl.memtui import main; main()", "--url", url, "--api-key", "k"]
    environment = os.environ | {"TEXTUAL_DRIVER": "textual.drivers.headless_driver:HeadlessDriver", "MEMCTL_AS": "bob"}
    process = subprocess.Popen([*command, "--as", "ann"], env=environment, cwd=Path(__file__).parents[2])
    try:
        assert names.get(timeout=60) == "ann"
    finally:
        process.terminate()
        process.wait(60)


def test_what_cannot_be_a_name_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        memtui.main(["--as", " "])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("memtui: --as ")
