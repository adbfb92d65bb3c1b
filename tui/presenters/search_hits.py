"""The hits of a message search: which of them are listed, and the line that says how the search went."""

from collections.abc import Sequence

from memctl.commands.weak_rows import CLOSEST
from memctl.text import count, moment, one_line
from memctl.wire.messages import MessageHit, SearchMessagesReply


class SearchHits:
    """The pages of one search so far; weak and adjacent hits are left out, as by `memctl search`, unless asked for."""

    def __init__(self, *, with_weak: bool = False) -> None:
        self.with_weak = with_weak
        self._loaded: list[MessageHit] = []
        self._last_page: SearchMessagesReply | None = None

    def add(self, page: SearchMessagesReply) -> None:
        """Take the first page, or the one that follows."""
        self._loaded += page.messages
        self._last_page = page

    @property
    def shown(self) -> Sequence[MessageHit]:
        """The hits that fit by their own words, the closest ones if none does, or all of them."""
        if self.with_weak:
            return self._loaded
        return [hit for hit in self._loaded if hit.mark is None] or self._loaded[:CLOSEST]

    @property
    def more_from(self) -> int | None:
        """The offset of the next page; None if there is none."""
        page = self._last_page
        return page.pagination.next_offset if page is not None and page.pagination.has_more else None

    @property
    def line(self) -> str:
        """How many hits are listed and left out, the time bounds that were really used, what follows, and the keys."""
        if (page := self._last_page) is None:
            return ""
        parts = (
            self._found(),
            self._left_out(),
            _times(page),
            "more below" if page.pagination.has_more else "",
            "Enter: its conversation · Esc: back",
            f"degraded: {one_line(page.degradation.message, 80)}" if page.degradation else "",
        )
        return " · ".join(part for part in parts if part)

    def _found(self) -> str:
        shown = count(len(self.shown), "hit")
        if not self._loaded or any(hit.mark is None for hit in self._loaded):
            return shown
        return f"nothing relevant, {shown}" if self.with_weak else f"nothing relevant, the closest {shown}"

    def _left_out(self) -> str:
        marked = sum(hit.mark is not None for hit in self._loaded)
        if self.with_weak:
            return f"{marked:,} of them weak (w hides)" if marked else ""
        hidden = len(self._loaded) - len(self.shown)
        return f"{hidden:,} weak (w shows)" if hidden else ""


def _times(page: SearchMessagesReply) -> str:
    window = page.window
    bounds = [moment(bound) if bound is not None else "open" for bound in (window.from_ms, window.to_ms)]
    source = {"request": "as entered", "query": "read from the query", "none": ""}[window.window_source]
    times = f"{bounds[0]} to {bounds[1]}, {source}" if source else ""
    boosted = f"messages of “{one_line(page.temporal_hint.phrase, 40)}” first" if page.temporal_hint else ""
    return " · ".join(part for part in (times, boosted) if part)
