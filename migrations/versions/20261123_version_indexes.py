"""Recall as of a past moment finds earlier versions by their words, and those that have ended since, by index."""

from alembic import op

revision = "20261123_version_indexes"
down_revision = "20261123_webhook_queue"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_memory_version_text", "memory_version", ["tsv"], postgresql_using="gin")
    op.create_index("ix_memory_version_ended", "memory_version", ["user_id", "recorded_until"])


def downgrade() -> None:
    op.drop_index("ix_memory_version_ended", "memory_version")
    op.drop_index("ix_memory_version_text", "memory_version")
