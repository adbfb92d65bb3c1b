"""`make audit-deps` never takes silence of an advisory database for a clean result."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.dependencies.audit import NO_ANSWER, NONE_KNOWN, VULNERABLE, verdict
from tests.dependencies.tools import BIN, ROOT

CLEAN: dict[str, Any] = {"name": "click", "version": "8.4.0", "vulns": []}
SKIPPED: dict[str, Any] = {"name": "rich", "skip_reason": "Dependency not found on PyPI and could not be audited"}
BAD: dict[str, Any] = {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["1.1"]}]}


@pytest.mark.parametrize(
    ("packages", "code"),
    [
        ([CLEAN], NONE_KNOWN),
        ([CLEAN, BAD], VULNERABLE),
        ([SKIPPED, BAD], VULNERABLE),
        ([CLEAN, SKIPPED], NO_ANSWER),
        ([], NO_ANSWER),
    ],
)
def test_a_report_is_clean_only_when_every_package_was_looked_up(packages: list[dict[str, Any]], code: int) -> None:
    assert verdict(json.dumps({"dependencies": packages, "fixes": []})).code == code


@pytest.mark.parametrize("report", ["", "not JSON", "[]", "{}"])
def test_no_report_is_no_answer(report: str) -> None:
    assert verdict(report).code == NO_ANSWER


def test_a_vulnerability_names_package_advisory_and_fix() -> None:
    assert verdict(json.dumps({"dependencies": [BAD]})).lines == ["old 1.0: PYSEC-2026-1 (fixed in 1.1)"]


@pytest.mark.usefixtures("tools")
def test_without_a_database_one_sentence_and_an_exit_code_of_its_own(tmp_path: Path) -> None:
    nowhere = {"HTTPS_PROXY": "http://127.0.0.1:9", "XDG_CACHE_HOME": str(tmp_path), "PIP_CACHE_DIR": str(tmp_path)}
    run = subprocess.run(
        [BIN / "python", "-m", "tests.dependencies.audit"],
        cwd=ROOT,
        env=os.environ | nowhere,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (NO_ANSWER, "")
    assert run.stderr.startswith("Dependencies were not audited:")
    assert run.stderr.count("\n") == 1
