"""The history of memories: every earlier version, who changed it and why, and when a memory was true (contract 17.5)."""

from alembic import op

revision = "20261122_history"
down_revision = "20261122_keyed_memories"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

# Defaults are constants, so that no row of `memory` is rewritten.
COLUMNS = """
ALTER TABLE memory
  ADD COLUMN version INTEGER DEFAULT 1 NOT NULL,
  ADD COLUMN changed_at BIGINT,
  ADD COLUMN created_by UUID,
  ADD COLUMN created_request UUID,
  ADD COLUMN valid_from BIGINT,
  ADD COLUMN valid_until BIGINT;
CREATE INDEX ix_memory_written ON memory (user_id, created_by, created_request)
"""

TABLE = """
CREATE TABLE memory_version (
  user_id UUID NOT NULL,
  memory_id UUID NOT NULL,
  version INTEGER NOT NULL,
  recorded_from BIGINT NOT NULL,
  recorded_until BIGINT NOT NULL,
  changed_by UUID,
  request_id UUID NOT NULL,
  action VARCHAR NOT NULL,
  reason VARCHAR,
  undoes UUID,
  fields JSON NOT NULL,
  live BOOLEAN NOT NULL,
  knowledge_base_id UUID,
  tsv TSVECTOR,
  model SMALLINT,
  embedding HALFVEC,
  CONSTRAINT pk_memory_version PRIMARY KEY (user_id, memory_id, version)
);
CREATE INDEX ix_memory_version_written ON memory_version (user_id, changed_by, request_id) WHERE changed_by IS NOT NULL
"""


def upgrade() -> None:
    op.execute(COLUMNS)
    op.execute(TABLE)
    op.execute(f"GRANT SELECT, INSERT, DELETE ON memory_version TO {APP_ROLE}, {SYSTEM_ROLE}")
    op.execute("ALTER TABLE memory_version ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE memory_version FORCE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own_rows ON memory_version TO {APP_ROLE} "
        "USING (user_id = (SELECT memd_user())) WITH CHECK (user_id = (SELECT memd_user()))"
    )
    op.execute(f"""
        DO $$ BEGIN
          EXECUTE format('CREATE POLICY all_rows ON memory_version TO {SYSTEM_ROLE}, %I USING (true) WITH CHECK (true)',
                         current_user);
        END $$
    """)


def downgrade() -> None:
    op.execute("DROP TABLE memory_version")
    op.execute("""
        DROP INDEX ix_memory_written;
        ALTER TABLE memory DROP COLUMN version, DROP COLUMN changed_at, DROP COLUMN created_by,
          DROP COLUMN created_request, DROP COLUMN valid_from, DROP COLUMN valid_until
    """)
