"""Searches as of a past moment read narrow rows of versions, by index, where they read the JSON of each version."""

from alembic import op

revision = "20261124_past_rows"
down_revision = "20261123_junk"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

COLUMNS = """
ALTER TABLE memory_version
  ADD COLUMN policy_version VARCHAR NOT NULL DEFAULT '',
  ADD COLUMN channel VARCHAR,
  ADD COLUMN store VARCHAR NOT NULL DEFAULT '',
  ADD COLUMN category VARCHAR NOT NULL DEFAULT '',
  ADD COLUMN project_id VARCHAR,
  ADD COLUMN config BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN valid_from BIGINT,
  ADD COLUMN valid_until BIGINT;
ALTER TABLE memory_index ADD COLUMN changed_at BIGINT;
ALTER TABLE totals ADD COLUMN indexed_versions INTEGER
"""
TABLE = """
CREATE TABLE memory_version_index (
  user_id UUID NOT NULL,
  memory_id UUID NOT NULL,
  version INTEGER NOT NULL,
  recorded_from BIGINT NOT NULL,
  recorded_until BIGINT NOT NULL,
  live BOOLEAN NOT NULL,
  knowledge_base_id UUID,
  channel VARCHAR,
  store VARCHAR NOT NULL,
  category VARCHAR NOT NULL,
  project_id VARCHAR,
  config BOOLEAN NOT NULL,
  tags TEXT[] NOT NULL DEFAULT '{}',
  created_at BIGINT NOT NULL,
  length INTEGER NOT NULL,
  tsv TSVECTOR NOT NULL,
  valid_from BIGINT,
  valid_until BIGINT,
  CONSTRAINT pk_memory_version_index PRIMARY KEY (user_id, memory_id, version)
)
"""
FIELDS = """
CROSS JOIN LATERAL json_to_record(v.fields) AS f(
  policy_version text, content text, channel text, store text, category text, chunk_kind text, tags text[],
  valid_from bigint, valid_until bigint, archived boolean, archived_by text, superseded_at bigint)
"""
UNTIL = "coalesce(f.valid_until, CASE WHEN f.archived_by = 'supersede' THEN f.superseded_at END)"
LIVE = "NOT f.archived OR f.archived_by IS NOT DISTINCT FROM 'supersede'"
FILLS = (
    f"""
    INSERT INTO memory_version_index
    SELECT v.user_id, v.memory_id, v.version, v.recorded_from, v.recorded_until, {LIVE}, v.knowledge_base_id, f.channel, f.store,
           f.category, m.project_id, f.chunk_kind = 'config', f.tags, m.created_at, length(f.content), v.tsv,
           f.valid_from, {UNTIL}
    FROM memory_version v JOIN memory m ON m.user_id = v.user_id AND m.id = v.memory_id {FIELDS}
    WHERE v.tsv IS NOT NULL
    """,
    "ALTER TABLE memory_version DROP COLUMN tsv",
    f"""
    UPDATE memory_version o
    SET policy_version = coalesce(f.policy_version, ''), channel = f.channel, store = f.store, category = f.category,
        project_id = m.project_id, config = f.chunk_kind = 'config', valid_from = f.valid_from, valid_until = {UNTIL},
        live = {LIVE}
    FROM memory m, memory_version v {FIELDS}
    WHERE m.user_id = o.user_id AND m.id = o.memory_id
      AND v.user_id = o.user_id AND v.memory_id = o.memory_id AND v.version = o.version
    """,
    """
    UPDATE memory_index i SET changed_at = m.changed_at FROM memory m
    WHERE m.user_id = i.user_id AND m.id = i.memory_id AND m.changed_at IS NOT NULL
    """,
)
INDEXES = {
    "ix_memory_version_index_text": "memory_version_index USING gin (tsv)",
    "ix_memory_version_index_created": "memory_version_index (user_id, created_at)",
    "ix_memory_version_begun": "memory_version (user_id, recorded_from)",
    "ix_memory_index_ended": "memory_index (user_id, created_at) WHERE NOT live AND knowledge_base_id IS NULL",
    # Postgres does not let row-level security and an index work together on a condition with coalesce.
    "ix_memory_standing": "memory (user_id, greatest(changed_at, created_at)) WHERE knowledge_base_id IS NULL",
}


def upgrade() -> None:
    op.execute(COLUMNS)
    op.execute(TABLE)
    for statement in FILLS:
        op.execute(statement)
    for name, rows in INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON {rows}")
    op.execute(f"GRANT SELECT, INSERT, DELETE ON memory_version_index TO {APP_ROLE}, {SYSTEM_ROLE}")
    op.execute("ALTER TABLE memory_version_index ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE memory_version_index FORCE ROW LEVEL SECURITY")
    own = "(user_id = memd_user())"
    op.execute(f"CREATE POLICY own_rows ON memory_version_index TO {APP_ROLE} USING {own} WITH CHECK {own}")
    op.execute(f"""
        DO $$ BEGIN
          EXECUTE format('CREATE POLICY all_rows ON memory_version_index TO {SYSTEM_ROLE}, %I '
                         'USING (true) WITH CHECK (true)', current_user);
        END $$
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE memory_version ADD COLUMN tsv TSVECTOR")
    op.execute("""
        UPDATE memory_version v SET tsv = i.tsv FROM memory_version_index i
        WHERE i.user_id = v.user_id AND i.memory_id = v.memory_id AND i.version = v.version
    """)
    op.execute("""
        UPDATE memory_version SET live = NOT (fields ->> 'archived')::boolean AND NOT m.blocked
        FROM memory m WHERE m.user_id = memory_version.user_id AND m.id = memory_version.memory_id
    """)
    op.execute("DROP TABLE memory_version_index")
    for name in ("ix_memory_version_begun", "ix_memory_index_ended", "ix_memory_standing"):
        op.execute(f"DROP INDEX {name}")
    op.execute("CREATE INDEX ix_memory_version_text ON memory_version USING gin (tsv)")
    op.execute("""
        ALTER TABLE memory_version DROP COLUMN policy_version, DROP COLUMN channel, DROP COLUMN store,
          DROP COLUMN category, DROP COLUMN project_id, DROP COLUMN config, DROP COLUMN valid_from,
          DROP COLUMN valid_until;
        ALTER TABLE memory_index DROP COLUMN changed_at;
        ALTER TABLE totals DROP COLUMN indexed_versions
    """)
