"""Phrases to search texts for: a pattern, and a cheap look whether a text may have one, both made of the same words."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memd.domain.text.alternatives import any_of, either


class Phrase(NamedTuple):
    """Plain words, of which each underscore is a blank, and the pattern in which `{}` stands for any of them."""

    words: str
    form: str = "{}"

    @property
    def pattern(self) -> str:
        """The pattern."""
        return self.form.replace("{}", any_of(self.words))


class Phrases:
    """Any of some phrases, beginning and ending with a word, in any case of letters."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        """Compile the phrases; where two begin at the same place, the first one matches."""
        words = {word.replace("_", " ") for phrase in phrases for word in phrase.words.split()}
        self._cues: Final = tuple(one for one in words if not any(other in one for other in words - {one}))
        pattern = either(*(phrase.pattern for phrase in phrases))
        self._pattern: Final = re.compile(rf"\b{pattern}(?!\w)", re.IGNORECASE)

    def may_be_in(self, text: str) -> bool:
        """Whether a text has words of a phrase; most texts have none, and are not searched."""
        low = text.lower()
        return any(map(low.__contains__, self._cues))

    def first(self, text: str) -> re.Match[str] | None:
        """The first phrase of a text."""
        return self._pattern.search(text)

    def all(self, text: str) -> Iterator[re.Match[str]]:
        """The phrases of a text, in order."""
        return self._pattern.finditer(text)
