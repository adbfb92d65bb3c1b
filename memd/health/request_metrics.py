"""The histogram of requests for `/metrics`."""

from collections.abc import Iterable
from itertools import accumulate

from prometheus_client.core import HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from memd.access.http.request_durations import BOUNDS_S, DurationsByKind

_BOUNDS = tuple(floatToGoString(bound) for bound in (*BOUNDS_S, float("inf")))


class RequestMetrics(Collector):
    """`memd_http_request_duration_seconds` by method, route and status."""

    def __init__(self, durations: DurationsByKind) -> None:
        self._durations = durations

    def collect(self) -> Iterable[Metric]:
        """The metric."""
        family = HistogramMetricFamily(
            "memd_http_request_duration_seconds",
            "Time from a request to the last byte of its answer.",
            labels=["method", "route", "status"],
        )
        for kind, found in self._durations.items():
            buckets = list(zip(_BOUNDS, accumulate(found.buckets), strict=True))
            family.add_metric([kind.method, kind.route, str(kind.status)], buckets, found.seconds)
        yield family
