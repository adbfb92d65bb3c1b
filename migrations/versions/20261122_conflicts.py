"""Facts that memories state, and contradictions between them (contract 17.5)."""

from alembic import op

revision = "20261122_conflicts"
down_revision = "20261122_session_snapshots"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

TABLES = """
CREATE TABLE memory_fact (
  user_id UUID NOT NULL,
  memory_id UUID NOT NULL,
  place SMALLINT NOT NULL,
  subject_key VARCHAR NOT NULL,
  attribute VARCHAR NOT NULL,
  subject VARCHAR NOT NULL,
  value VARCHAR NOT NULL,
  changed BOOLEAN NOT NULL,
  denied BOOLEAN NOT NULL,
  CONSTRAINT pk_memory_fact PRIMARY KEY (user_id, memory_id, place)
);
CREATE INDEX ix_memory_fact_subject ON memory_fact (user_id, subject_key, attribute);
CREATE TABLE memory_conflict (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  old_id UUID NOT NULL,
  new_id UUID NOT NULL,
  subject VARCHAR NOT NULL,
  attribute VARCHAR NOT NULL,
  old_value VARCHAR NOT NULL,
  new_value VARCHAR NOT NULL,
  certainty DOUBLE PRECISION NOT NULL,
  state VARCHAR NOT NULL,
  created_at BIGINT NOT NULL,
  decided_at BIGINT,
  CONSTRAINT pk_memory_conflict PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX ux_memory_conflict_pair ON memory_conflict (user_id, old_id, new_id, attribute);
CREATE INDEX ix_memory_conflict_new ON memory_conflict (user_id, new_id);
CREATE INDEX ix_memory_conflict_state ON memory_conflict (user_id, state, id)
"""


def upgrade() -> None:
    op.execute(TABLES)
    for table in ("memory_fact", "memory_conflict"):
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {APP_ROLE}, {SYSTEM_ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        op.execute(
            f"CREATE POLICY own_rows ON {table} TO {APP_ROLE} "
            "USING (user_id = (SELECT memd_user())) WITH CHECK (user_id = (SELECT memd_user()))"
        )
        op.execute(f"""
            DO $$ BEGIN
              EXECUTE format('CREATE POLICY all_rows ON {table} TO {SYSTEM_ROLE}, %I USING (true) WITH CHECK (true)',
                             current_user);
            END $$
        """)


def downgrade() -> None:
    op.execute("DROP TABLE memory_conflict")
    op.execute("DROP TABLE memory_fact")
