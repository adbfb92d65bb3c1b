"""The newest memories of a graph node, and the last facts about an attribute, are found by an index."""

from alembic import op

revision = "20261123_recent_mentions"
down_revision = "20261123_weak_messages"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE INDEX ix_memory_node_recent ON memory_node (user_id, node_id, memory_id)")
    op.execute("DROP INDEX ix_memory_node_node")
    op.execute("CREATE INDEX ix_memory_fact_recent ON memory_fact (user_id, subject_key, attribute, memory_id)")
    op.execute("DROP INDEX ix_memory_fact_subject")


def downgrade() -> None:
    op.execute("CREATE INDEX ix_memory_node_node ON memory_node (user_id, node_id)")
    op.execute("DROP INDEX ix_memory_node_recent")
    op.execute("CREATE INDEX ix_memory_fact_subject ON memory_fact (user_id, subject_key, attribute)")
    op.execute("DROP INDEX ix_memory_fact_recent")
