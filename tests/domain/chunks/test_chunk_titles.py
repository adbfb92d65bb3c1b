"""Titles of parts and of chunks without one (contract 8.4, 8.5)."""

import pytest

from memd.domain.chunks.chunking import derived_title, part_title


@pytest.mark.rule("8.4 title")
@pytest.mark.parametrize(
    ("index", "total", "title"),
    [(0, 1, "Guide"), (0, 3, "Guide (1/3)"), (2, 3, "Guide (3/3)")],
)
def test_the_title_of_a_part(index, total, title):
    assert part_title("Guide", index, total) == title


def test_the_title_of_a_part_stays_within_a_title():
    assert part_title("x" * 500, 9, 10) == f"{'x' * 492} (10/10)"
    assert part_title("x" * 500, 0, 1) == "x" * 500


@pytest.mark.rule("8.5 missing title")
@pytest.mark.parametrize(
    ("chunk_index", "total", "url", "title"),
    [
        (0, 4, None, "Docs — Chunk 1/4"),
        (3, 4, "https://example.org/a", "Docs — Chunk 4/4"),
        (None, None, "https://example.org/a", "Docs — https://example.org/a"),
        (3, None, "https://example.org/a", "Docs — https://example.org/a"),
        (None, 4, None, "Docs — Imported reference"),
        (None, None, None, "Docs — Imported reference"),
        (None, None, "", "Docs — Imported reference"),
    ],
)
def test_the_title_of_a_chunk_without_one(chunk_index, total, url, title):
    assert derived_title("Docs", chunk_index, total, url) == title


def test_a_derived_title_stays_within_a_title():
    assert derived_title("Docs", None, None, "u" * 2000) == f"Docs — {'u' * 493}"
