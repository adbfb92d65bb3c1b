"""A choice among a few words, on one line."""

from collections.abc import Iterable

from rich.text import Text
from textual.widgets import Select

from memctl.text import one_line


class Choice(Select[str]):
    """`options` are the words, or pairs of a label and its value; labels are never markup."""

    def __init__(
        self,
        options: Iterable[str | tuple[str, str]],
        *,
        id: str,  # noqa: A002 - Textual's name
        prompt: str = "",
        value: str | None = None,
    ) -> None:
        super().__init__(
            _pairs(options),
            prompt=prompt,
            allow_blank=value is None,
            value=Select.NULL if value is None else value,
            id=id,
            compact=True,
        )

    @property
    def chosen(self) -> str | None:
        """The word; None when nothing was chosen."""
        return self.value if isinstance(self.value, str) else None

    def offer(self, options: Iterable[str | tuple[str, str]]) -> None:
        """Other words; what was chosen stays when it is among them."""
        pairs, before = _pairs(options), self.chosen
        with self.prevent(Select.Changed):
            self.set_options(pairs)
            if before in {word for _, word in pairs}:
                self.value = before


def _pairs(options: Iterable[str | tuple[str, str]]) -> list[tuple[Text, str]]:
    named = [(each, each) if isinstance(each, str) else each for each in options]
    return [(Text(one_line(label, 60)), word) for label, word in named]
