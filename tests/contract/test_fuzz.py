"""schemathesis sends what the OpenAPI document allows, and what it does not, to a real daemon: all checks, all phases.

No reply is a 5xx, has a status that is not documented, or differs from its schema; what breaks the document is refused.
`MEMD_FUZZ_EXAMPLES` (1) is how many random requests each operation gets besides the systematic ones, of which the suite
sends each operation one of twenty, not the same ones to every operation, and follows a third of the walks from reply to
request; `make test-long` sends and follows all.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.daemon import Daemon

FUZZING = Path(__file__).parent / "fuzzing"
ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "openapi.json"
SEEN = ROOT / ".hypothesis"
"""Where tables of Unicode stay that take seconds to make."""
WALKS = "max-examples = 40"
EXAMPLES = os.environ.get("MEMD_FUZZ_EXAMPLES", "1")
MIN_CASES, MIN_CASES_LONG = 500, 1_500


def environment_of(daemon: Daemon, every: int) -> dict[str, str]:
    """A user for fuzzing, who may do everything and as often as it takes."""
    with daemon.http() as http:
        fields = {"name": "fuzz", "policy": "self_hosted_unmetered", "admin": True}
        user = http.post("/api/admin/users", json=fields).json()
        caller = http.get("/api/mcp/auth", headers={"Authorization": f"Bearer {user['apiKey']}"}).json()
    own = f"{caller['userId']},{caller['keyId']}"
    return {
        "MEMD_FUZZ_KEY": user["apiKey"],
        "MEMD_FUZZ_OWN": own,
        "MEMD_FUZZ_EVERY": str(every),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(SEEN),
        "MEMD_FUZZ_HOOKS": str(FUZZING / "hooks.py"),
    }


def fuzz(daemon: Daemon, folder: Path, every: int, walks: int) -> tuple[dict[str, Any], str]:
    """The report of schemathesis, and what it printed; one of `every` systematic requests is sent."""
    settings = (FUZZING / "schemathesis.toml").read_text()
    assert WALKS in settings
    (folder / "schemathesis.toml").write_text(settings.replace(WALKS, f"max-examples = {walks}"))
    report = folder / "report.json"
    program = Path(sys.executable).with_name("schemathesis")
    config = ["--config-file", str(folder / "schemathesis.toml")]
    run = ["run", str(DOCUMENT), "--url", daemon.url, "--checks", "all", "--no-color", "--no-shrink", "-n", EXAMPLES]
    ended = subprocess.run(
        [str(program), *config, *run, "--report", "json", "--report-json-path", str(report)],
        cwd=folder,
        env={**os.environ, **environment_of(daemon, every)},
        capture_output=True,
        text=True,
        check=False,
    )
    output = ended.stdout + ended.stderr
    return json.loads(report.read_text()) if report.exists() else {}, output


@pytest.mark.e2e
@pytest.mark.long_form
@pytest.mark.timeout(900)
def test_the_service_keeps_to_its_openapi_document(
    daemon: Daemon, tmp_path: Path, of_size: Callable[[int, int], int]
) -> None:
    daemon.environment["MEMD_TRUSTED_PROXIES"] = "127.0.0.1"
    daemon.arguments = ("--workers-off",)
    daemon.start()
    report, output = fuzz(daemon, tmp_path, of_size(30, 1), of_size(9, 40))
    assert (report.get("exit_code"), report["failures"], report["errors"]) == (0, [], []), output
    assert report["warnings"]["missing_auth"] == [], output
    assert report["operations"]["tested"] == report["operations"]["total"], output
    assert {name for name, phase in report["phases"].items() if phase["status"] == "success"} >= {
        "coverage",
        "fuzzing",
        "stateful",
    }, output
    assert report["test_cases"]["generated"] >= of_size(MIN_CASES, MIN_CASES_LONG), output
