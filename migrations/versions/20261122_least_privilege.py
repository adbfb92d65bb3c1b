"""Least privilege: requests cannot touch accounts, only add to the audit log, and queue jobs of their own user only.

`memd_app` and `memd_system` may be logins of their own now, so neither may depend on being entered by SET ROLE.
"""

from alembic import op

revision = "20261122_least_privilege"
down_revision = "20261122_double_precision"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"
KEY_COLUMNS = "user_id, id, label, scopes, created_at, last_used_at, active, expires_at"

# Row-level security binds the owner as well; migrations, backups and the functions that pass the wall see every row.
FORCE_ROW_SECURITY = f"""
DO $$
DECLARE name text;
BEGIN
  FOR name IN SELECT c.relname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid
    WHERE p.polname = 'all_rows' AND c.relnamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER POLICY all_rows ON %I TO {SYSTEM_ROLE}, %I', name, current_user);
  END LOOP;
END $$
"""

# Only the system role works with the queue, and it changes rows, not tables.
QUEUE_FOR_THE_SYSTEM_ONLY = f"""
DO $$
DECLARE signature regprocedure; name text;
BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE tablename LIKE 'procrastinate%' AND schemaname = 'public' LOOP
    EXECUTE format('REVOKE ALL ON %I FROM {SYSTEM_ROLE}', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO {SYSTEM_ROLE}', name);
  END LOOP;
  FOR signature IN SELECT oid FROM pg_proc
    WHERE proname LIKE 'procrastinate%' AND pronamespace = 'public'::regnamespace LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO {SYSTEM_ROLE}', signature);
  END LOOP;
END $$
"""

# Jobs is an array of {kind, payload, once, alone, delay_ms, priority}. While a job with the same `once` waits, another
# is not added.
ADD_JOBS = f"""
CREATE FUNCTION memd_add_jobs(jobs jsonb, owner uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args, scheduled_at)
  SELECT 'default', kind, priority, alone, once,
         coalesce(payload, '{{}}') || CASE WHEN owner IS NULL THEN '{{}}' ELSE jsonb_build_object('user_id', owner) END,
         CASE WHEN delay_ms > 0 THEN now() + delay_ms * interval '1 millisecond' END
  FROM jsonb_to_recordset(jobs)
       AS job(kind text, payload jsonb, once text, alone text, delay_ms int, priority int)
  ON CONFLICT (queueing_lock) WHERE status = 'todo' DO NOTHING
$$;
REVOKE ALL ON FUNCTION memd_add_jobs(jsonb, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_add_jobs(jsonb, uuid) TO {SYSTEM_ROLE}
"""

# The queue is closed to the application; this adds jobs that carry the user of the transaction.
ADD_OWN_JOBS = f"""
CREATE FUNCTION memd_add_own_jobs(jobs jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF memd_user() IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'a job of the application needs a user';
  END IF;
  PERFORM memd_add_jobs(jobs, memd_user());
END $$;
REVOKE ALL ON FUNCTION memd_add_own_jobs(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_add_own_jobs(jsonb) TO {APP_ROLE}
"""


def upgrade() -> None:
    op.execute(f"REVOKE ALL ON app_user, api_key, audit_row FROM {APP_ROLE}")
    op.execute(f"GRANT SELECT ({KEY_COLUMNS}), UPDATE (last_used_at) ON api_key TO {APP_ROLE}")
    op.execute(f"GRANT SELECT, INSERT ON audit_row TO {APP_ROLE}")
    op.execute(f"REVOKE UPDATE, DELETE ON audit_row FROM {SYSTEM_ROLE}")
    op.execute(FORCE_ROW_SECURITY)
    op.execute(f"REVOKE ALL ON FUNCTION memd_other_admin_key(uuid, uuid, bigint) FROM {APP_ROLE}")
    op.execute(QUEUE_FOR_THE_SYSTEM_ONLY)
    op.execute(ADD_JOBS)
    op.execute(ADD_OWN_JOBS)


def downgrade() -> None:
    op.execute("DROP FUNCTION memd_add_own_jobs(jsonb)")
    op.execute("DROP FUNCTION memd_add_jobs(jsonb, uuid)")
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON app_user, api_key, audit_row TO {APP_ROLE}, {SYSTEM_ROLE}")
