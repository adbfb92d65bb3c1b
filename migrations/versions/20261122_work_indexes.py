"""Indexes that find users with work for a scheduled job, and row policies without a subquery."""

from alembic import op

from memd.db.row_policies import OWN_ROWS, rewrite_own_rows

revision = "20261122_work_indexes"
down_revision = "20261122_conflicts"
branch_labels = None
depends_on = None

MEMORY_INDEXES = {
    "ix_memory_without_recall_text": "(user_id, id) WHERE recall_text is null",
    "ix_memory_associated": (
        "(associated_at, user_id) "
        "WHERE not archived and not blocked and knowledge_base_id is null and not embedding_pending"
    ),
    "ix_memory_ripening": (
        "(user_id, id) WHERE not archived and not blocked and knowledge_base_id is null and not embedding_pending "
        "and (store = 'sensory' and consolidated_at is null "
        "or store = 'episodic' and access_count >= 3 and confidence >= 0.8 and strength >= 0.8)"
    ),
    "ix_memory_leaving": (
        "(user_id, id) WHERE knowledge_base_id is null and case when archived "
        "then store = 'sensory' and archived_by = 'job' "
        "else strength < 0.1 or store = 'sensory' and consolidated_at is not null "
        "or store = 'procedural' and category = 'workflow' end"
    ),
}
# Rows come about in the order of these times, so a few pages of block ranges replace an index over every row.
TIMES = {"message": "expires_at", "metric_row": "expires_at", "recall_activity": "at"}


def upgrade() -> None:
    for name, columns in MEMORY_INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON memory {columns}")
    for table, column in TIMES.items():
        op.execute(f"CREATE INDEX ix_{table}_block_times ON {table} USING brin ({column}) WITH (autosummarize = on)")
    op.execute(rewrite_own_rows(OWN_ROWS))


def downgrade() -> None:
    op.execute(rewrite_own_rows("user_id = (SELECT memd_user())"))
    for table in TIMES:
        op.execute(f"DROP INDEX ix_{table}_block_times")
    for name in MEMORY_INDEXES:
        op.execute(f"DROP INDEX {name}")
