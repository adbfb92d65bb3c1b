"""Which end user a request names: by a header, or by a field (contract 17.1)."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.datastructures import Headers, QueryParams

from memd.accounts.end_users.service import check_name
from memd.errors import BadRequest

HEADER: Final = "X-Memd-User"
FIELD: Final = "userId"


def names_end_user(headers: Headers) -> bool:
    """Whether the header is there, blank or not."""
    return HEADER in headers


def end_user_of_header(headers: Headers) -> str:
    """The end user that the header names; `BadRequest` when it is sent twice, is not UTF-8 or is not a valid name."""
    header_name = HEADER.lower().encode()
    values = [value for name, value in headers.raw if name == header_name]
    if len(values) != 1:
        raise BadRequest(f"Header {HEADER} must be sent once")
    try:
        text = values[0].decode()
    except UnicodeDecodeError:
        raise BadRequest(f"Header {HEADER} must be UTF-8") from None
    return check_name(text, f"Header {HEADER}")


def end_user_of_fields(fields: Mapping[str, Any]) -> str | None:
    """The end user that the fields of a request name; None when they name none.

    `BadRequest` for an invalid name, and for a URL that names two.
    """
    if isinstance(fields, QueryParams) and len(set(fields.getlist(FIELD))) > 1:
        raise BadRequest(f"Field {FIELD} must name one user")
    value = fields.get(FIELD)
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadRequest(f"Field {FIELD} must be a string")
    return check_name(value, f"Field {FIELD}")
