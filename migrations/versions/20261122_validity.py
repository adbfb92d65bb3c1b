"""The periods of memories in the tables that searches read (contract 17.5)."""

from alembic import op

revision = "20261122_validity"
down_revision = "20261122_history"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("memory_index", "memory_vector"):
        op.execute(f"ALTER TABLE {table} ADD COLUMN valid_from BIGINT, ADD COLUMN valid_until BIGINT")


def downgrade() -> None:
    for table in ("memory_index", "memory_vector"):
        op.execute(f"ALTER TABLE {table} DROP COLUMN valid_from, DROP COLUMN valid_until")
