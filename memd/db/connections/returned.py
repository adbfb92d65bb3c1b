"""The state in which a connection must return to its pool.

A task can be cancelled at any await, also inside psycopg's own context managers, whose exit then never runs. So the
exceptions that a unit of work sees do not say what state its connection is in; the connection itself does.
"""

from psycopg import AsyncConnection, OperationalError
from psycopg.pq import PipelineStatus, TransactionStatus


class UncleanConnectionError(OperationalError):
    """A connection was returned inside a transaction or pipeline; the pool closes it and opens another."""


async def check_returned(connection: AsyncConnection) -> None:
    """The pool's `reset` hook: raise `UncleanConnectionError` unless the connection is idle and outside a pipeline.

    With this hook psycopg_pool takes connections back in its own workers, so a cancelled task cannot lose one on the way.
    """
    status = TransactionStatus(connection.pgconn.transaction_status)
    if status != TransactionStatus.IDLE:
        raise UncleanConnectionError(f"a connection was returned in transaction status {status.name}")
    if connection.lock.locked():
        raise UncleanConnectionError("a connection was returned while in use")
    in_pipeline = connection.pgconn.pipeline_status != PipelineStatus.OFF
    # psycopg has no public way to ask whether it believes itself in a pipeline.
    if in_pipeline or connection._pipeline is not None:  # noqa: SLF001
        raise UncleanConnectionError("a connection was returned inside a pipeline")
