"""A start tells the operator and the service manager what it did."""

import json
import socket
from pathlib import Path

import httpx
import pytest

from memd.db.schema.migrate import migrate
from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("abstract", [False, True])
def test_the_service_manager_learns_when_memd_is_ready(daemon: Daemon, tmp_path: Path, abstract: bool) -> None:
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{path}" if abstract else path)
        manager.settimeout(60)
        daemon.arguments = ("--workers-off",)
        daemon.environment["NOTIFY_SOCKET"] = f"@{path}" if abstract else path
        daemon.start()
        assert manager.recv(100) == b"READY=1"
        assert httpx.get(f"{daemon.url}/readyz").status_code == 200


def test_the_log_tells_of_the_upgrade_and_of_the_release(daemon: Daemon, new_database: str) -> None:
    migrate(new_database, "20261124_past_rows")
    daemon.environment["MEMD_DATABASE_URL"] = new_database
    daemon.start()
    daemon.stop()
    events = [json.loads(line) for line in daemon.said if line.startswith("{")]
    entries = [event for event in events if event["event"] in {"database.upgrading", "database.upgraded", "memd.ready"}]
    assert [event["event"] for event in entries] == ["database.upgrading", "database.upgraded", "memd.ready"]
    assert entries[0]["revision"] == "20261124_past_rows"
    assert {"version", "port", "database", "model"} <= entries[2].keys()
