"""An OpenTelemetry collector on loopback: takes traces by OTLP over HTTP and decodes them."""

import gzip
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from tests.support.loopback import LoopbackHandler, LoopbackServer, answering
from tests.support.waiting import PATIENCE_S


@dataclass(frozen=True, slots=True)
class Received:
    """A span; ids are hexadecimal, `pid` is the process that recorded it."""

    name: str
    kind: str
    trace: str
    id: str
    parent: str
    failed: bool
    pid: int
    service: str
    attributes: dict[str, str | int] = field(default_factory=dict[str, str | int])


class Collector(LoopbackServer):
    """`spans` are all that came so far, `bodies` the bytes that they came in."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.spans: list[Received] = []
        self.bodies: list[bytes] = []

    def wait_for(self, wanted: Callable[[Received], bool]) -> Received:
        """The first span that fits; waits for it."""
        end = time.monotonic() + PATIENCE_S
        while True:
            for span in [*self.spans]:
                if wanted(span):
                    return span
            assert time.monotonic() < end, f"no such span among {sorted({span.name for span in self.spans})}"
            time.sleep(0.05)


class _Handler(LoopbackHandler):
    server: Collector  # pyrefly: ignore[bad-override-mutable-attribute]

    def answer(self) -> None:
        body = self.body()
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        fits = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
        if fits:
            self.server.bodies.append(body)
            self.server.spans += _decoded(body)
        reply = ExportTraceServiceResponse().SerializeToString()
        self.reply(200 if fits else 404, reply, Content_Type="application/x-protobuf")


def _decoded(body: bytes) -> Iterable[Received]:
    for resource_spans in ExportTraceServiceRequest.FromString(body).resource_spans:
        resource = _attributes(resource_spans.resource.attributes)
        for scope in resource_spans.scope_spans:
            for span in scope.spans:
                yield Received(
                    name=span.name,
                    kind=Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
                    trace=span.trace_id.hex(),
                    id=span.span_id.hex(),
                    parent=span.parent_span_id.hex(),
                    failed=span.status.code == Status.StatusCode.STATUS_CODE_ERROR,
                    pid=int(resource["process.pid"]),
                    service=str(resource["service.name"]),
                    attributes=_attributes(span.attributes),
                )


def _attributes(pairs: Iterable) -> dict[str, str | int]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}


def collecting() -> AbstractContextManager[Collector]:
    """A collector that answers while the block runs."""
    return answering(Collector())
