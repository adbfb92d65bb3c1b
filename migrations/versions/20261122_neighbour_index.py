"""The index by channel and time also holds the id, so that the neighbours of a memory among equal times are found by it."""

from alembic import op

revision = "20261122_neighbour_index"
down_revision = "20261122_least_privilege"
branch_labels = None
depends_on = None

NAME, TABLE = "ix_memory_index_channel", "memory_index"
COLUMNS = "user_id, knowledge_base_id, channel, created_at"


def _replace_index(columns: str) -> None:
    op.execute(f"DROP INDEX {NAME}")
    op.execute(f"CREATE INDEX {NAME} ON {TABLE} ({columns}) WHERE live")


def upgrade() -> None:
    _replace_index(f"{COLUMNS}, memory_id")


def downgrade() -> None:
    _replace_index(COLUMNS)
