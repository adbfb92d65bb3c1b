"""Files that are made to exhaust memory or time end with a sentence, and the import continues."""

import io
import json
import os
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import docx
import pytest

from memctl.diagnostics import CommandError
from memctl.importers.exports import documents
from memctl.importers.front_matter import BrokenFrontMatter
from memctl.importers.jsonl import read_jsonl
from memctl.importers.markdown_notes import read_markdown
from memctl.importers.memory_files import row_of_file
from memctl.importers.pieces import Refusal, Remark, Skipped
from memctl.importers.reader_process import ReaderProcess
from memctl.importers.records import LeftOut, Memory
from memctl.importers.sections import Section, Unreadable
from memctl.importers.sources import Filters, find_sources, read_pieces

WORD = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{}</w:body></w:document>'
TOO_LONG, TOO_LARGE = "takes too long to read", "needs too much memory"
CHILD_MAX = 256 * 1024
"""KiB, as the kernel counts the memory of processes that have ended."""
MEASURE = """
import json, pathlib, resource, sys
from memctl.importers.reader_process import ReaderProcess
from memctl.importers.sources import Filters, find_sources, read_pieces
folder = pathlib.Path(sys.argv[1])
with ReaderProcess() as reader:
    *refused, last = read_pieces(reader, find_sources([str(folder)], Filters(), folder), 1200, None)
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([{each.origin: each.reason for each in refused}, last.chunk.content, memory]))
"""
"""Its own memory is small: what a process starts is first counted with the memory of its parent."""

INTERRUPTED = """
import os, pathlib, signal, sys, threading
from memctl.importers.reader_process import ReaderProcess
from memctl.importers.sections import Unreadable
path = pathlib.Path(sys.argv[1])
def write():
    with path.open("w") as file:  # waits for the reader
        os.killpg(0, signal.SIGINT)
        file.write("<p>It lifts forty tonnes.</p>")
signal.signal(signal.SIGINT, lambda *_: None)
threading.Thread(target=write).start()
with ReaderProcess() as reader:
    try:
        reader.read(path)
    except Unreadable as error:
        print(error)
"""
"""Ctrl+C while the reader has a pipe open; its answer, that it cannot seek in a pipe, shows that it lives."""


@pytest.fixture(scope="module")
def reader() -> Iterator[ReaderProcess]:
    """A reader that these tests share."""
    with ReaderProcess() as shared:
        yield shared


def word_file(document: bytes) -> bytes:
    """A Word file with this text as its document."""
    plain, made = io.BytesIO(), io.BytesIO()
    docx.Document().save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for each in old.infolist():
            new.writestr(each.filename, document if each.filename == "word/document.xml" else old.read(each))
    return made.getvalue()


def pdf_file(content: bytes, kids: str = "3 0 R") -> bytes:
    """A PDF file of one page with this content stream."""
    packed = zlib.compress(content, 9)
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count 1 >>".encode(),
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F {font} >> >> >>".encode(),
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\nendstream",
    ]
    made, places = b"%PDF-1.4\n", list[int]()
    for number, each in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n" % number + each + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = (
        b"xref\n0 5\n0000000000 65535 f \n"
        + table
        + b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(made)
    )
    return made + end


def laughs(names: str, first: str, again: Callable[[str, str], str]) -> str:
    """Definitions, each of which is ten times the one before."""
    return first + "".join(again(now, before) for before, now in pairwise(names))


XML_LAUGHS = laughs("abcdefghi", '<!ENTITY a "haha">', lambda now, before: f'<!ENTITY {now} "{f"&{before};" * 10}">')
XML_BOMB = f'<?xml version="1.0"?><!DOCTYPE x [{XML_LAUGHS}]>' + WORD.format("<w:p><w:r><w:t>&i;</w:t></w:r></w:p>")
YAML_BOMB = laughs(
    "abcdefghi",
    'a: &a ["lol","lol","lol","lol"]\n',
    lambda now, before: f"{now}: &{now} [{','.join([f'*{before}'] * 9)}]\n",
)
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "zeros.docx": (lambda: word_file(b"\0" * (64 << 20)), "expands to 65 MiB"),
    "entities.docx": (lambda: word_file(XML_BOMB.encode()), "not a readable docx file"),
    "paragraphs.docx": (
        lambda: word_file(WORD.format("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 700_000).encode()),
        "not a readable docx file",
    ),
    "zeros.pdf": (lambda: pdf_file(b"\0" * (100 << 20)), TOO_LARGE),
    "operators.pdf": (lambda: pdf_file(b"BT /F 12 Tf (a) Tj ET\n" * 2_000_000), TOO_LONG),
    "cycle.pdf": (lambda: pdf_file(b"", "2 0 R"), "cyclic"),
    "lists.rst": (lambda: "".join("  " * depth + "* x\n\n" for depth in range(1500)).encode(), TOO_LARGE),
    "open.html": (lambda: b"<div>" * 200_000, TOO_LONG),
}


@pytest.mark.slow
def test_bombs_end_with_a_sentence_within_256_mib_and_the_next_file_is_read(tmp_path: Path) -> None:
    for name, (make, _reason) in BOMBS.items():
        (tmp_path / name).write_bytes(make())
    (tmp_path / "zz.md").write_text("# Harbour\n\nIt opens at six.\n")
    run = subprocess.run([sys.executable, "-c", MEASURE, str(tmp_path)], check=True, capture_output=True, text=True)
    refused, last, memory = json.loads(run.stdout)
    wrong = {name: refused.get(name) for name, (_make, reason) in BOMBS.items() if reason not in refused.get(name, "")}
    assert (wrong, refused.keys() - BOMBS.keys(), last) == ({}, set(), "It opens at six.")
    assert memory < CHILD_MAX


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("brackets.md", "[" * 100_000 + "](a)"),
        ("quotes.md", ">" * 100_000 + "a"),
        ("stars.md", "*a **a " * 50_000),
        ("references.md", "[a]: <" * 30_000),
        ("quotes.csv", '"' * 60_000 + ","),
        (
            "names.rst",
            laughs(
                "abcdefgh",
                ".. |a| replace:: haha\n",
                lambda now, before: f".. |{now}| replace:: {f'|{before}| ' * 10}\n",
            ),
        ),
    ],
)
def test_odd_texts_are_read_within_the_limits(reader: ReaderProcess, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert reader.read(tmp_path / name).sections is not None


def test_documents_are_read_as_before(reader: ReaderProcess, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf_file(b"BT /F 12 Tf (The harbour opens at six.) Tj ET"))
    (tmp_path / "b.md").write_text("# A\n\none\n\n## B\n\ntwo\n")
    assert reader.read(tmp_path / "a.pdf").sections == [Section(("page 1",), "The harbour opens at six.")]
    assert reader.read(tmp_path / "b.md").sections == [Section(("A",), "one"), Section(("A", "B"), "two")]
    with pytest.raises(Unreadable, match="No such file"):
        reader.read(tmp_path / "gone.md")


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (YAML_BOMB, "more than 20,000 values"),
        ("a: &a [*a]\n", "more than 20,000 values"),
        ("a: " + "[" * 100_000 + "\n", "more than 100 levels deep"),
        ("- " * 50_000 + "\n", "more than 100 levels deep"),
        ("a: " + "9" * 5_000 + "\n", "digits"),
        ("a: " + "x" * 200_000 + "\n", "more than 131,072 characters"),
        ("a: !!bool maybe\n", "the type that its tag names"),
        ("a: !!int ''\n", "the type that its tag names"),
    ],
)
def test_front_matter_is_bounded(tmp_path: Path, block: str, reason: str) -> None:
    with pytest.raises(BrokenFrontMatter, match=reason):
        row_of_file(f"---\n{block}---\ntext\n", "a.md")
    (tmp_path / "a.md").write_text(f"---\n{block}---\ntext\n")
    (tmp_path / "b.md").write_text("# Kept\n\ntext\n")
    assert [type(each) for each in read_markdown(tmp_path, None)] == [Refusal, Memory]


def test_aliases_may_be_used(tmp_path: Path) -> None:
    del tmp_path
    _, row = row_of_file("---\na: &a [1, 2]\nb: *a\n---\n# Title ##\n\ntext\n", "a.md")
    assert (row["metadata"], row["title"]) == ({"a": [1, 2], "b": [1, 2]}, "Title")


def test_an_archive_that_expands_too_far_is_refused(tmp_path: Path) -> None:
    for name, content in (("conversations.json", b" " * (64 << 20)), ("broken.json", b"[" * 200_000)):
        with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, content)
        with pytest.raises(CommandError, match="expands to 64 MiB" if name[0] == "c" else "is not JSON"):
            list(documents(tmp_path / "export.zip", [name]))


def test_deep_json_lines_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("[" * 200_000 + "\n")
    assert [type(each) for each in read_jsonl(tmp_path / "a.jsonl", None)] == [Refusal]


def test_links_that_leave_the_folder_are_skipped_and_listed(reader: ReaderProcess, tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    for each in (outside, folder / "in"):
        each.mkdir(parents=True)
    (outside / "secret.md").write_text("secret")
    (folder / "in" / "plain.md").write_text("plain")
    (folder / "away.md").symlink_to(outside / "secret.md")
    (folder / "dir").symlink_to(outside)
    (folder / "inner.md").symlink_to(folder / "in" / "plain.md")
    (folder / "itself.md").symlink_to(folder / "itself.md")
    found = list(read_pieces(reader, find_sources([str(folder)], Filters(), folder), 1200, None))
    skipped = {each.origin: each.reason for each in found if isinstance(each, Skipped)}
    assert skipped == dict.fromkeys(("away.md", "dir", "itself.md"), "a link that leaves the folder")
    assert {each.chunk.content for each in found if not isinstance(each, Refusal | Remark | Skipped)} == {"plain"}
    notes = list(read_markdown(folder, None))
    assert {each.what.split("/")[-1] for each in notes if isinstance(each, LeftOut)} >= {"away.md", "itself.md"}
    assert "secret" not in str(notes)
    linked = tmp_path / "linked"
    linked.symlink_to(folder)
    # a link that was named is followed
    assert len(list(read_pieces(reader, find_sources([str(linked)], Filters(), tmp_path), 1200, None))) == 5


def test_ctrl_c_does_not_reach_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "crane.html"
    os.mkfifo(path)
    command = [sys.executable, "-c", INTERRUPTED, str(path)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, start_new_session=True, timeout=60, cwd=Path.cwd()
    )
    assert (done.stdout, done.stderr) == ("File or stream is not seekable.\n", "")
