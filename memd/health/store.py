"""The SQL of readiness."""

from memd.db.session import SystemSession


async def revision(session: SystemSession) -> str | None:
    """The revision that the database stands at."""
    return await session.value("SELECT version_num FROM alembic_version")
