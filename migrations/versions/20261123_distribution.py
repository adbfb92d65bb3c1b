"""Makes the tables distributable by user: no statement on them reads the catalogue, none selects from nothing.

`totals` says which vectors of a user are indexed, and every user with rows has totals.
"""

from alembic import op

revision = "20261123_distribution"
down_revision = "20261123_memory_list"
branch_labels = None
depends_on = None

INDEXED = r"""
UPDATE totals t SET indexed_model = split_part(c.relname, '_', 3)::int
FROM pg_class c JOIN pg_index x ON x.indexrelid = c.oid
WHERE x.indrelid = 'memory_vector'::regclass AND x.indisvalid AND c.relname ~ '^hnsw_[0-9a-f]{32}_[0-9]+$'
  AND t.user_id = split_part(c.relname, '_', 2)::uuid
"""
TOTALS = """
INSERT INTO totals (user_id, updated_at) SELECT DISTINCT user_id, 0 FROM knowledge_base ON CONFLICT DO NOTHING
"""


def memory_exists(language: str, body: str) -> str:
    """The function that tells an unknown id from one of another user."""
    return f"""
CREATE OR REPLACE FUNCTION memd_memory_exists(wanted uuid) RETURNS boolean
LANGUAGE {language} STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$ {body} $$
"""


def upgrade() -> None:
    op.execute("ALTER TABLE totals ADD COLUMN indexed_model integer")
    op.execute(INDEXED)
    op.execute(TOTALS)
    op.execute(memory_exists("plpgsql", "BEGIN RETURN EXISTS (SELECT 1 FROM memory WHERE id = wanted); END"))


def downgrade() -> None:
    op.execute(memory_exists("sql", "SELECT EXISTS (SELECT FROM memory WHERE id = wanted)"))
    op.execute("ALTER TABLE totals DROP COLUMN indexed_model")
