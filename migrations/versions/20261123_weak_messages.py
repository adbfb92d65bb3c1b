"""Kept rankings of message search say which of their rows are weak."""

from alembic import op

revision = "20261123_weak_messages"
down_revision = "20261123_distribution"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE ranking ADD COLUMN weak boolean[] NOT NULL DEFAULT '{}'")


def downgrade() -> None:
    op.execute("ALTER TABLE ranking DROP COLUMN weak")
