"""Data directories to start and break, and a supervising process to kill."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from memd.db.embedded.server import EmbeddedPostgres

ROOT = Path(__file__).parents[3]
SUPERVISE = ROOT / "tests" / "support" / "supervise.py"


@pytest.fixture
def new_data_dir(enterable_folder: Path) -> Iterator[Path]:
    """A data directory that does not exist yet; removed after the test."""
    folder = enterable_folder / uuid4().hex[:8]
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def made_once(enterable_folder: Path) -> Path:
    """A data directory after one start and stop, to be copied."""
    folder = enterable_folder / "made"
    with EmbeddedPostgres(folder):
        pass
    return folder


@pytest.fixture
def data_dir(made_once: Path, new_data_dir: Path) -> Path:
    """A data directory of this test's own, after one start and stop."""
    subprocess.run(["cp", "-a", made_once, new_data_dir], check=True)
    return new_data_dir


@dataclass
class Supervisor:
    """A process that runs `EmbeddedPostgres` on a data directory, and what it said about it."""

    process: subprocess.Popen[str]
    said: dict[str, Any]


Supervise = Callable[..., Supervisor]


@pytest.fixture
def supervise() -> Iterator[Supervise]:
    """Start supervisors: `supervise(data_dir, "user", before=words of a command, path=folders of PYTHONPATH)`."""
    with ExitStack() as stack:

        def start(*words: Path | str, before: tuple[str, ...] = (), path: tuple[Path, ...] = ()) -> Supervisor:
            process = stack.enter_context(
                subprocess.Popen(
                    [*before, sys.executable, SUPERVISE, *words],
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*path, ROOT)))},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            assert process.stdout is not None
            return Supervisor(process, json.loads(process.stdout.readline()))

        yield start
