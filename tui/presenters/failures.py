"""Explains failures to the person at the terminal, with what to do about them."""

from dataclasses import dataclass

from pydantic import ValidationError

from memctl.client import errors
from memctl.text import one_line

Expected = (errors.ClientError, ValidationError)
"""The errors that a request to memd may raise; everything else is a defect of memtui."""

_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure in one sentence, with the way out; `offline` when memd has not answered at all."""

    text: str
    advice: str
    offline: bool = False

    def __str__(self) -> str:
        """Both in one line."""
        return f"{self.text} · {self.advice}" if self.advice else self.text


def explain(error: Exception) -> Failure:
    """The failure behind an exception of the client, or behind a form that does not hold together."""
    if isinstance(error, ValidationError):
        return _of_form(error)
    if isinstance(error, errors.NoAnswer):
        return Failure(_text(error), "it may be busy; r retries", offline=True)
    if isinstance(error, errors.NotReachable):
        text = f"memd does not answer at {error.url}" if error.advice else _text(error)
        return Failure(text, f"{error.advice} (memtui reconnects by itself)".lstrip(), offline=True)
    if isinstance(error, errors.ProtocolError):
        return Failure(_text(error), "another program may use this address; run memctl doctor")
    return Failure(_text(error), _advice(error))


def _of_form(error: ValidationError) -> Failure:
    found = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in found["loc"])
    return Failure(one_line(f"{name}: {found['msg']}" if name else found["msg"], _LENGTH), "change it and try again")


def _text(error: Exception) -> str:
    return one_line(str(error), _LENGTH)


def _advice(error: Exception) -> str:
    """Advice for a refusal; blank when the refusal says it all."""
    if isinstance(error, errors.RateLimited | errors.ServerBusy):
        return f"try again in {error.retry_after:.0f} s"
    if isinstance(error, errors.StorageLimitReached):
        return f"{error.body.limit} {error.body.resource} is the limit of this plan; forget some first"
    if isinstance(error, errors.Conflict) and error.body.existing_memory_id:
        return f"it is {error.body.existing_memory_id}"
    if isinstance(error, errors.ServerError):
        return f"look for it in memd's log as {error.request_id}"
    table: tuple[tuple[type[Exception], str], ...] = (
        (errors.Unauthorized, "the key is missing or not valid here: start with --api-key or see memctl doctor"),
        (errors.Forbidden, "this key lacks the scope for that; use one that has it"),
        (errors.NotFound, "it no longer exists; r refreshes the list"),
    )
    return next((advice for kind, advice in table if isinstance(error, kind)), "")
