"""End users of an application: users under an account, named by an external id (contract 17.1)."""

from alembic import op

revision = "20261122_end_users"
down_revision = "20261122_job_arrays"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

COLUMNS = """
ALTER TABLE app_user ADD COLUMN account_id UUID, ADD COLUMN external_id VARCHAR COLLATE "C";
CREATE UNIQUE INDEX ux_app_user_external ON app_user (account_id, external_id) WHERE account_id IS NOT NULL
"""

FIND_KEY = f"""
DROP FUNCTION memd_find_key(text);
CREATE FUNCTION memd_find_key(wanted text)
RETURNS TABLE (user_id uuid, id uuid, label text, scopes text[], expires_at bigint, last_used_at bigint,
               allowed_addresses text[], tier text, policy text, admin boolean, has_end_users boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.user_id, k.id, k.label, k.scopes,
         CASE WHEN k.key_hash = wanted THEN k.expires_at ELSE least(k.expires_at, k.previous_until) END,
         k.last_used_at, k.allowed_addresses, u.tier, u.policy, u.admin,
         EXISTS (SELECT FROM app_user e WHERE e.account_id = k.user_id)
  FROM api_key k JOIN app_user u USING (user_id)
  WHERE (k.key_hash = wanted OR k.previous_hash = wanted) AND k.active AND u.active
$$;
REVOKE ALL ON FUNCTION memd_find_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_find_key(text) TO {APP_ROLE}, {SYSTEM_ROLE}
"""

# Only a live service key of the account finds its end users.
FIND_END_USER = f"""
CREATE FUNCTION memd_find_end_user(account uuid, service_key uuid, wanted text)
RETURNS TABLE (user_id uuid, tier text, policy text, active boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT e.user_id, e.tier, e.policy, e.active FROM app_user e
  WHERE e.account_id = account AND e.external_id = wanted
    AND EXISTS (SELECT FROM api_key k
                WHERE k.user_id = account AND k.id = service_key AND k.active AND 'act_as' = ANY (k.scopes))
$$;
REVOKE ALL ON FUNCTION memd_find_end_user(uuid, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_find_end_user(uuid, uuid, text) TO {APP_ROLE}
"""

# What the account of the transaction's user and all its end users store together. With `exclusive`, other writers of the
# account that ask for it wait until the transaction ends, so that no two of them take the same free place.
ACCOUNT_USE = f"""
CREATE FUNCTION memd_account_use(resource text, exclusive boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  account uuid := (SELECT coalesce(u.account_id, u.user_id) FROM app_user u WHERE u.user_id = memd_user());
  used bigint;
BEGIN
  IF exclusive THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('account:' || account, 4));
  END IF;
  WITH members AS (
    SELECT account AS user_id UNION ALL SELECT u.user_id FROM app_user u WHERE u.account_id = account
  )
  SELECT CASE resource
    WHEN 'memories' THEN (SELECT sum(t.active_memories) FROM members JOIN totals t USING (user_id))
    WHEN 'messages' THEN (SELECT sum(t.total_messages) FROM members JOIN totals t USING (user_id))
    WHEN 'checkpoints' THEN (SELECT count(*) FROM members JOIN checkpoint c USING (user_id))
  END INTO used;
  RETURN coalesce(used, 0);
END $$;
REVOKE ALL ON FUNCTION memd_account_use(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_account_use(text, boolean) TO {APP_ROLE}
"""

# Spends embedding calls of the account of the transaction's user, background work at most half of the day's limit; how
# many were granted. An account that has been erased grants none: its rows must not come back.
SPEND_EMBEDDINGS = f"""
CREATE FUNCTION memd_spend_account_embeddings(today integer, wanted integer, most integer, background boolean)
RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  account uuid := (SELECT u.account_id FROM app_user u WHERE u.user_id = memd_user());
  granted integer;
BEGIN
  PERFORM memd_admit_writer(account);
  INSERT INTO embedding_use (user_id, day) VALUES (account, today) ON CONFLICT DO NOTHING;
  SELECT greatest(0, least(wanted, most - calls,
                           CASE WHEN background THEN most / 2 - background_calls ELSE wanted END))
    INTO granted FROM embedding_use WHERE user_id = account AND day = today FOR UPDATE;
  UPDATE embedding_use
  SET calls = calls + granted, background_calls = background_calls + CASE WHEN background THEN granted ELSE 0 END
  WHERE user_id = account AND day = today;
  RETURN granted;
END $$;
REVOKE ALL ON FUNCTION memd_spend_account_embeddings(integer, integer, integer, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_spend_account_embeddings(integer, integer, integer, boolean) TO {APP_ROLE}
"""

OLD_FIND_KEY = f"""
DROP FUNCTION memd_find_key(text);
CREATE FUNCTION memd_find_key(wanted text)
RETURNS TABLE (user_id uuid, id uuid, label text, scopes text[], expires_at bigint, last_used_at bigint,
               allowed_addresses text[], tier text, policy text, admin boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.user_id, k.id, k.label, k.scopes,
         CASE WHEN k.key_hash = wanted THEN k.expires_at ELSE least(k.expires_at, k.previous_until) END,
         k.last_used_at, k.allowed_addresses, u.tier, u.policy, u.admin
  FROM api_key k JOIN app_user u USING (user_id)
  WHERE (k.key_hash = wanted OR k.previous_hash = wanted) AND k.active AND u.active
$$;
REVOKE ALL ON FUNCTION memd_find_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_find_key(text) TO {APP_ROLE}, {SYSTEM_ROLE}
"""


def upgrade() -> None:
    op.execute(COLUMNS)
    op.execute(FIND_KEY)
    op.execute(FIND_END_USER)
    op.execute(ACCOUNT_USE)
    op.execute(SPEND_EMBEDDINGS)


def downgrade() -> None:
    op.execute("DROP FUNCTION memd_spend_account_embeddings(integer, integer, integer, boolean)")
    op.execute("DROP FUNCTION memd_account_use(text, boolean)")
    op.execute("DROP FUNCTION memd_find_end_user(uuid, uuid, text)")
    op.execute(OLD_FIND_KEY)
    op.execute("DROP INDEX ux_app_user_external; ALTER TABLE app_user DROP COLUMN account_id, DROP COLUMN external_id")
