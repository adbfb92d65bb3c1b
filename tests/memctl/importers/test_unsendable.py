"""Values that memd refuses in any field, and things that are not files, are left out by name; the rest is imported."""

import json
import os
from pathlib import Path

import pytest

from memctl.importers.export_folder import ExportFolder
from memctl.importers.jsonl import read_jsonl
from memctl.importers.markdown_notes import read_markdown
from memctl.importers.pieces import Piece, Refusal, Skipped
from memctl.importers.reader_process import ReaderProcess
from memctl.importers.records import LeftOut, Memory, Message
from memctl.importers.sendable import REASON, is_sendable
from memctl.importers.sources import Filters, find_sources, read_pieces


def pieces(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The contents that an import of a folder sends, and the reasons for what it does not send."""
    with ReaderProcess() as reader:
        found = list(read_pieces(reader, find_sources([str(folder)], Filters(), folder.parent), 1200, None))
    sent = [each.chunk.content for each in found if isinstance(each, Piece)]
    return sent, {each.origin: each.reason for each in found if isinstance(each, Refusal | Skipped)}


def test_text_with_nul_or_half_a_character_is_refused_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("A good text.")
    (folder / "nul.md").write_bytes(b"A text with \0.")
    rows = [{"content": content, "metadata": {"title": "T"}} for content in ("A good line.", "\0", "\ud800")]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    sent, reasons = pieces(folder)
    assert sorted(sent) == ["A good line.", "A good text."]
    assert reasons == {"docs/nul.md#1": REASON, "docs/rows.jsonl:2": REASON, "docs/rows.jsonl:3": REASON}


def test_a_name_that_is_not_utf_8_is_skipped(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("A good text.")
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/bad\xff.md")).write_text("A text.")
    except OSError:
        pytest.skip("the file system takes no such names")
    assert pieces(folder) == (["A good text."], {"docs/bad\N{REPLACEMENT CHARACTER}.md": "a name that is not UTF-8"})


@pytest.mark.timeout(60)
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("A good text.")
    for name in ("a.md", "b.txt", "c.jsonl"):
        os.mkfifo(folder / name)
    reasons = {f"docs/{name}": "not a regular file" for name in ("a.md", "b.txt", "c.jsonl")}
    assert pieces(folder) == (["A good text."], reasons)
    (memory, left_out) = sorted(read_markdown(folder, None), key=lambda each: isinstance(each, LeftOut))
    assert isinstance(memory, Memory)
    assert left_out == LeftOut(f"not a regular file: {folder / 'a.md'}")


def test_memories_and_messages_that_cannot_be_sent_are_refused_by_line(tmp_path: Path) -> None:
    rows = [
        {"title": "T", "content": "half \ud83d"},
        {"title": "T", "content": "A good text.", "metadata": {"nul\0": 1}},
        {"role": "user", "content": "\0"},
        {"title": "T", "content": "A good text."},
        {"role": "user", "content": "A good message."},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    *refused, memory, message = read_jsonl(path, None)
    assert refused == [Refusal(f"{path}:{number}", REASON) for number in (1, 2, 3)]
    assert isinstance(memory, Memory)
    assert isinstance(message, Message)


@pytest.mark.parametrize("value", ["a", 1, None, True, ["\U0001f600"], {"a": [{"b": "\ue000"}]}])
def test_other_values_can_be_sent(value: object) -> None:
    assert is_sendable(value)


@pytest.mark.parametrize("letter", ["\U00010330", "\U00020000", "漢", "ẞ", "a"])
def test_a_long_title_in_any_script_makes_a_name_that_fits(tmp_path: Path, letter: str) -> None:
    row = {"id": "mem_01m7yw9thmezt8dazqksafd50e", "title": letter * 500, "content": "C", "createdAt": 0}
    ExportFolder(tmp_path / "out").write(row)
    (path,) = (tmp_path / "out" / "memories").iterdir()
    assert len(os.fsencode(path.name)) <= 255
