"""Patterns that read whole messages and documents take steps in proportion to the length of the text.

`test_adversarial_texts` counts the calls of a reader, which do not show how far one search goes.
"""

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Final

import pytest

from memd.domain.chunks import kinds
from memd.domain.extraction import author_statements, junk, remarks
from memd.domain.extraction.conversation_windows import SourceMessage
from memd.domain.ids import new_id
from memd.domain.text import sentences
from memd.domain.types import MessageRole
from tests.support.adversarial import SHAPES
from tests.support.regex_steps import counting_steps

SHORT: Final = 100
TIMES: Final = 4
MAX_GROWTH: Final = 8
"""A text that is four times as long may cost this many times as much; if it costs the square of its length, it is sixteen."""
FEW: Final = 2_000
"""Steps that do not count: the shortest text may be one of which a pattern reads hardly anything."""
RECURSION: Final = 50_000
Read = Callable[[str], object]


def _as_message(text: str) -> None:
    """The words of a message that is read again when a memory of it is judged."""
    message = SourceMessage(new_id(), MessageRole.USER, text, 1, 1)
    junk.SourceReading(message, [message])


READERS: Final[dict[str, tuple[ModuleType, Read]]] = {
    "sentences": (sentences, sentences.sentences),
    "words of a message": (junk, _as_message),
    "remark of a user": (remarks, remarks.is_remark),
    "title of a chunk": (kinds, lambda title: kinds.chunk_kind(title, "key: value\nkey: value")),
}


@pytest.fixture(autouse=True)
def deep_recursion() -> Iterator[None]:
    """The counting matcher calls itself for each repetition."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(RECURSION)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("name", READERS)
def test_a_longer_text_costs_no_more_than_its_share(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, read = READERS[name]
    steps = counting_steps(monkeypatch, module)
    grown: dict[str, tuple[int, int]] = {}
    for shape, make in SHAPES.items():
        counts: list[int] = []
        for length in (SHORT, TIMES * SHORT):
            before = steps.count
            read(make(length))
            counts.append(steps.count - before)
        if counts[1] > MAX_GROWTH * counts[0] + FEW:
            grown[shape] = counts[0], counts[1]
    assert grown == {}


def test_a_run_of_adverbs_costs_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = counting_steps(monkeypatch, author_statements)
    counts: list[int] = []
    for words in (20, 20 * TIMES):
        before = steps.count
        assert not author_statements.is_about_author(f"I {'already ' * words}")
        counts.append(steps.count - before)
    assert counts[1] <= MAX_GROWTH * counts[0]
