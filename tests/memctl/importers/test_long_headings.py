"""A heading of any length is kept in part: the sections below it, which repeat it, stay small and apart."""

from memctl.importers.markup import markdown_parts
from memctl.importers.pieces import pieces_of
from memctl.importers.sections import HEADING_MAX, Document, nest

LONG = "x" * 200_000


def test_sections_under_a_heading_of_megabytes_repeat_its_beginning() -> None:
    sections = nest(markdown_parts(f"# {LONG}\n\n## Set-up\nRun it.\n\n## Use\nCall it.\n"))
    assert [section.path for section in sections] == [("x" * HEADING_MAX, "Set-up"), ("x" * HEADING_MAX, "Use")]


def test_headings_that_differ_after_what_is_kept_have_different_keys() -> None:
    sections = nest(markdown_parts(f"# {LONG}1\n\nRun it.\n\n# {LONG}2\n\nCall it.\n"))
    pieces = pieces_of("a.md", Document("markdown", sections), 1200, 0)
    assert [piece.chunk.content for piece in pieces] == ["Run it.", "Call it."]
    assert len({piece.key for piece in pieces}) == 2
