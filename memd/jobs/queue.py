"""What follows a write: the jobs that rooms defer inside their transactions."""

from memd.context import Context
from memd.db.session import Deferral, WriteSession


def defer_embedding(session: WriteSession, context: Context) -> None:
    """Embed what the user has stored without a vector; one such job waits at a time."""
    session.defer(Deferral("embed", {}, once=f"embed:{context.user_id}"))
