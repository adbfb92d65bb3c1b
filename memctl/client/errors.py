"""The errors of a request to memd: one exception for each way of handling it."""

import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from urllib.parse import urlsplit

from memctl.addresses import DEFAULT_PORT, LOOPBACK
from memctl.wire.capture_batch import CaptureBatchResult
from memctl.wire.errors import ErrorBody

START_COMMAND = "memd serve"
_HTTP_PORT = 80
_ERRNO = re.compile(r"^\[Errno -?\d+\] ")
_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")
"""How OpenSSL says that an answer is not TLS."""


class ClientError(Exception):
    """The base class of all errors of the client."""


class NotReachable(ClientError):
    """Nothing answered at the address; the text names it and, on this machine, the command that starts memd.

    `advice` is what to do about it, which the text ends with; blank where the text says all there is to do. `start` is
    the command that starts memd at the address; blank for another machine.
    """

    advice = ""
    start = ""

    def __init__(self, url: str, cause: str = "", socket: str | None = None) -> None:
        """`socket` is the path of the unix socket of a data directory on this machine."""
        self.url = url
        if any(sign in cause for sign in _NO_TLS):
            plain = url.replace("https://", "http://", 1)
            super().__init__(f"memd does not answer at {url}: what listens there does not speak TLS; try {plain}")
            return
        reason = f" ({_ERRNO.sub('', cause)})" if cause else ""
        if socket is not None or urlsplit(url).hostname in LOOPBACK:
            self.start = f"{START_COMMAND}{_options(url, socket)}"
        self.advice = f"start it with: {self.start}" if self.start else "is it running there, and is the address right?"
        super().__init__(f"memd does not answer at {url}{reason}; {self.advice}")


def _options(url: str, socket: str | None) -> str:
    """The options of the command that starts memd at an address of this machine; another program may add the TLS."""
    if socket is not None:
        return f" --data-dir {quote(str(Path(socket).parent))}"
    parts = urlsplit(url)
    port = parts.port or _HTTP_PORT
    return f" --port {port}" if parts.scheme == "http" and port != DEFAULT_PORT else ""


class NoMemdFound(NotReachable):
    """No address is named, and no memd serves the data directory of this machine."""

    def __init__(self, folder: Path, *, option: bool = False, starting: bool = False) -> None:
        """`option`: the folder was named by --data-dir, which the command that starts memd needs, too.

        `starting`: a memd holds the folder that does not listen yet.
        """
        self.url = ""
        if starting:
            ClientError.__init__(self, f"memd is still starting in {folder}; try again, or see what its log says")
            return
        start = f"{START_COMMAND} --data-dir {quote(str(folder))}" if option else START_COMMAND
        ClientError.__init__(
            self, f"no memd serves {folder}; start it with: {start}, or name one by --url, MEMCTL_URL or a profile"
        )


class UnusableProxy(ClientError):
    """The environment names a proxy that cannot be used, such as a SOCKS proxy without the package for it."""

    def __init__(self, url: str, cause: str) -> None:
        why = cause.rstrip(".")
        super().__init__(f"the proxy of ALL_PROXY, HTTP_PROXY or HTTPS_PROXY, to reach {url}, is unusable: {why}")


class NoAnswer(NotReachable):
    """The address was reached, but no answer came in time; the request may have been carried out."""

    def __init__(self, url: str, seconds: float) -> None:
        super().__init__(url)
        self.args = (f"memd at {url} did not answer within {seconds:g} seconds",)


class ProtocolError(ClientError):
    """The answer is not one of memd's: not JSON, or of another shape."""


class ApiError(ClientError):
    """An error answer of memd; `body` holds its fields; the operator's log has an entry with `request_id`."""

    def __init__(self, status: int, body: ErrorBody, request_id: str | None = None) -> None:
        self.status = status
        self.body = body
        self.request_id = request_id
        super().__init__(f"{body.error}: {body.details}" if body.details else body.error)


class Invalid(ApiError):
    """400: the request is invalid."""


class Blocked(Invalid):
    """400: the content policy refused the text."""


class InvalidChunk(Invalid):
    """400: a chunk of an import cannot be read; `index` (from 0) names it."""

    @property
    def index(self) -> int | None:
        """The place of the chunk in the request."""
        return self.body.index


class MethodNotAllowed(ApiError):
    """405: the path exists, with other methods."""


class HeadersTooLarge(ApiError):
    """431: the header block is too large."""


class RequestTimeout(ApiError):
    """408: header or body did not arrive in time."""


class Unauthorized(ApiError):
    """401: no key, or none that works."""


class Forbidden(ApiError):
    """403: another user's object, another channel, or beyond the key's scopes, which are `scopes` where they are known."""

    scopes: Sequence[str] = ()


class StorageLimitReached(ApiError):
    """403: the tier's number of memories, messages or checkpoints is used up."""


class NotFound(ApiError):
    """404: no such object."""


class MemoryNotFound(NotFound):
    """404: no such memory."""


class KnowledgeBaseNotFound(NotFound):
    """404: no such knowledge base."""


class Conflict(ApiError):
    """409: a duplicate, or an object in another state."""


class DuplicateMemory(Conflict):
    """409: an active memory with the same content; `existing_memory_id` is its id."""

    @property
    def existing_memory_id(self) -> str | None:
        """The id of the memory that exists already."""
        return self.body.existing_memory_id


class AlreadySuperseded(Conflict):
    """409: the memory was superseded before; `superseded_by_memory_id` is its successor."""

    @property
    def superseded_by_memory_id(self) -> str | None:
        """The memory that took its place."""
        return self.body.superseded_by_memory_id


class KnowledgeBaseArchived(Conflict):
    """409: the knowledge base is archived, and the request needs an active one."""


class KnowledgeBaseNotArchived(Conflict):
    """409: the knowledge base is active, and the request needs an archived one."""


class TooLarge(ApiError):
    """413: more than one request may carry."""


class ImportTooLarge(TooLarge):
    """413: more chunks than one import may carry."""


class RateLimited(ApiError):
    """429: wait `retry_after` seconds."""

    def __init__(self, status: int, body: ErrorBody, request_id: str | None = None) -> None:
        super().__init__(status, body, request_id)
        self.retry_after = seconds_to_wait(body)

    @property
    def for_the_day(self) -> bool:
        """Whether the embeddings of the day are used up, so that waiting takes until midnight UTC."""
        return self.body.code == "embedding_cap_exceeded"


class ServerBusy(ApiError):
    """503: wait `retry_after` seconds."""

    def __init__(self, status: int, body: ErrorBody, request_id: str | None = None) -> None:
        super().__init__(status, body, request_id)
        self.retry_after = seconds_to_wait(body)


class EmbeddingCapExceeded(RateLimited):
    """429: the embeddings of the day are used up; `retry_after` leads to midnight UTC."""


class EmbeddingTimeout(ServerBusy):
    """503: the embedder did not answer in time; nothing was stored."""


class ServerError(ApiError):
    """500: an unexpected failure inside memd."""


def seconds_to_wait(body: ErrorBody) -> float:
    """The wait that a refusal asks for, in seconds; 1 when it names none."""
    return (body.retry_after_ms or 1000) / 1000


_BY_STATUS: dict[int, type[ApiError]] = {
    400: Invalid,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    405: MethodNotAllowed,
    408: RequestTimeout,
    409: Conflict,
    413: TooLarge,
    429: RateLimited,
    431: HeadersTooLarge,
    500: ServerError,
    503: ServerBusy,
}


_BY_ERROR: dict[tuple[int, str], type[ApiError]] = {
    (400, "Invalid chunk"): InvalidChunk,
    (404, "Memory not found"): MemoryNotFound,
    (404, "Knowledge base not found"): KnowledgeBaseNotFound,
    (409, "Duplicate memory"): DuplicateMemory,
    (409, "Memory already superseded"): AlreadySuperseded,
    (409, "Knowledge base is archived"): KnowledgeBaseArchived,
    (409, "Knowledge base is not archived"): KnowledgeBaseNotArchived,
    (413, "Import batch too large"): ImportTooLarge,
    (429, "Embedding daily cap exceeded"): EmbeddingCapExceeded,
    (503, "Embedding service timeout"): EmbeddingTimeout,
}
"""The errors of contract 1.5 that share a status with others, by their text."""


def api_error(status: int, body: ErrorBody, request_id: str | None) -> ApiError:
    """The exception for an error answer."""
    if status == 403 and body.resource is not None:
        return StorageLimitReached(status, body, request_id)
    if status == 400 and body.error.startswith("Memory blocked"):
        return Blocked(status, body, request_id)
    kind = _BY_ERROR.get((status, body.error)) or _BY_STATUS.get(status, ApiError)
    return kind(status, body, body.request_id or request_id)


def row_error(row: CaptureBatchResult) -> ApiError | None:
    """The exception for a refused row of a batch; None for a stored one."""
    if row.error is None:
        return None
    return api_error(row.status or 500, ErrorBody.model_validate(row.model_dump(exclude={"index"})), row.request_id)
