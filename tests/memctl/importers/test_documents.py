"""Documents become chunks with stable keys."""

from pathlib import Path

import pytest

from memctl.importers.documents import is_read_in_fallback, read_document
from memctl.importers.pieces import Piece, Refusal, pieces_of, pieces_of_lines
from memctl.importers.sections import Document, Section, Unreadable
from memctl.importers.sources import Filters, find_sources, name_of

MARKDOWN = """---
title: Ignored
---
Before any heading.

# Setup

How to set up.

## Install

```sh
# not a heading
pip install it
```

# Setup

Once more.

# Empty
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def keys(path: Path, chunk_size: int = 1200) -> list[str]:
    return [piece.key for piece in pieces_of(path.name, read_document(path), chunk_size, 100)]


def test_markdown_is_cut_at_its_headings(tmp_path: Path) -> None:
    document = read_document(write(tmp_path, "a.md", MARKDOWN))
    assert document.sections == [
        Section((), "Before any heading."),
        Section(("Setup",), "How to set up."),
        Section(("Setup", "Install"), "```sh\n# not a heading\npip install it\n```"),
        Section(("Setup",), "Once more."),
    ]


def test_keys_are_path_and_headings_or_part_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", MARKDOWN)
    assert keys(path) == ["a.md#1", "a.md#Setup", "a.md#Setup/Install", "a.md#Setup~2"]


def test_a_long_section_is_cut_into_numbered_parts(tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", "# Long\n\n" + "A sentence of words. " * 40)
    pieces = pieces_of("a.md", read_document(path), 300, 100)
    assert [piece.key for piece in pieces] == [f"a.md#Long#{n}" for n in range(1, len(pieces) + 1)]
    assert pieces[0].chunk.metadata.title == f"Long (1/{len(pieces)})"
    assert all(len(piece.chunk.content) <= 300 for piece in pieces)
    assert {piece.chunk.metadata.total_chunks for piece in pieces} == {len(pieces)}


def test_a_key_never_exceeds_the_limit_and_stays_unique() -> None:
    names = [f"{'deep/' * 120}{n}.txt" for n in range(2)]
    lines = [Section((), "text")]
    found = {pieces_of(name, Document("text", lines), 1200, 1)[0].key for name in names}
    assert len(found) == 2
    assert all(len(key) <= 500 for key in found)


SURROUNDED = """<html><body><header><h1>The site</h1></header><div><nav><a>Start</a></nav></div>
<div aria-hidden="true"><h2>Keyboard shortcuts</h2><p>Press s to search.<span hidden>x</span></p></div>
{}<aside>Related</aside><footer>(c) 2026</footer></body></html>"""
CONTENT = "<header><h1>Ownership<a>¶</a></h1></header><p>A value has one owner.</p><dialog>Close</dialog>"


@pytest.mark.parametrize(
    "element",
    ["<main><article>{}</article></main>", "<article>{}</article>", '<div role="main">{}</div>', "<div>{}</div>"],
)
def test_of_a_page_only_the_content_is_read(tmp_path: Path, element: str) -> None:
    page = SURROUNDED.format(element.format(CONTENT))
    assert read_document(write(tmp_path, "a.html", page)).sections == [
        Section(("Ownership",), "A value has one owner.")
    ]


def test_a_page_of_several_articles_keeps_them_all(tmp_path: Path) -> None:
    page = SURROUNDED.format("<article><p>First.</p></article><article><p>Second.</p></article>")
    assert read_document(write(tmp_path, "a.html", page)).sections == [Section((), "First.\n\nSecond.")]


def test_html_is_cut_at_its_headings_without_scripts(tmp_path: Path) -> None:
    page = "<html><head><script>x()</script></head><body><h1>One <b>big</b></h1><p>First <a>link</a>.</p><p>Second.</p><h2>Two</h2><ul><li>a</li><li>b</li></ul></body></html>"
    document = read_document(write(tmp_path, "a.html", page))
    assert [section.path for section in document.sections] == [("One big",), ("One big", "Two")]
    assert document.sections[0].text == "First link.\nSecond."
    assert document.sections[1].text == "a\nb"


def test_rst_is_cut_at_its_sections(tmp_path: Path) -> None:
    text = "Top\n===\n\nIntro.\n\nInner\n-----\n\nMore.\n"
    sections = read_document(write(tmp_path, "a.rst", text)).sections
    assert [section.text for section in sections] == ["Intro.", "More."]
    assert sections[-1].path[-1] == "Inner"


def test_docx_is_cut_at_its_headings(tmp_path: Path) -> None:
    import docx

    file = docx.Document()
    file.add_heading("Rules", 1)
    file.add_paragraph("Be kind.")
    table = file.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "a", "b"
    file.save(str(tmp_path / "a.docx"))
    assert read_document(tmp_path / "a.docx").sections == [Section(("Rules",), "Be kind.\n\na | b")]


def pdf(path: Path, pages: list[list[str]], outline: list[tuple[str, int, list[str]]]) -> Path:
    """A PDF with lines of text, and an outline of chapters (title, page, sections on the same page)."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    helvetica = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    font = DictionaryObject({NameObject(key): NameObject(value) for key, value in helvetica.items()})
    for lines in pages:
        page, stream = writer.add_blank_page(600, 800), DecodedStreamObject()
        text = "".join(f"({line}) Tj 0 -20 Td\n" for line in lines)
        stream.set_data(f"BT /F1 12 Tf 50 700 Td\n{text}ET".encode())
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        page[NameObject("/Contents")] = stream
    for title, number, sections in outline:
        chapter = writer.add_outline_item(title=title, page_number=number)
        for section in sections:
            writer.add_outline_item(title=section, page_number=number, parent=chapter)
    writer.write(path)
    return path


def test_a_pdf_is_cut_at_the_headings_of_its_outline(tmp_path: Path) -> None:
    pages = [["Handbook"], ["1 Setup", "Unpack it.", "1.1 Tools", "A hammer."], ["Two nails.", "2"], ["3"]]
    path = pdf(tmp_path / "a.pdf", pages, [("Setup", 1, ["1.1 Tools", "Not on the page"])])
    assert read_document(path).sections == [
        Section(("page 1",), "Handbook"),
        Section(("Setup",), "Unpack it."),
        Section(("Setup", "1.1 Tools"), "A hammer."),
        Section(("Setup", "1.1 Tools", "page 3"), "Two nails.\n2"),
    ]


def test_a_pdf_without_an_outline_is_cut_at_its_pages(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", [["One."], ["Two."]], [])
    assert read_document(path).sections == [Section(("page 1",), "One."), Section(("page 2",), "Two.")]


@pytest.mark.parametrize(
    ("path", "title"),
    [(("page 2",), "report.pdf › page 2"), (("Setup",), "Setup"), (("Setup", "page 2"), "Setup › page 2")],
)
def test_the_title_of_a_bare_page_names_its_file(path: tuple[str, ...], title: str) -> None:
    (piece,) = pieces_of("docs/report.pdf", Document("pdf", [Section(path, "Two.")]), 1200, 0)
    assert piece.chunk.metadata.title == title
    assert piece.key == f"docs/report.pdf#{'/'.join(path)}"


def test_a_page_in_another_format_is_a_heading() -> None:
    (piece,) = pieces_of("a.md", Document("markdown", [Section(("page 2",), "Two.")]), 1200, 0)
    assert piece.chunk.metadata.title == "page 2"


@pytest.mark.parametrize(
    ("name", "data"), [("a.txt", b"\xff\xfe\x00"), ("a.txt", b"a\x00b"), ("a.pdf", b"no"), ("a.docx", b"no")]
)
def test_a_file_without_text_is_unreadable(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Unreadable):
        read_document(tmp_path / name)


def test_fingerprint_changes_with_everything_its_first_half_with_the_text_only() -> None:
    def piece(line: str) -> Piece:
        (found,) = pieces_of_lines("x", [line])
        assert isinstance(found, Piece)
        return found

    plain = piece('{"content": "c", "metadata": {"title": "t"}}').fingerprint
    tagged = piece('{"content": "c", "metadata": {"title": "t"}, "tags": ["a"]}').fingerprint
    other = piece('{"content": "d", "metadata": {"title": "t"}}').fingerprint
    assert plain != tagged
    assert plain[:32] == tagged[:32] != other[:32]


def test_lines_hold_nested_or_flat_chunks_and_tell_what_is_wrong() -> None:
    lines = [
        '{"content": "c", "metadata": {"title": "t"}, "dedupeKey": "k"}',
        "",
        '{"content": "c", "title": "flat", "chunkIndex": 2}',
        '{"content": "c", "title": "beside", "sourceUrl": "u", "metadata": {"sourceUrl": "nested"}}',
        '{"content": " ", "metadata": {"title": "t"}}',
        '{"content": "c"}',
        "[1]",
        "{",
    ]
    found = list(pieces_of_lines("f.jsonl", lines))
    assert isinstance(found[0], Piece)
    assert isinstance(found[1], Piece)
    assert (found[0].key, found[1].chunk.metadata.title, found[1].chunk.metadata.chunk_index) == ("k", "flat", 2)
    assert isinstance(found[2], Piece)
    assert (found[2].chunk.metadata.title, found[2].chunk.metadata.source_url) == ("beside", "nested")
    assert all(isinstance(each, Refusal) for each in found[3:])
    assert [each.origin for each in found] == [f"f.jsonl:{n}" for n in (1, 3, 4, 5, 6, 7, 8)]


def test_folders_give_known_formats_in_order_and_no_hidden_files(tmp_path: Path) -> None:
    for name in ("b.md", "a.txt", "c.py", ".git/x.md", "sub/d.html", ".hidden.md"):
        write(tmp_path, name, "x")
    names = [source.name for source in find_sources([str(tmp_path)], Filters(), tmp_path)]
    assert names == ["a.txt", "b.md", "sub/d.html"]


def test_patterns_choose_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("a.md", "b.py", "drafts/c.py", "deep/d.py"):
        write(tmp_path, name, "x")
    filters = Filters(include=["*.py"], exclude=["drafts/*"])
    assert [source.name for source in find_sources([str(tmp_path)], filters, tmp_path)] == ["b.py", "deep/d.py"]


def test_names_are_relative_to_the_base_or_begin_with_the_argument(tmp_path: Path) -> None:
    file = write(tmp_path, "docs/deep/a.md", "x")
    docs = tmp_path / "docs"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert name_of(file, docs, tmp_path) == "docs/deep/a.md"
    assert name_of(file, docs, elsewhere) == "docs/deep/a.md"
    assert name_of(file, file, elsewhere) == "a.md"
    assert name_of(docs, docs, docs) == "."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "cp1252", "utf-32"])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.rst", "a.csv"])
def test_text_in_any_common_encoding(tmp_path: Path, encoding: str, name: str) -> None:
    text = "name,price\nCafé “Über”,3 €\n"
    mark, codec = (b"\xff\xfe", "utf-16-le") if encoding.endswith("bom") else (b"", encoding)
    path = tmp_path / name
    path.write_bytes(mark + text.encode(codec))
    (section,) = read_document(path).sections
    assert "Café “Über”" in section.text
    assert is_read_in_fallback(path) is (encoding == "cp1252")
