"""The SQL of metric rows."""

from typing import TYPE_CHECKING

from psycopg.types.json import Json

from memd.db.session import WriteSession

if TYPE_CHECKING:
    from memd.compat.tables import MetricRow


async def insert_metric(session: WriteSession, row: "MetricRow") -> None:
    """Add a metric row; the payload may be any JSON value."""
    await session.execute(
        """
        INSERT INTO metric_row (user_id, id, kind, session_key, channel, payload, created_at, expires_at)
        VALUES (%(user_id)s, %(id)s, %(kind)s, %(session_key)s, %(channel)s, %(payload)s, %(created_at)s,
                %(expires_at)s)
        """,
        {**row.model_dump(), "payload": Json(row.payload)},
    )
