"""Keys of `memctl kb import`: the same from every working directory, and different for different files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.memctl.commands.test_kb_import import summary

Run = Callable[..., Result]


def test_keys_are_the_same_from_every_folder(
    memctl: Run, service: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = home / "work" / "docs"
    (docs / "deep").mkdir(parents=True)
    for name in ("a.md", "deep/b.md"):
        (docs / name).write_text(f"# {name}\n\nText of {name}.")
    memctl("kb", "import", "handbook", "docs", transport=service.transport)
    keys = {"docs/a.md#a.md", "docs/deep/b.md#deep/b.md"}
    assert set(service.chunks) == keys
    for folder, path in ((docs, "."), (home, "work/docs"), (docs, "deep"), (Path("/"), str(docs / "a.md"))):
        monkeypatch.chdir(folder)
        done = memctl("kb", "import", "handbook", path, "--prune", "--json", transport=service.transport)
        assert (summary(done)["new"], summary(done)["removed"], set(service.chunks)) == (0, 0, keys)


def test_folders_of_one_name_have_keys_of_their_own(memctl: Run, service: Any, home: Path) -> None:
    for owner in ("x", "y"):
        (home / "work" / owner / "docs").mkdir(parents=True)
        (home / "work" / owner / "docs" / "a.md").write_text(f"Of {owner}.")
        memctl("kb", "import", "handbook", f"{owner}/docs", transport=service.transport)
    assert set(service.chunks) == {"docs/a.md#1", "y/docs/a.md#1"}


def test_keys_in_a_repository_are_relative_to_it(memctl: Run, service: Any, home: Path) -> None:
    (home / "work" / ".git").mkdir()
    (home / "work" / "x" / "docs").mkdir(parents=True)
    (home / "work" / "x" / "docs" / "a.md").write_text("Text.")
    memctl("kb", "import", "handbook", "x/docs", transport=service.transport)
    assert set(service.chunks) == {"x/docs/a.md#1"}


def test_a_ledger_without_folders_still_fits(
    memctl: Run, service: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = home / "work" / "x" / "docs"
    docs.mkdir(parents=True)
    (docs / "a.md").write_text("Text.")
    memctl("kb", "import", "handbook", "x/docs", "--base-dir", ".", transport=service.transport)
    assert set(service.chunks) == {"x/docs/a.md#1"}
    monkeypatch.chdir("/")
    done = memctl("kb", "import", "handbook", str(docs), "--json", transport=service.transport)
    assert (summary(done)["unchanged"], set(service.chunks)) == (1, {"x/docs/a.md#1"})
