"""The documentation can be imported into memd, as README shows: what is about the content policy does not trip it."""

from itertools import chain
from pathlib import Path

import pytest

from memctl.importers.documents import read_document
from memctl.importers.pieces import pieces_of
from memd.domain.policy.content_policy import evaluate
from memd.policy.rules import load_rules

ROOT = Path(__file__).parents[2]
PAGES = sorted(chain(ROOT.glob("*.md"), (ROOT / "docs").rglob("*.md")))
RULES = load_rules(None)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_chunk_of_a_page_is_blocked(page: Path) -> None:
    """In chunks of several sizes and as single lines, so that an edit elsewhere on the page cannot move a boundary into the way."""
    document = read_document(page)
    texts = [
        (piece.chunk.metadata.title or "", piece.chunk.content)
        for size in (300, 600, 1200, 2400, 100_000)
        for piece in pieces_of(page.name, document, size, 1)
    ]
    lines = [("", line) for line in page.read_text("utf-8").splitlines()]
    blocked = [(text, verdict) for title, text in (*texts, *lines) if (verdict := evaluate(RULES, title, text)).blocked]
    assert blocked == []
