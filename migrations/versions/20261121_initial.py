"""The first release: every table, and the wall between users."""

from pathlib import Path

from alembic import op
from procrastinate.schema import SchemaManager

revision = "20261121_initial"
down_revision = None
branch_labels = None
depends_on = None


TABLES = Path(__file__).parent.parent / "sql" / "20261121_tables.sql"
APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"
USER_TABLES = (
    "api_key",
    "app_user",
    "association",
    "audit_row",
    "checkpoint",
    "embedding_use",
    "graph_node",
    "graph_relation",
    "import_run",
    "knowledge_base",
    "memory",
    "memory_index",
    "memory_node",
    "memory_vector",
    "message",
    "message_index",
    "message_vector",
    "metric_row",
    "recall_activity",
    "session",
    "snapshot",
    "totals",
    "trigger",
    "turn",
)
SYSTEM_TABLES = ("device_request", "device_session", "embedding_model", "schedule_run", "service_fact")

ROLES = f"""
DO $$
DECLARE role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['{APP_ROLE}', '{SYSTEM_ROLE}'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
    END IF;
    -- From PostgreSQL 16 on, who creates a role may administrate it, but not yet act as it.
    IF current_setting('server_version_num')::int >= 160000 THEN
      IF NOT pg_has_role(current_user, role_name, 'SET') THEN
        EXECUTE format('GRANT %I TO %I WITH SET TRUE', role_name, current_user);
      END IF;
    ELSIF NOT pg_has_role(current_user, role_name, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO %I', role_name, current_user);
    END IF;
  END LOOP;
END $$
"""

# The user of the transaction; NULL outside of one, and then no row is visible.
CURRENT_USER_FUNCTION = """
CREATE FUNCTION memd_user() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('memd.user_id', true), '')::uuid
"""

# A key is looked up before its user is known: the one read that passes the wall, by the full hash only.
FIND_KEY_FUNCTION = f"""
CREATE FUNCTION memd_find_key(wanted text)
RETURNS TABLE (user_id uuid, id uuid, label text, scopes text[], expires_at bigint, last_used_at bigint,
               tier text, policy text, admin boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.user_id, k.id, k.label, k.scopes, k.expires_at, k.last_used_at, u.tier, u.policy, u.admin
  FROM api_key k JOIN app_user u USING (user_id)
  WHERE k.key_hash = wanted AND k.active AND u.active
$$;
REVOKE ALL ON FUNCTION memd_find_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_find_key(text) TO {APP_ROLE}, {SYSTEM_ROLE}
"""

# Whether somebody could still administrate without this key (NULL: without any key of this user). Whoever asks first
# locks the administrators, so that the last two keys cannot go at once.
OTHER_ADMIN_KEY_FUNCTION = f"""
CREATE FUNCTION memd_other_admin_key(owner uuid, key uuid, moment bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM app_user WHERE admin AND active ORDER BY user_id FOR UPDATE;
  RETURN EXISTS (
    SELECT FROM api_key k JOIN app_user u USING (user_id)
    WHERE u.admin AND u.active AND k.active AND (k.expires_at IS NULL OR k.expires_at > moment)
      AND NOT (k.user_id = owner AND (key IS NULL OR k.id = key))
  );
END $$;
REVOKE ALL ON FUNCTION memd_other_admin_key(uuid, uuid, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_other_admin_key(uuid, uuid, bigint) TO {APP_ROLE}, {SYSTEM_ROLE}
"""

# An unknown id is 404 and a foreign one 403: this answers which, and nothing else.
MEMORY_EXISTS_FUNCTION = f"""
CREATE FUNCTION memd_memory_exists(wanted uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM memory WHERE id = wanted)
$$;
REVOKE ALL ON FUNCTION memd_memory_exists(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_memory_exists(uuid) TO {APP_ROLE}
"""

# The lexemes of a row. The owner is one of them: a search for it with any word reads the postings of one user only.
TEXT_FUNCTIONS = """
CREATE FUNCTION memd_memory_tsv(owner uuid, config regconfig, title text, content text, tags text[])
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector(config, title), 'A') || to_tsvector(config, content)
       || to_tsvector(config, array_to_string(tags, ' ')) || array_to_tsvector(ARRAY['u:' || owner]);
CREATE FUNCTION memd_message_tsv(owner uuid, config regconfig, body text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector(config, body) || array_to_tsvector(ARRAY['u:' || owner])
"""

# `@@` reads nothing but its operands; marked so, the planner may use the text index below a row-level policy.
# Only a superuser may say it: without, text search of large users is slower and just as right.
LEAKPROOF_MATCH = """
DO $$
BEGIN
  ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$
"""


# Lexemes and vectors are read whole by every search: rows of up to a page stay in one piece, uncompressed.
IN_ONE_PIECE = ("memory_index", "memory_vector", "message_index", "message_vector")


def build_wall() -> None:
    """Roles, grants and row-level policies: the second wall between users."""
    op.execute(ROLES)
    op.execute(CURRENT_USER_FUNCTION)
    op.execute(FIND_KEY_FUNCTION)
    op.execute(OTHER_ADMIN_KEY_FUNCTION)
    op.execute(MEMORY_EXISTS_FUNCTION)
    op.execute(TEXT_FUNCTIONS)
    op.execute(LEAKPROOF_MATCH)
    for table in USER_TABLES:
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {APP_ROLE}, {SYSTEM_ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(
            f"CREATE POLICY own_rows ON {table} TO {APP_ROLE} "
            "USING (user_id = (SELECT memd_user())) WITH CHECK (user_id = (SELECT memd_user()))"
        )
        op.execute(f"CREATE POLICY all_rows ON {table} TO {SYSTEM_ROLE} USING (true) WITH CHECK (true)")
    for table in SYSTEM_TABLES:
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {SYSTEM_ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY all_rows ON {table} TO {SYSTEM_ROLE} USING (true) WITH CHECK (true)")
    op.execute(f"GRANT SELECT ON alembic_version TO {SYSTEM_ROLE}")


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    op.execute(TABLES.read_text())
    for table in IN_ONE_PIECE:
        op.execute(f"ALTER TABLE {table} SET (toast_tuple_target = 8160)")
    build_wall()
    build_queue()


def build_queue() -> None:
    """The tables of the job queue; only the system role works with them."""
    op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))
    op.execute(f"""
        DO $$
        DECLARE name text;
        BEGIN
          FOR name IN SELECT tablename FROM pg_tables WHERE tablename LIKE 'procrastinate%' LOOP
            EXECUTE format('GRANT ALL ON %I TO {SYSTEM_ROLE}', name);
          END LOOP;
          FOR name IN SELECT sequencename FROM pg_sequences WHERE sequencename LIKE 'procrastinate%' LOOP
            EXECUTE format('GRANT ALL ON SEQUENCE %I TO {SYSTEM_ROLE}', name);
          END LOOP;
        END $$
    """)


def downgrade() -> None:
    for table in (*USER_TABLES, *SYSTEM_TABLES):
        op.execute(f"DROP TABLE {table}")
    op.execute("DROP FUNCTION memd_find_key(text)")
    op.execute("DROP FUNCTION memd_other_admin_key(uuid, uuid, bigint)")
    op.execute("DROP FUNCTION memd_memory_exists(uuid)")
    op.execute("DROP FUNCTION memd_memory_tsv(uuid, regconfig, text, text, text[])")
    op.execute("DROP FUNCTION memd_message_tsv(uuid, regconfig, text)")
    op.execute("DROP FUNCTION memd_user()")
