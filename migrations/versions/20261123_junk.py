"""How far the job `junk` has judged a user's memories, and by which rules."""

from alembic import op

revision = "20261123_junk"
down_revision = "20261123_accessed_index"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE totals ADD COLUMN junk_judged_until uuid, ADD COLUMN junk_rules varchar")


def downgrade() -> None:
    op.execute("ALTER TABLE totals DROP COLUMN junk_judged_until, DROP COLUMN junk_rules")
