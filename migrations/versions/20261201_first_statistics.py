"""What a new database's planner assumes until the first ANALYZE, from Postgres 18 on.

Without statistics it expects one row for each user, so it reads all rows of the user to find one of them. A recall among 200
memories then takes twice as long.
"""

from alembic import op

revision = "20261201_first_statistics"
down_revision = "20261130_refused_texts"
branch_labels = None
depends_on = None

_ASSUME = """
DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    PERFORM pg_restore_attribute_stats(
      'schemaname', c.relnamespace::regnamespace::text, 'relname', c.relname::text, 'attname', a.attname::text,
      'inherited', false, 'null_frac', assumed.null_frac::real, 'avg_width', 16,
      'n_distinct', assumed.n_distinct::real)
    FROM (VALUES ('user_id', 0, 10), ('model', 0, 1), ('knowledge_base_id', 0.5, 10), ('channel', 0.5, 10))
         assumed (attname, null_frac, n_distinct)
    JOIN pg_attribute a ON a.attname = assumed.attname
    JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    WHERE NOT EXISTS (
      SELECT FROM pg_stats s
      WHERE (s.schemaname, s.tablename, s.attname) = (current_schema(), c.relname, a.attname)
    );
  END IF;
END
$$
"""


def upgrade() -> None:
    op.execute(_ASSUME)


def downgrade() -> None:
    """Nothing to undo: ANALYZE replaces the statistics."""
