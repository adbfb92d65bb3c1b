"""Erasures that run one after the other are found by the lock that they share: one job carries out all that wait."""

from alembic import op

revision = "20261126_erasure_lock"
down_revision = "20261124_past_rows"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE erasure ADD COLUMN lock VARCHAR, ADD COLUMN retried BOOLEAN NOT NULL DEFAULT false")
    op.execute("CREATE INDEX ix_erasure_waiting ON erasure (lock, id) WHERE state <> 'done' AND NOT retried")


def downgrade() -> None:
    op.execute("DROP INDEX ix_erasure_waiting")
    op.execute("ALTER TABLE erasure DROP COLUMN lock, DROP COLUMN retried")
