"""Every typed row that a test reads has values of the types that its fields declare."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, get_type_hints

import pytest
from pydantic import ConfigDict, TypeAdapter

from memd.db import typed_rows

STRICT = ConfigDict(strict=True, arbitrary_types_allowed=True)
Reading = tuple[list[bytes], Callable[[Iterable[Any]], Any]]


def checked(of: type[Any], reading: Reading) -> Reading:
    """The reading of a row type that raises `ValidationError` for a value of another type than its field declares."""
    fields, make = reading
    hints = get_type_hints(of)
    if not set(of._fields) <= hints.keys():  # columns that make one field together are of a type of their own
        return reading
    shape: Any = tuple.__class_getitem__(tuple(hints[name] for name in of._fields))
    adapter = TypeAdapter[Any](shape, config=STRICT)

    def checking(values: Iterable[Any]) -> Any:
        row = tuple(values)
        adapter.validate_python(row)
        return make(row)

    return fields, checking


@pytest.fixture(scope="session", autouse=True)
def _rows_have_the_declared_types() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        plain = typed_rows._reading
        patch.setattr(typed_rows, "_reading", cache(lambda of: checked(of, plain(of))))
        yield
