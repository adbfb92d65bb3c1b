"""Filters on the metadata and the namespace of memories (contract 17.2): what a request asks for, without any SQL."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, cast

MAX_CONDITIONS: Final = 20
MAX_VALUES: Final = 100
"""Values of one `in`."""


class Operator(StrEnum):
    """How a condition compares a metadata field with its value."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    IN = "in"
    EXISTS = "exists"


ORDERED: Final = frozenset((Operator.GT, Operator.GTE, Operator.LT, Operator.LTE))


class MetadataFilterError(ValueError):
    """A `where` that cannot be read; the text is the `details` of the refusal."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One test of a top-level metadata field against a JSON value; a row without the field fails all but `exists: false`.

    The value is a bool for `exists`, a list for `in`, a number or a string for the ordered operators, else any JSON.
    Ordered operators compare numbers with numbers, and strings with strings by code point; other pairs do not match.
    """

    field: str
    operator: Operator
    value: Any


@dataclass(frozen=True, slots=True)
class Namespace:
    """The namespaces that a request asks for: this one, or all that begin with it if it ends in a slash."""

    name: str

    @property
    def upper_bound(self) -> str | None:
        """The first string, in code point order, after all strings that begin with a prefix; None for an exact name."""
        return f"{self.name[:-1]}0" if self.name.endswith("/") else None


def parse_where(where: Mapping[str, Any]) -> tuple[Condition, ...]:
    """The conditions of `{field: value}` or `{field: {operator: value, …}}`, all of which must hold.

    `MetadataFilterError` for an unknown operator, a value that its operator cannot take, or too many conditions.
    """
    conditions = [condition for field, expected in where.items() for condition in _conditions(field, expected)]
    if len(conditions) > MAX_CONDITIONS:
        raise MetadataFilterError(f"Field where exceeds maximum length of {MAX_CONDITIONS} items")
    return tuple(conditions)


def _conditions(field: str, expected: Any) -> list[Condition]:
    if not isinstance(expected, dict):
        return [Condition(field, Operator.EQ, expected)]
    tests = cast("dict[str, Any]", expected)
    if not tests:
        raise MetadataFilterError(f"Field where.{field} must name an operator")
    return [_condition(field, name, value) for name, value in tests.items()]


def _condition(field: str, name: str, value: Any) -> Condition:
    path = f"where.{field}.{name}"
    try:
        operator = Operator(name)
    except ValueError:
        raise MetadataFilterError(f"Field {path} must be one of: {', '.join(Operator)}") from None
    expected = _expected(operator, value)
    if expected is not None:
        raise MetadataFilterError(f"Field {path} must be {expected}")
    if operator is Operator.IN and len(value) > MAX_VALUES:
        raise MetadataFilterError(f"Field {path} exceeds maximum length of {MAX_VALUES} items")
    return Condition(field, operator, value)


def _expected(operator: Operator, value: Any) -> str | None:
    """The type that the operator expects instead of this value; None when the value is valid."""
    if operator is Operator.EXISTS:
        return None if isinstance(value, bool) else "a boolean"
    if operator is Operator.IN:
        return None if isinstance(value, list) else "an array"
    if operator in ORDERED and (isinstance(value, bool) or not isinstance(value, int | float | str)):
        return "a number or a string"
    return None
