"""A derived memory names the memories that it was made from (contract 6.7)."""

from alembic import op

revision = "20261122_source_memories"
down_revision = "20261122_snapshot_channel"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE memory ADD COLUMN source_memory_ids UUID[] DEFAULT '{}' NOT NULL")
    op.execute("UPDATE memory SET source_memory_ids = ARRAY[promoted_from] WHERE promoted_from IS NOT NULL")


def downgrade() -> None:
    op.execute("ALTER TABLE memory DROP COLUMN source_memory_ids")
