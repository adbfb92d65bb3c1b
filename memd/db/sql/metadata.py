"""Rendering the namespace and the metadata filter of a request as a condition on memories (contract 17.2).

Fields and values are bound parameters; only operators of this module become part of the statement.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from memd.domain.search.metadata_filter import Condition, Namespace, Operator

_SIGNS: Final = {Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<="}


def namespace_condition(namespace: Namespace | None, alias: str, params: dict[str, Any]) -> str:
    """The condition on `namespace` of the rows of `alias`; the column has the collation "C", so a prefix is a range."""
    if namespace is None:
        return "true"
    params["namespace"] = namespace.name
    if namespace.upper_bound is None:
        return f"{alias}.namespace = %(namespace)s"
    params["namespace_end"] = namespace.upper_bound
    return f"({alias}.namespace >= %(namespace)s AND {alias}.namespace < %(namespace_end)s)"


def metadata_condition(where: Sequence[Condition], alias: str, params: dict[str, Any]) -> str:
    """The condition that `metadata` of `alias` passes every test; metadata that is not an object has no fields."""
    if not where:
        return "true"
    tests = [_test(condition, number, params) for number, condition in enumerate(where)]
    # OFFSET 0 keeps Postgres from parsing the metadata once for each test.
    parsed = f"(SELECT {alias}.metadata::jsonb AS fields OFFSET 0) parsed"
    return f"(SELECT coalesce({' AND '.join(tests)}, false) FROM {parsed})"


def _test(condition: Condition, number: int, params: dict[str, Any]) -> str:
    name, value = f"where_field_{number}", f"where_value_{number}"
    params[name] = condition.field
    found = f"(parsed.fields -> %({name})s::text)"
    match condition.operator:
        case Operator.EXISTS:
            return f"{found} IS {'NOT ' if condition.value else ''}NULL"
        case Operator.IN:
            params[value] = [json.dumps(each) for each in condition.value]
            return f"{found} = ANY({_once(f'%({value})s::text[]::jsonb[]')}::jsonb[])"
        case Operator.EQ | Operator.NE:
            params[value] = json.dumps(condition.value)
            sign = "=" if condition.operator is Operator.EQ else "<>"
            return f"{found} {sign} {_once(f'%({value})s::text::jsonb')}"
        case _:
            return _ordered(condition, found, f"%({value})s", params, value)


def _ordered(condition: Condition, found: str, bound: str, params: dict[str, Any], value: str) -> str:
    sign = _SIGNS[condition.operator]
    if isinstance(condition.value, str):
        params[value] = condition.value
        text = f"({found} #>> '{{}}') COLLATE \"C\""
        return f"(jsonb_typeof({found}) = 'string' AND {text} {sign} {bound}::text)"
    params[value] = json.dumps(condition.value)
    return f"(jsonb_typeof({found}) = 'number' AND {found} {sign} {_once(f'{bound}::text::jsonb')})"


def _once(value: str) -> str:
    """The value, computed once per statement: a generic plan does not fold it, and would parse its JSON for every row."""
    return f"(SELECT {value})"
