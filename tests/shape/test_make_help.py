"""`make help` lists what there is to run; plain `make` still starts memd."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def make(*arguments: str) -> str:
    """The output of make, also where the tests themselves were started by make."""
    clean = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}}
    return subprocess.run(["make", *arguments], cwd=ROOT, env=clean, capture_output=True, text=True, check=True).stdout


def test_every_described_target_is_listed_with_its_description() -> None:
    described = re.findall(r"^([a-z-]+):.* ## (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    listed = [line.split(None, 1) for line in make("help").splitlines()]
    assert [(name, text) for name, text in listed] == described
    assert {"up", "help", "test", "check"} <= {name for name, _ in described}


def test_make_without_a_target_starts_memd() -> None:
    assert make("--dry-run").splitlines()[-1].endswith("memd serve")
