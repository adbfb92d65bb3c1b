"""The two wheels, built once from this checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]


class Wheels(NamedTuple):
    """The wheel of the whole product, and that of the client alone."""

    server: Path
    client: Path


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Wheels:
    folder = tmp_path_factory.mktemp("wheels")
    for project in (ROOT, ROOT / "memctl"):
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
        subprocess.run(command, cwd=project, check=True, capture_output=True)
    return Wheels(*(next(folder.glob(f"memd_{name}-*.whl")) for name in ("server", "client")))


@pytest.fixture(scope="session")
def unpacked(wheels: Wheels, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what `pip install` of the whole product puts into site-packages."""
    folder = tmp_path_factory.mktemp("site-packages")
    with zipfile.ZipFile(wheels.server) as archive:
        archive.extractall(folder)
    return folder
