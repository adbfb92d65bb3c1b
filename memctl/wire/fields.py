"""Field types of requests (contract 1.1, 1.5, 2.3).

A wrong value is refused with an error whose *type* tells the daemon which `details` text of contract 1.5 to write;
`memd.validation` holds that table. What the JSON schema of a field says is what the field accepts.
"""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, PydanticKnownError
from pydantic_core.core_schema import (
    CoreSchema,
    float_schema,
    int_schema,
    no_info_after_validator_function,
    str_schema,
    with_info_before_validator_function,
)

from memctl.wire.invisible import has_visible, without_invisible
from memctl.wire.limits import (
    ACTION_TRIGGER_MAX,
    ACTION_TRIGGERS_MAX,
    FILTER_USED,
    MESSAGE_READ_MAX,
    METADATA_MAX_BYTES,
    QUERY_USED,
    TAG_MAX,
    TAGS_MAX,
)
from memctl.wire.refusals import missing_field, out_of_range, wrong_type

NOT_BLANK: JsonSchemaValue = {"minLength": 1, "pattern": r"\S"}


def _not_blank(value: str) -> str:
    if not value.strip():
        raise missing_field()
    return value


def _used_of_query(value: str) -> str:
    if not (used := value[:QUERY_USED]).strip():
        raise PydanticCustomError("blank_query", "Query must not be empty")
    return used


def _used_of_filter(value: str) -> str:
    return value[:FILTER_USED]


def blank_is_absent(value: str | None) -> str | None:
    """None for a blank text."""
    return value if value is not None and value.strip() else None


@dataclass(frozen=True, slots=True)
class RequiredText:
    """A string that must not be blank, of `max_length` code points; invisible characters do not count in `visible` text."""

    max_length: int | None = None
    visible: bool = False

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Build the pydantic rule."""
        if self.visible:
            return no_info_after_validator_function(self._check_visible, str_schema(strict=True))
        return no_info_after_validator_function(_not_blank, str_schema(strict=True, max_length=self.max_length))

    def _check_visible(self, value: str) -> str:
        high = self.max_length
        if high is not None and len(value) > high and (len(value) > 4 * high or len(without_invisible(value)) > high):
            raise PydanticKnownError("string_too_long", {"max_length": high})
        if not has_visible(value[:MESSAGE_READ_MAX]):
            raise missing_field()
        return value

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Not blank, in the words of JSON schema."""
        length: dict[str, int] = {} if self.max_length is None else {"maxLength": self.max_length}
        return handler(core_schema) | length | NOT_BLANK


@dataclass(frozen=True, slots=True)
class Identifier:
    """A wire id with the given prefix (contract 1.2): another form is an invalid identifier; blank is missing if `required`."""

    prefix: str
    required: bool = False

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Build the pydantic rule."""
        form = re.compile(self.pattern)

        def check(value: str) -> str:
            if form.fullmatch(_not_blank(value) if self.required else value) is None:
                raise PydanticCustomError("identifier", "is not a valid identifier")
            return value

        return no_info_after_validator_function(check, str_schema(strict=True))

    @property
    def pattern(self) -> str:
        """The form as a regular expression."""
        return rf"^{self.prefix}_[0-7][0-9a-hjkmnp-tv-z]{{25}}$"

    def json_schema(self) -> JsonSchemaValue:
        """The form in the words of JSON schema."""
        length = len(self.prefix) + 27
        return {"type": "string", "pattern": self.pattern, "minLength": length, "maxLength": length}

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """As `json_schema`."""
        del core_schema, handler
        return self.json_schema()


@dataclass(frozen=True, slots=True)
class Limit:
    """A page size: above `high` it is cut to `high`; below `low`, fractional or no number is refused (1.1.4)."""

    low: int
    high: int

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Build the pydantic rule."""

        def check(value: Any, info: ValidationInfo) -> int:
            number = min(whole_number(value, info), self.high)
            if number < self.low:
                raise out_of_range(self.low, self.high)
            return number

        return with_info_before_validator_function(check, int_schema(ge=self.low, le=self.high))

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Without a maximum: what is above is cut, not refused."""
        del core_schema, handler
        return {"type": "integer", "minimum": self.low, "description": f"Above {self.high} it is cut to {self.high}"}


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number that must lie within `low` and `high`."""

    low: int = 0
    high: int = 2_147_483_647

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Build the pydantic rule."""

        def check(value: Any, info: ValidationInfo) -> int:
            number = whole_number(value, info)
            if not self.low <= number <= self.high:
                raise out_of_range(self.low, self.high)
            return number

        return with_info_before_validator_function(check, int_schema(ge=self.low, le=self.high))


@dataclass(frozen=True, slots=True)
class Number:
    """A number that must lie within `low` and `high`, or is cut to them when `cut` is set."""

    low: float
    high: float
    cut: bool = False

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Build the pydantic rule."""

        def check(value: Any, _info: ValidationInfo) -> float:
            number = real_number(value)
            if not self.cut and not self.low <= number <= self.high:
                raise out_of_range(self.low, self.high)
            return float(min(max(number, self.low), self.high))

        return with_info_before_validator_function(check, float_schema(ge=self.low, le=self.high))

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Without bounds where values are cut."""
        if self.cut:
            return {"type": "number", "description": f"Cut to {self.low} to {self.high}"}
        return handler(core_schema)


_DIGITS = re.compile(r"-?[0-9]{1,4300}")  # as many digits as Python reads, in a body as well


def real_number(value: Any) -> float:
    """A JSON number, perhaps an integer beyond the range of a double; booleans, NaN and infinities are refused."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type("a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise wrong_type("a number")
    return value


def whole_number(value: Any, info: ValidationInfo) -> int:
    """A JSON number without fraction; a string of digits counts in a URL only (contract 1.1.4)."""
    if from_url(info) and isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise wrong_type("an integer")
    if not isinstance(value, int) and not value.is_integer():
        raise wrong_type("an integer")
    return int(value)


def from_url(info: ValidationInfo) -> bool:
    """Whether the values come from the query part of a URL."""
    return bool(info.context and info.context.get("source") == "query")


_URL_FLAGS = {"true": True, "1": True, "false": False, "0": False}


def _flag(value: Any, info: ValidationInfo) -> bool:
    if from_url(info) and isinstance(value, str) and value in _URL_FLAGS:
        return _URL_FLAGS[value]
    if isinstance(value, bool):
        return value
    raise wrong_type("a boolean")


def size_checked(value: Any) -> Any:
    """A JSON value of at most METADATA_MAX_BYTES."""
    size = len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"))
    if size > METADATA_MAX_BYTES:
        raise PydanticCustomError("too_many_bytes", "is too large", {"max_length": METADATA_MAX_BYTES})
    return value


def _metadata(value: Any) -> Any:
    if not isinstance(value, (dict, str)):
        raise wrong_type("an object or a string")
    return size_checked(value)


def _json_object(value: Any) -> Any:
    if value is not None and not isinstance(value, dict):
        raise wrong_type("an object")
    return size_checked(value)


def unique_within(limit: int) -> Callable[[list[str]], list[str]]:
    """A rule for lists of words: blanks dropped, duplicates dropped, then at most `limit` entries."""

    def check(words: list[str]) -> list[str]:
        kept = list(dict.fromkeys(word for word in words if word.strip()))
        if len(kept) > limit:
            raise PydanticCustomError("too_many_items", "has too many items", {"max_length": limit})
        return kept

    return check


Text500 = Annotated[str, StringConstraints(strict=True, max_length=500)]
AnyText = Annotated[str, StringConstraints(strict=True)]
ScopeText = Annotated[Text500 | None, AfterValidator(blank_is_absent)]
"""channel, agentId, sessionKey, scope: compared byte for byte, blank counts as absent (contract 1.1.7)."""
QueryText = Annotated[
    AnyText, AfterValidator(_used_of_query), WithJsonSchema({"type": "string"} | NOT_BLANK, mode="validation")
]
"""A search query; only the first QUERY_USED characters are used (contract 6.2)."""
FilterText = Annotated[AnyText, AfterValidator(_used_of_filter)]
"""A filter of a list, sent while somebody types; only the first FILTER_USED characters are used (contract 17.2)."""
Cursor = Annotated[AnyText, WithJsonSchema({"type": "string", "format": "cursor"}, mode="validation")]
"""The cursor of the next page, from the page before."""
Flag = Annotated[bool, BeforeValidator(_flag)]
Unit = Annotated[float, Number(0, 1)]
MemoryId = Annotated[str, Identifier("mem")]
RequestId = Annotated[str, Identifier("req")]
KnowledgeBaseId = Annotated[str, Identifier("kb")]
Metadata = Annotated[dict[str, Any] | str, BeforeValidator(_metadata)]
JsonObject = Annotated[dict[str, Any], BeforeValidator(_json_object)]
AnyJson = Annotated[Any, BeforeValidator(size_checked)]
TagText = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, to_lower=True, max_length=TAG_MAX)]
TagList = Annotated[list[TagText], AfterValidator(unique_within(TAGS_MAX))]
ToolNames = Annotated[
    list[Annotated[str, StringConstraints(strict=True, strip_whitespace=True, max_length=ACTION_TRIGGER_MAX)]],
    AfterValidator(unique_within(ACTION_TRIGGERS_MAX)),
]
