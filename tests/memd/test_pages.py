"""Pages in which rows are embedded and written."""

import pytest

from memd.pages import in_pages


@pytest.mark.parametrize("count", [0, 1, 49, 50, 51, 200, 201, 251, 2_000])
def test_pages_hold_every_row_once_in_order_and_none_is_too_large(count: int) -> None:
    pages = in_pages(range(count), 200)
    assert [row for page in pages for row in page] == [*range(count)]
    assert all(0 < len(page) <= 200 for page in pages)


def test_little_is_left_to_write_once_everything_is_embedded() -> None:
    assert [len(page) for page in in_pages(range(500), 200)] == [50, 200, 200, 50]
    assert [len(page) for page in in_pages(range(40), 200)] == [40]
