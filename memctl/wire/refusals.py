"""The refusals of field rules, in the words of contract 1.5."""

from pydantic_core import PydanticCustomError


def wrong_type(expected: str) -> PydanticCustomError:
    """The refusal `Field <name> must be <expected>`."""
    return PydanticCustomError("json_type", "must be {expected}", {"expected": expected})


def out_of_range(low: float, high: float, name: str = "") -> PydanticCustomError:
    """The refusal `Field <name> must be between <low> and <high>`; a rule over several fields gives the name."""
    bounds = {"low": low, "high": high, "field": name}
    return PydanticCustomError("out_of_range", "must be between {low} and {high}", bounds)


def missing_field(name: str = "") -> PydanticCustomError:
    """The refusal `Missing required field: <name>`; a rule over several fields gives the name."""
    return PydanticCustomError("missing_field", "Missing required field: {field}", {"field": name})


def refused(text: str) -> PydanticCustomError:
    """A refusal with a text of its own."""
    return PydanticCustomError("refused", "{text}", {"text": text})
