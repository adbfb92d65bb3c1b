"""A time zone as a setting: its IANA name, checked before anything starts."""

from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer
from pydantic_settings import NoDecode

from memd.domain.dates.zone import TimeZone


def _named(value: str | TimeZone) -> TimeZone:
    return TimeZone(value.strip()) if isinstance(value, str) else value


NamedZone = Annotated[TimeZone, NoDecode, BeforeValidator(_named), PlainSerializer(str, return_type=str)]
"""A time zone by its name."""
