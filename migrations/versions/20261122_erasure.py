"""Erasures: their receipts, and the functions that keep an erased user from writing again."""

from alembic import op

revision = "20261122_erasure"
down_revision = "20261122_source_memories"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

TABLE = """
CREATE TABLE erasure (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  requested_by UUID NOT NULL,
  kind VARCHAR NOT NULL,
  target JSON,
  state VARCHAR NOT NULL,
  counts JSON,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  CONSTRAINT pk_erasure PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX ux_erasure_id ON erasure (id);
CREATE UNIQUE INDEX ux_erasure_user ON erasure (user_id) WHERE kind = 'user'
"""

# Every transaction that writes for a user calls this first. The erasure of a user takes the same lock exclusively, once:
# from then on every writer sees the row in `erasure`, and none that began before is still open.
ADMIT_WRITER = f"""
CREATE FUNCTION memd_admit_writer(writer uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('erasure:' || writer, 4));
  IF EXISTS (SELECT FROM erasure WHERE user_id = writer AND kind = 'user') THEN
    RAISE EXCEPTION USING ERRCODE = 'MD401', MESSAGE = 'this user has been erased';
  END IF;
END $$;
REVOKE ALL ON FUNCTION memd_admit_writer(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_admit_writer(uuid) TO {APP_ROLE}, {SYSTEM_ROLE}
"""

# Nobody may delete rows of audit_row; those of an erased user go through this.
ERASE_NOTES = f"""
CREATE FUNCTION memd_erase_notes(erased uuid, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE removed integer;
BEGIN
  IF NOT EXISTS (SELECT FROM erasure WHERE user_id = erased AND kind = 'user') THEN
    RAISE insufficient_privilege USING MESSAGE = 'only notes of an erased user can be removed';
  END IF;
  DELETE FROM audit_row WHERE ctid = ANY(ARRAY(SELECT ctid FROM audit_row WHERE user_id = erased LIMIT most));
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;
REVOKE ALL ON FUNCTION memd_erase_notes(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_erase_notes(uuid, integer) TO {SYSTEM_ROLE}
"""

# The queue is closed to the application; this removes waiting jobs of the transaction's user that name one of the values.
REMOVE_OWN_JOBS = f"""
CREATE FUNCTION memd_remove_own_jobs(field text, named text[]) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM procrastinate_jobs
  WHERE status <> 'doing' AND args->>'user_id' = memd_user()::text AND args->>field = ANY(named);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;
REVOKE ALL ON FUNCTION memd_remove_own_jobs(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_remove_own_jobs(text, text[]) TO {APP_ROLE}
"""


def upgrade() -> None:
    op.execute(TABLE)
    op.execute(f"GRANT SELECT, INSERT, UPDATE ON erasure TO {SYSTEM_ROLE}")
    op.execute("ALTER TABLE erasure ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE erasure FORCE ROW LEVEL SECURITY")
    op.execute(f"""
        DO $$ BEGIN
          EXECUTE format('CREATE POLICY all_rows ON erasure TO {SYSTEM_ROLE}, %I USING (true) WITH CHECK (true)',
                         current_user);
        END $$
    """)
    op.execute(ADMIT_WRITER)
    op.execute(ERASE_NOTES)
    op.execute(REMOVE_OWN_JOBS)


def downgrade() -> None:
    op.execute("DROP FUNCTION memd_remove_own_jobs(text, text[])")
    op.execute("DROP FUNCTION memd_erase_notes(uuid, integer)")
    op.execute("DROP FUNCTION memd_admit_writer(uuid)")
    op.execute("DROP TABLE erasure")
