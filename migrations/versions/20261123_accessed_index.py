"""Memories that were accessed at the same moment, as those of one import, are listed by index, too."""

from alembic import op

revision = "20261123_accessed_index"
down_revision = "20261123_version_indexes"
branch_labels = None
depends_on = None

LISTED = "WHERE not archived and knowledge_base_id is null"


def upgrade() -> None:
    _replace("user_id, last_accessed_at, id")


def downgrade() -> None:
    _replace("user_id, last_accessed_at")


def _replace(columns: str) -> None:
    op.execute("DROP INDEX ix_memory_accessed")
    op.execute(f"CREATE INDEX ix_memory_accessed ON memory ({columns}) {LISTED}")
