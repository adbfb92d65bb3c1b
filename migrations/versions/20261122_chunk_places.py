"""The narrow row of a chunk says where it stands in its source, so that a query finds its neighbours."""

from alembic import op

revision = "20261122_chunk_places"
down_revision = "20261122_audit_chain"
branch_labels = None
depends_on = None

# Sources are compared by a hash, since an address may be longer than an index entry. A chunk without an address is of the
# same source as the others of its import.
SOURCE_KEY_FUNCTION = """
CREATE FUNCTION memd_source_key(source_url text, import_id uuid)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || encode(substring(sha256(convert_to(coalesce(nullif(source_url, ''), import_id::text), 'UTF8')) for 8),
                      'hex'))::bit(64)::bigint
"""
FILL = """
UPDATE memory_index i SET source_key = memd_source_key(m.source_url, m.import_id), chunk_index = m.chunk_index
FROM memory m
WHERE m.user_id = i.user_id AND m.id = i.memory_id AND m.knowledge_base_id IS NOT NULL AND m.chunk_index IS NOT NULL
"""
INDEX = """
CREATE INDEX ix_memory_index_place ON memory_index (user_id, knowledge_base_id, source_key, chunk_index)
WHERE live and source_key is not null
"""


def upgrade() -> None:
    op.execute(SOURCE_KEY_FUNCTION)
    op.execute("ALTER TABLE memory_index ADD COLUMN source_key bigint, ADD COLUMN chunk_index integer")
    op.execute(FILL)
    op.execute(INDEX)


def downgrade() -> None:
    op.execute("ALTER TABLE memory_index DROP COLUMN source_key, DROP COLUMN chunk_index")
    op.execute("DROP FUNCTION memd_source_key(text, uuid)")
