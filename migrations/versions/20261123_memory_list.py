"""Indexes for the list of memories: one for each sort, one for the archive."""

from alembic import op

revision = "20261123_memory_list"
down_revision = "20261122_work_indexes"
branch_labels = None
depends_on = None

LISTED = "WHERE not archived and knowledge_base_id is null"
INDEXES = {
    "ix_memory_list_created": f"(user_id, created_at, id) {LISTED}",
    "ix_memory_list_strength": f"(user_id, strength, id) {LISTED}",
    "ix_memory_list_title": f"(user_id, lower(title), id) {LISTED}",
    "ix_memory_list_store": f"(user_id, store, created_at, id) {LISTED}",
    "ix_memory_list_category": f"(user_id, category, created_at, id) {LISTED}",
    "ix_memory_archive": (
        "(user_id, coalesce(archived_at, updated_at), id) WHERE archived and knowledge_base_id is null"
    ),
}


def upgrade() -> None:
    for name, columns in INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON memory {columns}")


def downgrade() -> None:
    for name in INDEXES:
        op.execute(f"DROP INDEX {name}")
