"""The tools of requirements.tools, installed once into .venv/tools."""

import subprocess

import pytest

from tests.dependencies.tools import ROOT


@pytest.fixture(scope="session")
def tools() -> None:
    """The tools are there; a skip that says why when no package registry brings them."""
    made = subprocess.run(["make", "tools"], cwd=ROOT, capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"make tools cannot install requirements.tools: {made.stderr.strip()[-300:]}")
