"""Erasure also removes values from arrays in the payloads of waiting jobs."""

from alembic import op

revision = "20261122_job_arrays"
down_revision = "20261122_text_version"
branch_labels = None
depends_on = None

# A payload field holds one value or an array of values. A job goes when all its values go.
REMOVE_FROM_OWN_JOBS = """
CREATE OR REPLACE FUNCTION memd_remove_own_jobs(field text, named text[]) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE removed integer; changed integer;
BEGIN
  DELETE FROM procrastinate_jobs
  WHERE status <> 'doing' AND args->>'user_id' = memd_user()::text
    AND args->field ?| named AND args->field <@ to_jsonb(named);
  GET DIAGNOSTICS removed = ROW_COUNT;
  UPDATE procrastinate_jobs SET args = jsonb_set(args, ARRAY[field], (args->field) - named)
  WHERE status <> 'doing' AND args->>'user_id' = memd_user()::text
    AND jsonb_typeof(args->field) = 'array' AND args->field ?| named;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN removed + changed;
END $$
"""
REMOVE_OWN_JOBS = """
CREATE OR REPLACE FUNCTION memd_remove_own_jobs(field text, named text[]) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM procrastinate_jobs
  WHERE status <> 'doing' AND args->>'user_id' = memd_user()::text AND args->>field = ANY(named);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$
"""


def upgrade() -> None:
    op.execute(REMOVE_FROM_OWN_JOBS)


def downgrade() -> None:
    op.execute(REMOVE_OWN_JOBS)
