"""The title of a page that stands outside of its text: in front matter, or in the head of HTML."""

from pathlib import Path

import pytest

from memctl.importers.documents import read_document
from memctl.importers.memory_files import row_of_file

LIMITS = "## Per key\n\n100 a minute.\n"


def paths(folder: Path, name: str, text: str) -> list[tuple[str, ...]]:
    """The headings over each section of a file."""
    path = folder / name
    path.write_text(text)
    return [section.path for section in read_document(path).sections]


@pytest.mark.parametrize(
    ("block", "title"),
    [
        ("title: Rate limits\ntags: [api]", ("Rate limits",)),
        ('title: "Limits: how many?"', ("Limits: how many?",)),
        ("title: 2026", ("2026",)),
        ("title: 1.10", ("1.10",)),
        ("title: Yes", ("Yes",)),
        ("title: 010", ("010",)),
        ("title: 12:30", ("12:30",)),
        ("title: ~", ()),
        ("draft: !!bool maybe", ()),
        ("date: !!timestamp soon", ()),
        ("sidebar: Limits", ()),
        ("title:", ()),
        ("title: [a, b]", ()),
        ("title: Limits: {{ not YAML", ()),
    ],
)
def test_the_title_of_front_matter_is_the_first_heading(tmp_path: Path, block: str, title: tuple[str, ...]) -> None:
    text = f"---\n{block}\n---\n\nIntro.\n\n{LIMITS}"
    assert paths(tmp_path, "limits.md", text) == [title, (*title, "Per key")]


def test_a_page_with_a_heading_of_its_own_keeps_it(tmp_path: Path) -> None:
    text = f"---\ntitle: limits-page\n---\n\n# Rate limits\n\nIntro.\n\n{LIMITS}"
    assert paths(tmp_path, "limits.md", text) == [("Rate limits",), ("Rate limits", "Per key")]


def test_prose_between_two_rules_is_no_front_matter(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text("---\n\nThe door code is 4711.\n\n---\n\nMore.\n")
    (section,) = read_document(path).sections
    assert "The door code is 4711." in section.text


def test_much_prose_between_two_rules_is_no_front_matter(tmp_path: Path) -> None:
    path = tmp_path / "book.md"
    path.write_text("---\n" + "A line of prose.\n\n" * 10_000 + "---\n\nMore.\n")
    (section,) = read_document(path).sections
    assert section.text.count("A line of prose.") == 10_000


def test_the_title_of_a_note_is_as_it_is_written() -> None:
    assert row_of_file("---\ntitle: 1.10\n---\n\nThe release.\n", "a.md")[1]["title"] == "1.10"
    assert row_of_file("---\nname: Yes\n---\n\nThe song.\n", "a.md")[1]["title"] == "Yes"


def test_the_title_of_an_html_page_without_a_main_heading_is_its_first_heading(tmp_path: Path) -> None:
    page = (
        "<html><head><title>Rate\n limits</title></head><body>{}<p>Intro.</p><h2>Per key</h2><p>100</p></body></html>"
    )
    assert paths(tmp_path, "a.html", page.format("")) == [("Rate limits",), ("Rate limits", "Per key")]
    assert paths(tmp_path, "b.html", page.format("<h1>Limits</h1>")) == [("Limits",), ("Limits", "Per key")]


def test_a_heading_without_words_is_none(tmp_path: Path) -> None:
    """A logo is often the main heading of a page."""
    page = "<title>Rate limits</title><h1><img src=logo.png></h1><p>Intro.</p><h2>Per key</h2><h3></h3><p>100</p>"
    assert paths(tmp_path, "a.html", page) == [("Rate limits",), ("Rate limits", "Per key")]
    assert paths(tmp_path, "a.md", "# Limits\n\nIntro.\n\n##\n\nMore.\n") == [("Limits",), ("Limits",)]
