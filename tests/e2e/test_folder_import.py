"""Many real files: imported, killed in the middle, resumed, changed and pruned; it ends as a fresh import would."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from memctl.main import cli
from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e
SUFFIXES = (".html", ".md", ".py", ".rst", ".txt")
INCLUDE = [part for suffix in SUFFIXES for part in ("--include", f"*{suffix}")]
SMALLEST, LARGEST = 150, 4_000
"""Bytes: large enough to say something, small enough for a quick test."""
ENOUGH = 20
"""Chunks that are stored when the import is killed; the first request has as many."""
FEW = 200
"""This many files are found in the standard library alone."""


def documents(count: int) -> list[Path]:
    """The smallest files that say something: of the standard library when few are wanted, else of the packages too."""
    places = {sysconfig.get_path(name) for name in (("stdlib",) if count <= FEW else ("purelib", "stdlib"))}
    found = {
        path
        for place in places
        for folder, _, names in os.walk(place)
        for name in names
        if name.endswith(SUFFIXES)
        and (path := Path(folder, name)).is_file()
        and SMALLEST <= path.stat().st_size <= LARGEST
    }
    return sorted(found, key=lambda path: (path.stat().st_size, str(path)))[:count]


def folder_of(target: Path, sources: list[Path]) -> list[Path]:
    """Copies below one folder, forty to a subfolder."""
    copies: list[Path] = []
    for number, source in enumerate(sources):
        copy = target / f"part{number // 40:03}" / f"{number:04}-{source.name}"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        copies.append(copy)
    return copies


class Importer:
    """`memctl kb import BASE docs --prune --json` in the folder of the test, with a state folder of its own."""

    def __init__(self, daemon: Daemon, work: Path) -> None:
        self._server = ["--url", daemon.url, "--api-key", daemon.key]
        self._environment = {"MEMCTL_STATE_DIR": str(work / "state"), "MEMCTL_CONFIG": str(work / "none")}

    def _arguments(self, base: str) -> list[str]:
        return [*self._server, "kb", "import", base, "docs", *INCLUDE, "--create", "--prune", "--json"]

    def start(self, base: str) -> subprocess.Popen[str]:
        """The import in the background, as a program of its own."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MEMCTL_")}
        command, pipe = [sys.executable, "-m", "memctl", *self._arguments(base)], subprocess.PIPE
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env={**clean, **self._environment})

    def run(self, base: str) -> dict[str, Any]:
        """The import to its end, in this process; what it reports."""
        others = {name: None for name in os.environ if name.startswith("MEMCTL_")}
        done = CliRunner().invoke(
            cli, self._arguments(base), env={**others, **self._environment}, catch_exceptions=False
        )
        assert done.exit_code in {0, 7}, done.stderr
        return json.loads(done.stdout)


def count(http: httpx.Client, name: str) -> int:
    bases = http.get("/api/knowledge-bases").raise_for_status().json()["knowledgeBases"]
    return next((base["chunkCount"] for base in bases if base["name"] == name), 0)


def contents(http: httpx.Client, name: str) -> dict[str, tuple[str, ...]]:
    """The fields that matter of every chunk of a knowledge base, by its key; no two chunks share one."""
    found = list(chunks(http, name))
    by_key: dict[str, tuple[str, ...]] = {
        row["dedupeKey"]: (row["title"], row["content"], json.dumps(row["metadata"], sort_keys=True)) for row in found
    }
    assert len(by_key) == len(found) == count(http, name)
    return by_key


def chunks(http: httpx.Client, name: str) -> Iterator[dict[str, Any]]:
    """Every chunk of a knowledge base."""
    bases = http.get("/api/knowledge-bases").raise_for_status().json()["knowledgeBases"]
    base = next(base["id"] for base in bases if base["name"] == name)
    params: dict[str, Any] = {"limit": 200}
    while True:
        page = http.get(f"/api/knowledge-bases/{base}/memories", params=params).raise_for_status().json()
        yield from page["memories"]
        if page["isDone"]:
            return
        params["cursor"] = page["continueCursor"]


def kill_in_the_middle(importer: Importer, http: httpx.Client, base: str) -> int:
    """Start an import and end it as a power cut would; the number of chunks that memd has by then."""
    process = importer.start(base)
    deadline = time.monotonic() + 60
    while count(http, base) < ENOUGH:
        assert process.poll() is None, "the import ended too early"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.communicate()
    return count(http, base)


def change(copies: list[Path]) -> None:
    """Edit, of every hundred files, two, remove two, rename one, add one."""
    for path in copies[0:2000:50]:
        path.write_text(path.read_text(errors="replace") + "\nA line that was added later.\n")
    for path in copies[1:2000:50]:
        path.unlink()
    for number, path in enumerate(copies[2:2000:100]):
        path.rename(path.with_name(f"renamed-{number}{path.suffix}"))
        path.with_name(f"new-{number}.md").write_text(f"# New {number}\n\nA file of its own, number {number}.\n")


@pytest.mark.long_form
def test_an_import_that_is_killed_resumed_changed_and_pruned_ends_as_a_fresh_one(
    daemon: Daemon, tmp_path: Path, of_size: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    count_of_files = of_size(160, 2000)
    copies = folder_of(tmp_path / "docs", documents(count_of_files))
    assert len(copies) == count_of_files
    daemon.arguments = ("--workers-off",)
    daemon.start()
    importer = Importer(daemon, tmp_path)
    with daemon.http() as http:
        stored = kill_in_the_middle(importer, http, "docs")
        resumed = importer.run("docs")
        whole = count(http, "docs")
        assert stored < whole
        assert resumed["complete"] is True
        assert resumed["new"] <= whole - stored
        again = importer.run("docs")
        assert (again["new"], again["updated"], again["unchanged"]) == (0, 0, whole)
        before = contents(http, "docs")
        change(copies)
        changed = importer.run("docs")
        after = contents(http, "docs")
        common = before.keys() & after.keys()
        assert changed["removed"] == len(before.keys() - after.keys()) > 0
        assert changed["new"] == len(after.keys() - before.keys()) > 0
        assert changed["updated"] == sum(before[key] != after[key] for key in common) > 0
        fresh = importer.run("fresh")
        assert fresh["new"] == len(after)
        assert contents(http, "fresh") == after
