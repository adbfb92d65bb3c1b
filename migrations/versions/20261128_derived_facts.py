"""Reflections and promotions state no facts of their own: what was read from them goes, and what it contradicted.

And an index that finds what memd made of a memory.
"""

from alembic import op

revision = "20261128_derived_facts"
down_revision = "20261127_near_versions"
branch_labels = None
depends_on = None

RESTATES = """m.source = 'inference' AND (
  m.source_memory_ids <> '{}' AND m.created_by IS NULL AND (m.promoted_from IS NOT NULL OR 'reflection' = ANY(m.tags))
  OR m.source_memory_ids = '{}' AND m.tags @> ARRAY['reflection', 'distilled'])"""
CONFLICTS = f"""
WITH stale AS (
  DELETE FROM memory_conflict c USING memory m
  WHERE m.user_id = c.user_id AND m.id IN (c.old_id, c.new_id) AND c.state = 'open' AND {RESTATES}
  RETURNING c.user_id, c.old_id, c.new_id)
DELETE FROM association a USING stale
WHERE a.user_id = stale.user_id AND a.from_memory_id = stale.new_id AND a.to_memory_id = stale.old_id
  AND a.relationship_type = 'contradicts'
"""
FACTS = f"DELETE FROM memory_fact f USING memory m WHERE m.user_id = f.user_id AND m.id = f.memory_id AND {RESTATES}"


def upgrade() -> None:
    op.execute(
        "CREATE INDEX ix_memory_made ON memory (user_id, id) WHERE source = 'inference' AND source_memory_ids <> '{}'"
    )
    op.execute(CONFLICTS)
    op.execute(FACTS)


def downgrade() -> None:
    op.execute("DROP INDEX ix_memory_made")
