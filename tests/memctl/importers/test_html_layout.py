"""Text on one line of a page: cells of a row, items of nested lists, code with its indents."""

from pathlib import Path

import pytest

from memctl.importers.documents import read_document

ROWS = "Plan | Price\nBasic | 10 €\n| 20 €"
ON_ONE_LINE = "<tr><th>Plan</th><th>Price</th></tr><tr><td>Basic</td><td>10 €</td></tr><tr><td></td><td>20 €</td></tr>"
IN_BLOCKS = "<tr><th><p>Plan</p></th><th><p>Price</p></th></tr><tr><td><p>Basic</p></td><td><div>10 €</div></td></tr>"


def text_of(path: Path, body: str) -> str:
    path = path / "a.html"
    path.write_text(f"<html><body><main>{body}</main></body></html>")
    (section,) = read_document(path).sections
    return section.text


def test_cells_of_a_row_are_separate_words_on_one_line(tmp_path: Path) -> None:
    assert text_of(tmp_path, f"<table>{ON_ONE_LINE}</table>") == ROWS


def test_the_source_of_a_table_may_have_a_line_for_each_cell(tmp_path: Path) -> None:
    source = ON_ONE_LINE.replace("><", ">\n  <")
    assert text_of(tmp_path, f"<table>\n{source}\n</table>").replace("\n\n", "\n") == ROWS


def test_cells_may_hold_blocks(tmp_path: Path) -> None:
    assert text_of(tmp_path, f"<table>{IN_BLOCKS}</table>").replace("\n\n", "\n") == "Plan | Price\nBasic | 10 €"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<ul><li>one<ul><li>two</li></ul></li><li>three</li></ul>", "one\ntwo\n\nthree"),
        ("before<p>a paragraph</p>after", "before\na paragraph\nafter"),
        ("<span>a</span><span>b</span><pre>code</pre>", "ab\ncode"),
        ("<p>one<br>two</p>", "one\ntwo"),
    ],
)
def test_a_block_begins_on_a_line_of_its_own(tmp_path: Path, body: str, text: str) -> None:
    assert text_of(tmp_path, body) == text


def test_code_keeps_its_indents(tmp_path: Path) -> None:
    code = "def f():\n    if x:\n\treturn  1\n"
    assert text_of(tmp_path, f"<pre><code>{code}</code></pre>") == "def f():\n    if x:\n    return 1"
    assert text_of(tmp_path, "<pre>a<pre>  b</pre></pre>") == "a\n  b"
