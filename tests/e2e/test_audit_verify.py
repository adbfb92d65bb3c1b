"""`memd audit` on a data directory that a real memd serves: the first start is in the log, and a forgery is found."""

import subprocess

import psycopg
import pytest

from memd.db.embedded.server import running_conninfo
from tests.support.daemon import Daemon, run_memd

pytestmark = pytest.mark.e2e


def audit(daemon: Daemon, *words: str, forked: bool = True) -> subprocess.CompletedProcess[str]:
    return run_memd("audit", *words, "--data-dir", daemon.data_dir, forked=forked)


def test_the_log_of_a_running_memd_is_verified_and_a_forgery_is_found(daemon: Daemon) -> None:
    daemon.arguments = ("--workers-off",)
    daemon.start()
    with daemon.http() as http:
        http.post("/api/keys", json={}).raise_for_status()
        first = http.get("/api/admin/audit", params={"order": "chronological"}).raise_for_status().json()["entries"]
    assert [entry["action"] for entry in first[:2]] == ["user.create", "key.create"]
    noted = audit(daemon, "head").stdout.strip()
    done = audit(daemon, "verify", "--head", noted, forked=False)
    assert (done.returncode, "unbroken chain" in done.stdout) == (0, True), done.stderr
    assert audit(daemon, "verify", "--head", "nonsense").returncode == 2
    with psycopg.connect(running_conninfo(daemon.data_dir), autocommit=True) as owner:
        owner.execute("UPDATE audit_entry SET address = NULL, target = 'key_x' WHERE seq = 2")
    forged = audit(daemon, "verify")
    assert (forged.returncode, "Traceback" in forged.stderr) == (1, False)
    assert "entry 2 was changed" in forged.stderr
