"""Indexes that find users with work for a scheduled job, and row policies without a subquery."""

from alembic import op

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
OWN_ROWS = "user_id = memd_user()"
"""Where a statement says `user_id = …` too, the planner compares the two values once; Citus takes no subquery here."""


def rewrite_own_rows(condition: str) -> str:
    """The statements that give the policy `own_rows` of every table this condition."""
    return f"""
        DO $$
        DECLARE name regclass;
        BEGIN
          FOR name IN SELECT p.polrelid FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
            WHERE p.polname = 'own_rows' AND c.relnamespace = 'public'::regnamespace LOOP
            EXECUTE format('ALTER POLICY own_rows ON %s USING ({condition}) WITH CHECK ({condition})', name);
          END LOOP;
        END $$
    """


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
