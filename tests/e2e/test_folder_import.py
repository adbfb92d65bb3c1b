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

from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e
SUFFIXES = (".html", ".md", ".py", ".rst", ".txt")
INCLUDE = [part for suffix in SUFFIXES for part in ("--include", f"*{suffix}")]
SMALLEST, LARGEST = 150, 4_000
"""Bytes: large enough to say something, small enough for a quick test."""
ENOUGH = 100
"""Chunks that are stored when the import is killed."""


def documents(count: int) -> list[Path]:
    """The smallest files that say something, of the installed packages and the standard library."""
    places = {sysconfig.get_path(name) for name in ("purelib", "stdlib")}
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
    """memctl as a program of its own, with a state folder of its own."""

    def __init__(self, daemon: Daemon, work: Path) -> None:
        self._command = [sys.executable, "-m", "memctl", "--url", daemon.url, "--api-key", daemon.key]
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MEMCTL_")}
        self._environment = {**clean, "MEMCTL_STATE_DIR": str(work / "state"), "MEMCTL_CONFIG": str(work / "none")}
        self._work = work

    def start(self, base: str) -> subprocess.Popen[str]:
        """`memctl kb import BASE docs --prune --json` in the background."""
        command = [*self._command, "kb", "import", base, "docs", *INCLUDE, "--create", "--prune", "--json"]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=self._work, env=self._environment)

    def run(self, base: str) -> dict[str, Any]:
        """The same to its end; what it tells."""
        process = self.start(base)
        out, error = process.communicate(timeout=200)
        assert process.returncode in {0, 7}, error
        return json.loads(out)


def count(http: httpx.Client, name: str) -> int:
    bases = http.get("/api/knowledge-bases").raise_for_status().json()["knowledgeBases"]
    return next((base["chunkCount"] for base in bases if base["name"] == name), 0)


def contents(http: httpx.Client, name: str) -> dict[str, tuple[str, ...]]:
    """What counts of every chunk of a knowledge base, by its key; two chunks never share one."""
    found = list(chunks(http, name))
    by_key = {
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
    """Edit 40 files, remove 40, rename 20, add 20."""
    for path in copies[0:2000:50]:
        path.write_text(path.read_text(errors="replace") + "\nA line that was added later.\n")
    for path in copies[1:2000:50]:
        path.unlink()
    for number, path in enumerate(copies[2:2000:100]):
        path.rename(path.with_name(f"renamed-{number}{path.suffix}"))
        path.with_name(f"new-{number}.md").write_text(f"# New {number}\n\nA file of its own, number {number}.\n")


@pytest.mark.long_form
def test_an_import_that_is_killed_resumed_changed_and_pruned_ends_as_a_fresh_one(
    daemon: Daemon, tmp_path: Path, of_size: Callable[[int, int], int]
) -> None:
    count_of_files = of_size(300, 2000)
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
