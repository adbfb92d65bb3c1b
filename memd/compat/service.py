"""Metrics reported by client hooks (contract 9.1)."""

from uuid import UUID

import structlog
from psycopg import Error

from memctl.wire.compat import MetricRequest
from memctl.wire.limits import METRIC_PAYLOAD_MAX_BYTES
from memd.compat import store
from memd.context import Context
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import new_id
from memd.errors import BodyTooLarge

log = structlog.get_logger()
KEPT_MS = 30 * DAY_MS


async def record_metric(context: Context, request: MetricRequest) -> UUID:
    """Keep a metric row for 30 days; `BodyTooLarge` over 32,000 bytes of payload.

    The metric is a by-product: a row that cannot be written is logged and fails nothing.
    """
    if request.payload_bytes() > METRIC_PAYLOAD_MAX_BYTES:
        raise BodyTooLarge(METRIC_PAYLOAD_MAX_BYTES)
    from memd.compat.tables import MetricRow

    row = MetricRow(
        user_id=context.user_id,
        id=new_id(),
        kind=request.kind,
        session_key=request.session_key,
        channel=request.channel,
        payload=request.payload,
        created_at=context.now,
        expires_at=context.now + KEPT_MS,
    )
    try:
        async with context.database.write(context.user_id) as session:
            await store.insert_metric(session, row)
    except Error as error:
        log.warning("metric.failed", error=type(error).__name__)
    return row.id
