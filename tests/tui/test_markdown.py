"""Whether a stored text is shown as Markdown, decided in a moment for any text."""

import pytest

from tests.support.regex_steps import counting_steps
from tui.presenters import markdown

LENGTH = 2_000
STEPS_PER_CHARACTER = 60


@pytest.mark.parametrize("text", ["see [the runbook](https://a.example/x_(y))", "[![a badge](b.svg)](c)", "x `code` y"])
def test_links_and_code_are_signs_of_markdown(text: str) -> None:
    assert markdown.is_markdown(text)


@pytest.mark.parametrize("piece", ["[", "[a", "[a](", "**", "`a", "|a", "1.", "> ", "#"])
def test_a_text_of_signs_is_read_in_linear_time(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = counting_steps(monkeypatch, markdown)
    markdown.is_markdown((" " + piece * LENGTH)[:LENGTH])
    assert steps.count < STEPS_PER_CHARACTER * LENGTH
