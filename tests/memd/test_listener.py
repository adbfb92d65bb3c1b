"""An address that is taken is noticed before anything is created."""

import socket
from pathlib import Path

import pytest

from memd.settings import Settings
from memd.start import run


def test_a_taken_port_leaves_no_database_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert run(Settings(host="127.0.0.1", port=port, data_dir=tmp_path / "data")) == 1
    assert f"127.0.0.1:{port} cannot be used" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()
