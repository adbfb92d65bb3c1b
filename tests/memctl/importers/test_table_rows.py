"""What the chunk of a row of a table is called: its name, or its number and its first words, under a lasting key."""

from pathlib import Path

import pytest

from memctl.importers.documents import read_document
from memctl.importers.pieces import pieces_of

LONG = "An answer with many words. " * 8


@pytest.mark.parametrize(
    ("table", "title", "key"),
    [
        ("name,price\nWidget,3\n", "Widget", "Widget"),
        ("id,question,answer\n1,How do I pay?,By card.\n", "1 › How do I pay?", "1"),
        ("id,seen,question\n7,2026-01-05,Wie zahle ich?\n", "7 › Wie zahle ich?", "7"),
        ("date,note\n2026-01-05,Lunch: noodles\n", "2026-01-05 › Lunch: noodles", "2026-01-05"),
        (f"text,price\n{LONG},3\n", f"row 1 › {LONG[:100]}", "row 1"),
        ('id,text\n1,"two\nlines"\n', "1 › two", "1"),
        ("番号,質問\n1,支払い方法は?\n", "1 › 支払い方法は?", "1"),
        ("a,b\n1,2\n", "1", "1"),
    ],
)
def test_a_row_is_called_by_words(tmp_path: Path, table: str, title: str, key: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table)
    (piece,) = pieces_of("t.csv", read_document(path), 1200, 1)
    assert piece.chunk.metadata.title == title
    assert piece.chunk.dedupe_key == f"t.csv#{key}"
