"""The namespace and the metadata filter that a request asks for (contract 17.2)."""

from collections.abc import Mapping
from typing import Any

from memd.domain.metadata_filter import Condition, MetadataFilterError, Namespace, parse_where
from memd.errors import BadRequest


def requested_namespace(name: str | None) -> Namespace | None:
    """None for a request that names no namespace."""
    return None if name is None else Namespace(name)


def requested_where(where: Mapping[str, Any] | None) -> tuple[Condition, ...]:
    """The conditions of `where`; `BadRequest` for one that cannot be read."""
    try:
        return parse_where(where or {})
    except MetadataFilterError as error:
        raise BadRequest(str(error)) from None
