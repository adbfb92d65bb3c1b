"""`memctl kb import` of files: encodings, and chunks that their files no longer hold."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]


def test_an_assumed_encoding_is_reported(memctl: Run, service: Any, home: Path) -> None:
    (home / "work" / "old.txt").write_bytes("Café".encode("latin-1"))
    done = memctl("kb", "import", "handbook", "old.txt", transport=service.transport)
    assert done.exit_code == 0
    assert "old.txt: not UTF-8; read as Windows-1252" in done.stderr


def test_files_without_text_are_named(memctl: Run, service: Any, home: Path) -> None:
    docs = home / "work" / "docs"
    docs.mkdir()
    contents = {
        "blank.txt": "\n\n",
        "good.md": "Text.",
        "head.md": "# Only a heading",
        "none.jsonl": "",
        "x.csv": "a,b\n",
    }
    for name, content in contents.items():
        (docs / name).write_text(content)
    import_ = ("kb", "import", "handbook", "docs")
    warning = "no text to import"
    for _run in range(2):
        done = memctl(*import_, transport=service.transport)
        assert done.exit_code == 0
        assert f"warning: 4 × {warning} (docs/blank.txt, docs/head.md, docs/none.jsonl, …)" in done.stderr
    assert json.loads(memctl(*import_, "--json", transport=service.transport).stdout)["warnings"] == [
        f"docs/{name}: {warning}" for name in contents if name != "good.md"
    ]
    done = memctl("kb", "import", "handbook", "-", "--title", "FAQ", stdin="# FAQ", transport=service.transport)
    assert f"warning: stdin: {warning}" in done.stderr


def test_a_file_that_became_empty_is_named_and_pruned(memctl: Run, service: Any, home: Path) -> None:
    page = home / "work" / "a.md"
    page.write_text("# Old\n\nText.")
    import_ = ("kb", "import", "handbook", "a.md", "--prune")
    memctl(*import_, transport=service.transport)
    page.write_text("")
    assert "a.md: no text to import" in memctl(*import_, transport=service.transport).stderr
    assert service.gone == ["a.md#Old"]


def test_a_renamed_heading_points_to_prune(memctl: Run, service: Any, home: Path) -> None:
    page, other = home / "work" / "a.md", home / "work" / "b.md"
    page.write_text("# Old\n\nText.")
    other.write_text("# Other\n\nMore.")
    import_ = ("kb", "import", "handbook", "a.md", "--json")
    memctl("kb", "import", "handbook", "a.md", "b.md", transport=service.transport)
    assert json.loads(memctl(*import_, transport=service.transport).stdout)["warnings"] == []
    page.write_text("# New\n\nText.")
    done = memctl(*import_, transport=service.transport)
    assert json.loads(done.stdout)["warnings"] == [
        "1 stored chunk of these files is no longer in them; --prune archives what is gone"
    ]
    memctl(*import_, "--prune", transport=service.transport)
    assert service.gone == ["a.md#Old"]
    assert json.loads(memctl(*import_, transport=service.transport).stdout)["warnings"] == []


def test_a_renamed_file_points_to_prune(memctl: Run, service: Any, home: Path) -> None:
    docs = home / "work" / "docs"
    docs.mkdir()
    for name in ("a", "b", "c"):
        (docs / f"{name}.md").write_text(f"# {name}\n\nText of {name}.")
    import_ = ("kb", "import", "handbook", "docs")
    assert "gone" not in memctl(*import_, transport=service.transport).stderr
    (docs / "a.md").rename(docs / "new.md")
    (docs / "b.md").write_text("")
    done = memctl(*import_, transport=service.transport)
    warning = "1 file imported earlier is gone: docs/a.md; the same command with --prune archives its chunks"
    assert done.stderr.splitlines()[-1] == f"warning: {warning}"
    (docs / "c.md").unlink()
    assert json.loads(memctl(*import_, "--json", transport=service.transport).stdout)["gone"] == [
        "docs/a.md",
        "docs/c.md",
    ]
    assert json.loads(memctl(*import_, "--prune", "--json", transport=service.transport).stdout)["gone"] == []
    assert sorted(service.gone) == ["docs/a.md#a", "docs/b.md#b", "docs/c.md#c"]


@pytest.mark.parametrize("base_dir", [(), ("--base-dir", ".."), ("--base-dir", "elsewhere")])
def test_a_file_that_is_there_is_not_reported_as_gone(
    memctl: Run, service: Any, home: Path, base_dir: tuple[str, ...]
) -> None:
    """The first import took it with --include, which the second leaves away: there is nothing to prune."""
    docs = home / "work" / "docs"
    docs.mkdir()
    (home / "work" / "elsewhere").mkdir()
    (docs / "a.md").write_text("Text.")
    for name in ("faq", "old"):
        (docs / f"{name}.log").write_text(f"Text of {name}.")
    import_ = ("kb", "import", "handbook", "docs", *base_dir)
    memctl(*import_, "--include", "*.md", "--include", "*.log", transport=service.transport)
    (docs / "old.log").unlink()
    done = memctl(*import_, transport=service.transport)
    gone, left_out = done.stderr.splitlines()[-2:]
    assert "1 file imported earlier is gone: " in gone
    assert "docs/old.log; the same command with --prune archives its chunks" in gone
    assert "1 file imported earlier is there but left out now: " in left_out
    assert "docs/faq.log; its chunks stay (see --include and --exclude)" in left_out
    found = json.loads(memctl(*import_, "--json", transport=service.transport).stdout)
    assert [len(found["gone"]), len(found["leftOut"])] == [1, 1]


def test_of_many_files_that_are_gone_the_first_are_named(memctl: Run, service: Any, home: Path) -> None:
    docs = home / "work" / "docs"
    docs.mkdir()
    for number in range(8):
        (docs / f"{number}.md").write_text(f"# {number}\n\nText.")
    memctl("kb", "import", "handbook", "docs", transport=service.transport)
    for number in range(1, 8):
        (docs / f"{number}.md").unlink()
    done = memctl("kb", "import", "handbook", "docs", transport=service.transport)
    names = ", ".join(f"docs/{number}.md" for number in range(1, 6))
    assert f"7 files imported earlier are gone: {names} and 2 more; the same command" in done.stderr


def test_chunks_that_only_moved_are_told_from_changed_ones(memctl: Run, service: Any, home: Path) -> None:
    page = home / "work" / "a.md"
    page.write_text("# A\n\nOne.\n\n# B\n\nTwo.\n\n# C\n\nThree.")
    import_ = ("kb", "import", "handbook", "a.md")
    memctl(*import_, transport=service.transport)
    page.write_text("# A\n\nOne.\n\n# New\n\nText.\n\n# B\n\nTwo.\n\n# C\n\nChanged.")
    for dry in (("--dry-run",), ()):
        done = memctl(*import_, *dry, transport=service.transport)
        assert done.stdout.startswith("1 new, 3 updated (2 of them with the same text), 0 unchanged")
    done = memctl(*import_, "--all", "--json", transport=service.transport)
    counts = json.loads(done.stdout)
    assert (counts["updated"], counts["moved"]) == (4, 0)


def test_a_folder_without_files_is_reported(memctl: Run, service: Any, home: Path) -> None:
    """An import that finds nothing, as in a share that is not mounted, does not look like one that has nothing to do."""
    (home / "work" / "share" / "sub").mkdir(parents=True)
    (home / "work" / "share" / "sub" / "picture.png").write_bytes(b"x")
    (home / "work" / "a.md").write_text("Text.")
    import_ = ("kb", "import", "handbook", "./share/", "a.md")
    done = memctl(*import_, "--prune", transport=service.transport)
    assert "warning: ./share/: no file that counts is in it; --include names other kinds\n" in done.stderr
    (home / "work" / "share" / "sub" / "b.md").write_text("Text.")
    assert json.loads(memctl(*import_, "--json", transport=service.transport).stdout)["warnings"] == []
