"""The flags that the content policy sets on a message."""

from alembic import op

revision = "20261122_message_flags"
down_revision = "20261122_text_language"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE message ADD COLUMN policy_flags TEXT[] DEFAULT '{}' NOT NULL")


def downgrade() -> None:
    op.execute("ALTER TABLE message DROP COLUMN policy_flags")
