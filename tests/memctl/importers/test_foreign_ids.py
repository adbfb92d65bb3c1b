"""An id is the server's word: whatever poses as memd, it names no file outside of the folder that is written."""

from pathlib import Path

from memctl.importers.export_folder import ExportFolder
from memctl.importers.ledger import Ledger

BASE = {"id": "kb_a/../..", "name": "Handbook"}
CHUNK = {"id": "mem_/../../x", "title": "T", "content": "C", "createdAt": 0, "knowledgeBaseId": BASE["id"]}
MEMORY = {**CHUNK, "knowledgeBaseId": None}


def files_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_an_export_stays_in_its_folder(tmp_path: Path) -> None:
    export = ExportFolder(tmp_path / "around" / "export")
    for row in (MEMORY, {"knowledgeBase": BASE}, CHUNK):
        export.write(row)
    assert files_below(tmp_path) == [
        "around/export/knowledge-bases/handbook-kba/!knowledge-base.md",
        "around/export/knowledge-bases/handbook-kba/t-memx.md",
        "around/export/memories/1970-01-01-t-memx.md",
    ]


def test_a_ledger_stays_in_its_folder(tmp_path: Path) -> None:
    with Ledger.of(tmp_path / "state", "http://localhost", "x/../../../notes"):
        pass
    (file,) = files_below(tmp_path)
    assert file.startswith("state/imports/")
