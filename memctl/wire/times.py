"""Times that are stored (contract 1.1.1): a number is milliseconds, a text is an ISO date or datetime.

In a bound of a question, a number below 1e11 is seconds (contract 7.0). That would move stored dates before March 1973,
so a number that is the seconds of a day of this century is refused instead.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core.core_schema import (
    CoreSchema,
    int_schema,
    plain_serializer_function_ser_schema,
    with_info_before_validator_function,
)

from memctl.wire.fields import from_url, whole_number
from memctl.wire.instants import LATEST_MS, SECONDS_OF_THIS_CENTURY, exact, looks_like_seconds, read_iso
from memctl.wire.refusals import wrong_type

_DAY: Final = "((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)"
_ISO_SINCE_1970: Final = (
    rf"^(19[7-9][0-9]|[2-9][0-9]{{3}})-{_DAY}"
    r"(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+]00:00)?)?$"
)
"""Every text of this form is taken, and other ISO datetimes, such as those with another offset."""


@dataclass(frozen=True, slots=True)
class StoredTime:
    """A time that is stored: from 1970 to the year 9999; with `checks_unit`, a number of seconds is refused."""

    checks_unit: bool = True

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Build the pydantic rule."""
        return with_info_before_validator_function(
            self._check,
            int_schema(ge=0, le=LATEST_MS),
            serialization=plain_serializer_function_ser_schema(exact if self.checks_unit else int, when_used="json"),
        )

    def _check(self, value: Any, info: ValidationInfo) -> int:
        number = _written(value, info)
        if not 0 <= number <= LATEST_MS:
            raise wrong_type(f"between 0 and {LATEST_MS}, the end of the year 9999 in milliseconds")
        if self.checks_unit and looks_like_seconds(value):
            raise wrong_type(f"in milliseconds: {number} is in seconds (send an ISO datetime for a day in 1970)")
        return number

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """A number, without those of seconds, or ISO text."""
        del core_schema, handler
        seconds = SECONDS_OF_THIS_CENTURY
        spans = [(0, seconds.start - 1), (seconds.stop, LATEST_MS)] if self.checks_unit else [(0, LATEST_MS)]
        numbers = [{"type": "integer", "minimum": low, "maximum": high} for low, high in spans]
        return {"anyOf": [*numbers, {"type": "string", "pattern": _ISO_SINCE_1970}]}


def _written(value: Any, info: ValidationInfo) -> int:
    if isinstance(value, str) and not from_url(info):
        instant = read_iso(value)
        if instant is None:
            raise wrong_type("an integer, an ISO date or an ISO datetime")
        return instant
    return whole_number(value, info)


EpochMs = Annotated[int, StoredTime()]
AnyEpochMs = Annotated[int, StoredTime(checks_unit=False)]
"""Times inside a transcript, not checked for seconds: one odd time must not refuse the whole transcript."""
