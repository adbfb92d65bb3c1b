"""Which model refused the text of a row: that model is not asked for its vector again."""

from alembic import op

revision = "20261130_refused_texts"
down_revision = "20261129_model_dimensions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE memory ADD COLUMN refused_by smallint")
    op.execute("ALTER TABLE message ADD COLUMN refused_by smallint")


def downgrade() -> None:
    op.execute("ALTER TABLE message DROP COLUMN refused_by")
    op.execute("ALTER TABLE memory DROP COLUMN refused_by")
