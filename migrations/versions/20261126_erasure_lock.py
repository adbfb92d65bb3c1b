"""Erasures that run one after the other are found by the lock that they share: one job carries them all out."""

from alembic import op

revision = "20261126_erasure_lock"
down_revision = "20261124_past_rows"
branch_labels = None
depends_on = None


LOCKS = """
UPDATE erasure SET lock = CASE WHEN kind = 'user' THEN 'erase:end-users:' || (target ->> 'account')
                               ELSE 'erase:of:' || user_id END
WHERE state <> 'done'
"""


def upgrade() -> None:
    op.execute("ALTER TABLE erasure ADD COLUMN lock VARCHAR, ADD COLUMN retried BOOLEAN NOT NULL DEFAULT false")
    op.execute(LOCKS)
    op.execute("CREATE INDEX ix_erasure_waiting ON erasure (lock, id) WHERE state <> 'done'")


def downgrade() -> None:
    op.execute("DELETE FROM procrastinate_jobs WHERE task_name = 'erase' AND args ? 'lock' AND status = 'todo'")
    op.execute("DROP INDEX ix_erasure_waiting")
    op.execute("ALTER TABLE erasure DROP COLUMN lock, DROP COLUMN retried")
