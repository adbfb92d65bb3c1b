"""Standing questions: their answers line by line, and the deliveries to webhooks (contract 17.8)."""

from alembic import op

revision = "20261123_standing"
down_revision = "20261123_awaited_queue"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

TABLES = """
CREATE TABLE standing_question (
  user_id UUID NOT NULL,
  name VARCHAR NOT NULL,
  query VARCHAR NOT NULL,
  token_budget INTEGER NOT NULL,
  schedule VARCHAR NOT NULL,
  channel VARCHAR,
  agent_id VARCHAR,
  all_channels BOOLEAN NOT NULL,
  webhook_url VARCHAR,
  webhook_secret VARCHAR,
  created_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  computed_at BIGINT,
  complete BOOLEAN NOT NULL,
  changed_at BIGINT,
  added TEXT[] DEFAULT '{}' NOT NULL,
  removed TEXT[] DEFAULT '{}' NOT NULL,
  changed TEXT[] DEFAULT '{}' NOT NULL,
  CONSTRAINT pk_standing_question PRIMARY KEY (user_id, name)
);
CREATE TABLE standing_line (
  user_id UUID NOT NULL,
  name VARCHAR NOT NULL,
  place SMALLINT NOT NULL,
  row_id UUID NOT NULL,
  section SMALLINT NOT NULL,
  heading VARCHAR NOT NULL,
  line VARCHAR NOT NULL,
  compact_line VARCHAR NOT NULL,
  timestamp BIGINT NOT NULL,
  CONSTRAINT pk_standing_line PRIMARY KEY (user_id, name, place)
);
CREATE TABLE standing_delivery (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  name VARCHAR NOT NULL,
  added TEXT[] DEFAULT '{}' NOT NULL,
  removed TEXT[] DEFAULT '{}' NOT NULL,
  changed TEXT[] DEFAULT '{}' NOT NULL,
  state VARCHAR NOT NULL,
  attempts SMALLINT NOT NULL,
  error VARCHAR,
  created_at BIGINT NOT NULL,
  ended_at BIGINT,
  CONSTRAINT pk_standing_delivery PRIMARY KEY (user_id, id)
)
"""


def upgrade() -> None:
    op.execute(TABLES)
    for table in ("standing_question", "standing_line", "standing_delivery"):
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {APP_ROLE}, {SYSTEM_ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        op.execute(
            f"CREATE POLICY own_rows ON {table} TO {APP_ROLE} "
            "USING (user_id = memd_user()) WITH CHECK (user_id = memd_user())"
        )
        op.execute(f"""
            DO $$ BEGIN
              EXECUTE format('CREATE POLICY all_rows ON {table} TO {SYSTEM_ROLE}, %I USING (true) WITH CHECK (true)',
                             current_user);
            END $$
        """)


def downgrade() -> None:
    op.execute("DROP TABLE standing_delivery")
    op.execute("DROP TABLE standing_line")
    op.execute("DROP TABLE standing_question")
