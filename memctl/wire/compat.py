"""Wire types of the endpoints that exist for existing clients: metric, rate-limit-check, organic (contract 9.1)."""

import json
import re
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from memctl.wire.base import RequestModel, WireModel
from memctl.wire.fields import AnyText, RequiredText
from memctl.wire.refusals import refused

_KIND: Final = "[a-z][a-z0-9_]{0,63}"


def _kind(value: str) -> str:
    if re.fullmatch(_KIND, value) is None:
        raise refused(f"Field kind must match {_KIND}")
    return value


def _cut(value: Any) -> Any:
    return (value[:256] if value.strip() else None) if isinstance(value, str) else value


CutScope = Annotated[AnyText | None, BeforeValidator(_cut)]


Kind = Annotated[
    str,
    RequiredText(),
    AfterValidator(_kind),
    WithJsonSchema({"type": "string", "pattern": f"^{_KIND}$", "maxLength": 64}, mode="validation"),
]


class MetricRequest(RequestModel):
    """POST /api/mcp/metric; session and channel are cut to 256 characters."""

    kind: Kind
    payload: Any = None
    session_key: CutScope = None
    channel: CutScope = None

    def payload_bytes(self) -> int:
        """The size of the payload as JSON, in bytes."""
        return len(json.dumps(self.payload, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"))


class MetricReply(WireModel):
    """The stored metric row."""

    ok: Literal[True] = True
    id: str


class RateLimitCheckReply(WireModel):
    """POST /api/mcp/rate-limit-check; nothing is debited."""

    allowed: bool
    remaining: int
    limit: int
    reset_at: int


class IdeasReply(WireModel):
    """POST /api/organic/ideas and /ideas/pending."""

    ideas: list[Any] = []
    is_done: bool = True


class OkReply(WireModel):
    """An endpoint that only says yes."""

    ok: Literal[True] = True
