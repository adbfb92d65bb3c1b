"""Versions of a memory with nearly the same vector share one entry of the vector index, where each had its own.

And versions that a search for words reads alike share a row of `memory_version_index`; the rows that are there stay.
"""

from alembic import op

revision = "20261127_near_versions"
down_revision = "20261126_erasure_lock"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

DROP_INDEXES = """
DO $$
DECLARE one text;
BEGIN
  FOR one IN SELECT indexrelid::regclass::text FROM pg_index
             WHERE indrelid = 'memory_version'::regclass AND indexrelid::regclass::text ~ '^hnsw_.*_versions$' LOOP
    EXECUTE 'DROP INDEX ' || one;
  END LOOP;
END $$
"""
FILL = """
UPDATE memory_version v SET indexed = false FROM memory_version first
WHERE first.user_id = v.user_id AND first.memory_id = v.memory_id AND first.version = v.version - mod(v.version - 1, 16)
  AND first.version < v.version AND first.live AND first.model = v.model AND first.embedding <=> v.embedding <= 0.1
"""


def upgrade() -> None:
    op.execute("ALTER TABLE memory_version ADD COLUMN indexed BOOLEAN NOT NULL DEFAULT true")
    op.execute(DROP_INDEXES)  # a job builds them again
    op.execute("UPDATE totals SET indexed_versions = NULL WHERE indexed_versions IS NOT NULL")
    op.execute(FILL)
    op.execute(f"GRANT UPDATE (indexed) ON memory_version TO {APP_ROLE}, {SYSTEM_ROLE}")
    op.execute(f"GRANT UPDATE (version, recorded_until) ON memory_version_index TO {APP_ROLE}, {SYSTEM_ROLE}")


def downgrade() -> None:
    op.execute(DROP_INDEXES)
    op.execute("UPDATE totals SET indexed_versions = NULL WHERE indexed_versions IS NOT NULL")
    op.execute("ALTER TABLE memory_version DROP COLUMN indexed")
    op.execute(f"REVOKE UPDATE (version, recorded_until) ON memory_version_index FROM {APP_ROLE}, {SYSTEM_ROLE}")
