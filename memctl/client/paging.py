"""Lists that memd returns in pages."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol, TypeVar

from memctl.wire.base import PatchModel


class _Page(Protocol):
    @property
    def is_done(self) -> bool: ...


class _ListPage(_Page, Protocol):
    @property
    def continue_cursor(self) -> str: ...


Request = TypeVar("Request", bound=PatchModel)
Page = TypeVar("Page", bound=_Page)
ListPage = TypeVar("ListPage", bound=_ListPage)


async def pages_from(read: Callable[[Request], Awaitable[ListPage]], request: Request) -> AsyncIterator[ListPage]:
    """The page of a request and all that follow it, each by the cursor of the one before."""
    while True:
        page = await read(request)
        yield page
        if page.is_done or not page.continue_cursor:
            return
        request = request.model_copy(update={"cursor": page.continue_cursor})


async def until_done(work: Callable[[], Awaitable[Page]]) -> AsyncIterator[Page]:
    """Repeat work that memd does a page at a time until it says that it is done."""
    while True:
        page = await work()
        yield page
        if page.is_done:
            return
