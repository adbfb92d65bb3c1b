"""The tracer of OpenTelemetry: spans go in batches to a collector, by OTLP over HTTP.

The only importer of the extra `otel`. The tracer is our own and not the global one, so libraries do not record with it.
Headers, sampling and the like follow the OTEL_* variables of the SDK.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from threading import Thread
from typing import Final

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from memd.tracing.endpoint import traces_address
from memd.tracing.spans import TRACEPARENT, Kind, Value, recording
from memd.version import VERSION

STOP_S: Final = 3.0
"""How long the last spans may take; a collector that does not answer must not delay the end of memd."""
_PROPAGATOR: Final = TraceContextTextMapPropagator()


class OtelSpan:
    """A span of the SDK."""

    def __init__(self, inner: trace.Span) -> None:
        self._inner = inner

    def rename(self, name: str) -> None:
        """Change the name."""
        self._inner.update_name(name)

    def note(self, attributes: Mapping[str, Value]) -> None:
        """Add attributes."""
        self._inner.set_attributes(attributes)

    def fail(self) -> None:
        """Set the status."""
        self._inner.set_status(StatusCode.ERROR)


class OtelTracer:
    """Makes spans of the SDK and exports them."""

    def __init__(self, address: str) -> None:
        """`address` is that of the collector."""
        resource = Resource.create(
            {
                "service.name": os.environ.get("OTEL_SERVICE_NAME", "memd"),
                "service.version": VERSION,
                "process.pid": os.getpid(),
            }
        )
        self._exporter = OTLPSpanExporter(endpoint=traces_address(address))
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(self._exporter))
        self._tracer = self._provider.get_tracer("memd", VERSION)

    @contextmanager
    def span(self, name: str, kind: Kind, attributes: Mapping[str, Value], parent: str | None) -> Generator[OtelSpan]:
        """A span for the block; of an error only the type is recorded, since its message may hold contents."""
        with self._tracer.start_as_current_span(
            name,
            context=None if parent is None else _PROPAGATOR.extract({TRACEPARENT: parent}),
            kind=SpanKind[kind.value],
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as inner:
            current = OtelSpan(inner)
            try:
                yield current
            except BaseException as error:
                current.note({"error.type": type(error).__name__})
                current.fail()
                raise

    @staticmethod
    def traceparent() -> str | None:
        """The current span as W3C Trace Context writes it."""
        carrier: dict[str, str] = {}
        _PROPAGATOR.inject(carrier)
        return carrier.get(TRACEPARENT)

    async def close(self) -> None:
        """Export the remaining spans, for at most STOP_S seconds."""
        closing = Thread(target=self._provider.shutdown, name="otel-shutdown", daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, STOP_S)
        if closing.is_alive():
            self._exporter.shutdown()


@asynccontextmanager
async def exporting(address: str) -> AsyncGenerator[None]:
    """Record the spans of this process and export them to the collector at `address` while the block runs."""
    tracer = OtelTracer(address)
    with recording(tracer):
        try:
            yield
        finally:
            await tracer.close()
