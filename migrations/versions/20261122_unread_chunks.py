"""The index that finds chunks that the graph has not read."""

from alembic import op

revision = "20261122_unread_chunks"
down_revision = "20261122_end_users"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.execute(
        """
        CREATE INDEX ix_memory_unread_chunk ON memory (user_id, id)
        WHERE not graph_enriched and not archived and knowledge_base_id is not null and chunk_kind <> 'config'
        """
    )


def downgrade() -> None:
    """Drop it."""
    op.execute("DROP INDEX ix_memory_unread_chunk")
