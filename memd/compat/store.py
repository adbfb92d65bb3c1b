"""The SQL of metric rows."""

from sqlalchemy import insert

from memd.compat.tables import MetricRow
from memd.db.session import WriteSession


async def insert_metric(session: WriteSession, row: MetricRow) -> None:
    """Add a metric row."""
    await session.run(insert(MetricRow).values(**row.model_dump()))
