"""A snapshot may belong to no channel (contract 7.7)."""

from alembic import op

revision = "20261122_snapshot_channel"
down_revision = "20261122_message_flags"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE snapshot ALTER COLUMN channel DROP NOT NULL")


def downgrade() -> None:
    op.execute("UPDATE snapshot SET channel = '' WHERE channel IS NULL")
    op.execute("ALTER TABLE snapshot ALTER COLUMN channel SET NOT NULL")
