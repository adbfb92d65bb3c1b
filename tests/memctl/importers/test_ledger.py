"""The ledger of an import whose file was cut off, or holds lines that no import has written."""

from pathlib import Path

import pytest

from memctl.diagnostics import CommandError
from memctl.importers.ledger import BaseState, Ledger
from memctl.importers.pieces import Piece
from memctl.wire.imports import ChunkMetadata, ImportChunk

COUNTS = BaseState(1, 20, 3)


def piece(key: str) -> Piece:
    return Piece(ImportChunk(content=f"Content of {key}.", dedupe_key=key, metadata=ChunkMetadata(title=key)), key)


@pytest.mark.parametrize("cut", range(1, 60))
def test_what_is_acknowledged_after_a_cut_off_line_is_remembered(tmp_path: Path, cut: int) -> None:
    path, first, torn, after = tmp_path / "ledger.jsonl", piece("first"), piece("Küche/Öfen"), piece("after")
    with Ledger(path) as ledger:
        ledger.acknowledge([first], COUNTS)
        whole = path.stat().st_size
        ledger.acknowledge([torn], COUNTS)
    path.write_bytes(path.read_bytes()[: whole + cut])
    with Ledger(path) as ledger:
        assert ledger.holds(first)
        ledger.acknowledge([after], COUNTS)
    with Ledger(path) as ledger:
        assert (ledger.holds(first), ledger.holds(after)) == (True, True)


ODD = [
    "null",
    "17",
    '"chunks"',
    "[]",
    "{}",
    "[" * 5_000,
    "9" * 5_000,
    '{"chunks": 1}',
    '{"chunks": "many", "chars": 20, "changed": 3}',
    '{"root": 1, "base": "/"}',
    '{"root": "/notes\\u0000", "base": "/"}',
    '{"key": ["first"], "sent": "0"}',
    '{"key": "first", "print": 7}',
    '{"key": "first\\ud800", "print": "0"}',
    '{"gone": true}',
]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_a_line_that_no_import_writes_is_passed_over(tmp_path: Path, odd: str) -> None:
    path, first, after = tmp_path / "ledger.jsonl", piece("first"), piece("after")
    with Ledger(path) as ledger:
        ledger.acknowledge([first], COUNTS)
    path.write_text(f"{odd}\n" * 200 + path.read_text("utf-8"), "utf-8")
    with Ledger(path) as ledger:
        assert (ledger.holds(first), ledger.state) == (True, COUNTS)
        ledger.acknowledge([after], COUNTS)
    with Ledger(path) as ledger:
        assert (ledger.holds(first), ledger.holds(after)) == (True, True)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    sentence = f"cannot record the import in {tmp_path}/state/imports: .*set MEMCTL_STATE_DIR to another folder"
    with pytest.raises(CommandError, match=sentence), Ledger.of(tmp_path / "state", "http://localhost", "kb_1"):
        pass
