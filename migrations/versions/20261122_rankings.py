"""Rankings of paged searches, so that the pages of a search share one order (contract 7.2)."""

from alembic import op

revision = "20261122_rankings"
down_revision = "20261122_unread_chunks"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

TABLE = """
CREATE UNLOGGED TABLE ranking (
  user_id UUID NOT NULL,
  key UUID NOT NULL,
  ids UUID[] DEFAULT '{}' NOT NULL,
  scores DOUBLE PRECISION[] NOT NULL,
  size INTEGER NOT NULL,
  exhausted BOOLEAN NOT NULL,
  degradation VARCHAR,
  used_at BIGINT NOT NULL,
  CONSTRAINT pk_ranking PRIMARY KEY (user_id, key)
)
"""


def upgrade() -> None:
    op.execute(TABLE)
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ranking TO {APP_ROLE}, {SYSTEM_ROLE}")
    op.execute("ALTER TABLE ranking ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE ranking FORCE ROW LEVEL SECURITY")
    op.execute(f"""
        CREATE POLICY own_rows ON ranking TO {APP_ROLE}
        USING (user_id = (SELECT memd_user())) WITH CHECK (user_id = (SELECT memd_user()))
    """)
    op.execute(f"""
        DO $$ BEGIN
          EXECUTE format('CREATE POLICY all_rows ON ranking TO {SYSTEM_ROLE}, %I USING (true) WITH CHECK (true)',
                         current_user);
        END $$
    """)


def downgrade() -> None:
    op.execute("DROP TABLE ranking")
