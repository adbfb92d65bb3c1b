"""Erasing messages: counting rows inside the transaction of the user that removes them, and finding derived memories."""

from alembic import op

revision = "20261122_erasing_messages"
down_revision = "20261122_erasure"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

# Sums up row counts by table. The application reaches receipts of the transaction's user only.
COUNT = f"""
CREATE FUNCTION memd_count_erasure(receipt uuid, removed json) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE erasure SET state = 'running', counts = (
    SELECT coalesce(json_object_agg(name, rows ORDER BY name), '{{}}') FROM (
      SELECT name, sum(rows::int8) AS rows
      FROM (SELECT * FROM json_each_text(counts) UNION ALL SELECT * FROM json_each_text(removed)) AS one (name, rows)
      GROUP BY name) AS summed)
  WHERE id = receipt AND (memd_user() IS NULL OR user_id = memd_user())
$$;
REVOKE ALL ON FUNCTION memd_count_erasure(uuid, json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_count_erasure(uuid, json) TO {APP_ROLE}, {SYSTEM_ROLE}
"""

# Notes of ordinary writes cannot be changed; of those about erased objects this takes the name that a client gave.
REDACT_NOTES = f"""
CREATE FUNCTION memd_redact_own_notes(targets text[]) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE changed integer;
BEGIN
  UPDATE audit_row SET target_id = NULL WHERE user_id = memd_user() AND target_id = ANY(targets);
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END $$;
REVOKE ALL ON FUNCTION memd_redact_own_notes(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_redact_own_notes(text[]) TO {APP_ROLE}
"""

# Memories that the service made of messages or of other memories.
DERIVED = """
CREATE INDEX ix_memory_derived ON memory (user_id, id)
WHERE source_message_ids <> '{}' OR source_memory_ids <> '{}'
"""


def upgrade() -> None:
    op.execute(COUNT)
    op.execute(REDACT_NOTES)
    op.execute(DERIVED)


def downgrade() -> None:
    op.execute("DROP INDEX ix_memory_derived")
    op.execute("DROP FUNCTION memd_redact_own_notes(text[])")
    op.execute("DROP FUNCTION memd_count_erasure(uuid, json)")
