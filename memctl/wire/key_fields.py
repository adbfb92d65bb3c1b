"""Field types of keyed memories: namespace, key and metadata filter (contract 17.2)."""

import json
from typing import Annotated, Any, NoReturn

from pydantic import AfterValidator, BeforeValidator, StringConstraints, ValidationInfo

from memctl.wire.fields import blank_is_absent, from_url, size_checked
from memctl.wire.limits import KEY_MAX, NAMESPACE_MAX
from memctl.wire.refusals import wrong_type


def _where(value: Any, info: ValidationInfo) -> Any:
    """A JSON object; in a URL its text, which must not hold what a body must not hold (contract 1.1.3)."""
    if from_url(info) and isinstance(value, str):
        value = _object_of(value)
    if not isinstance(value, dict):
        raise wrong_type("an object")
    return size_checked(value)


def _object_of(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=lambda _: _refuse_json())
        plain = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise wrong_type("a JSON object") from None
    return _refuse_json() if b"\\u0000" in plain else value


def _refuse_json() -> NoReturn:
    raise wrong_type("a JSON object")


NamespaceText = Annotated[
    Annotated[str, StringConstraints(strict=True, max_length=NAMESPACE_MAX)] | None, AfterValidator(blank_is_absent)
]
"""Segments joined by slashes, compared byte for byte; blank counts as absent."""
KeyText = Annotated[
    Annotated[str, StringConstraints(strict=True, max_length=KEY_MAX)] | None, AfterValidator(blank_is_absent)
]
Where = Annotated[dict[str, Any], BeforeValidator(_where)]
"""A metadata filter: `{field: value}` or `{field: {operator: value}}` (contract 17.2); JSON text in a URL."""
