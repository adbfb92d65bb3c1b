"""Keys: maker, address list, a second secret during a rotation, and the scope `keys` (contract 17.7)."""

from alembic import op

revision = "20261122_key_scopes"
down_revision = "20261122_erasing_messages"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"
NEW_COLUMNS = "created_by, allowed_addresses, previous_until"

# The previous secret of a rotated key ends with the overlap, or with the key when that is sooner.
FIND_KEY = f"""
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

# Whether a live key can still administrate when these keys of a user (NULL: all) end at `new_end`. The last such key may
# not end sooner than it does now. The administrators stay locked until the transaction ends, so that two transactions
# cannot end the last two keys. `memd_other_admin_key` stays for replicas of the release before.
KEEPS_ADMIN = f"""
CREATE FUNCTION memd_keeps_admin(owner uuid, keys uuid[], new_end bigint, moment bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  forever CONSTANT bigint := 9223372036854775807;
  remains boolean;
BEGIN
  PERFORM FROM app_user WHERE app_user.admin AND app_user.active ORDER BY user_id FOR UPDATE;
  SELECT bool_or(NOT live.changes) OR coalesce(new_end, forever) >= max(live.ends_at) INTO remains
    FROM (
      SELECT coalesce(k.expires_at, forever) AS ends_at,
             k.user_id = owner AND (keys IS NULL OR k.id = ANY (keys)) AS changes
      FROM api_key k JOIN app_user u USING (user_id)
      WHERE u.admin AND u.active AND k.active AND 'admin' = ANY (k.scopes) AND coalesce(k.expires_at, forever) > moment
    ) live;
  RETURN coalesce(remains, true);
END $$;
REVOKE ALL ON FUNCTION memd_keeps_admin(uuid, uuid[], bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_keeps_admin(uuid, uuid[], bigint, bigint) TO {SYSTEM_ROLE}
"""

# So far every key with `write` managed all keys of its user. Administrators' keys keep that; of every other user the
# oldest live key with `write` does, so that no user is left with keys that nobody can revoke.
KEEP_MANAGERS = """
UPDATE api_key SET scopes = scopes || '{keys}'
WHERE active AND scopes @> '{admin,write}';
UPDATE api_key SET scopes = scopes || '{keys}'
WHERE id IN (
  SELECT DISTINCT ON (user_id) id FROM api_key
  WHERE active AND scopes @> '{write}' AND coalesce(expires_at > extract(epoch FROM now()) * 1000, true)
    AND user_id NOT IN (SELECT user_id FROM api_key WHERE active AND scopes @> '{keys}')
  ORDER BY user_id, created_at, id
)
"""

OLD_FUNCTIONS = f"""
DROP FUNCTION memd_find_key(text);
CREATE FUNCTION memd_find_key(wanted text)
RETURNS TABLE (user_id uuid, id uuid, label text, scopes text[], expires_at bigint, last_used_at bigint,
               tier text, policy text, admin boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.user_id, k.id, k.label, k.scopes, k.expires_at, k.last_used_at, u.tier, u.policy, u.admin
  FROM api_key k JOIN app_user u USING (user_id)
  WHERE k.key_hash = wanted AND k.active AND u.active
$$;
REVOKE ALL ON FUNCTION memd_find_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_find_key(text) TO {APP_ROLE}, {SYSTEM_ROLE};
DROP FUNCTION memd_keeps_admin(uuid, uuid[], bigint, bigint)
"""


def upgrade() -> None:
    op.execute(
        "ALTER TABLE api_key ADD COLUMN created_by UUID, ADD COLUMN allowed_addresses TEXT[] DEFAULT '{}' NOT NULL, "
        "ADD COLUMN previous_hash VARCHAR, ADD COLUMN previous_until BIGINT"
    )
    op.execute(
        "CREATE UNIQUE INDEX ux_api_key_previous_hash ON api_key (previous_hash) WHERE previous_hash IS NOT NULL"
    )
    op.execute("ALTER TABLE device_request ADD COLUMN approved_by UUID, ADD COLUMN key_expires_at BIGINT")
    op.execute(f"GRANT SELECT ({NEW_COLUMNS}) ON api_key TO {APP_ROLE}")
    op.execute(KEEP_MANAGERS)
    op.execute(FIND_KEY)
    op.execute(KEEPS_ADMIN)


def downgrade() -> None:
    op.execute(OLD_FUNCTIONS)
    op.execute("ALTER TABLE device_request DROP COLUMN approved_by, DROP COLUMN key_expires_at")
    op.execute("UPDATE api_key SET scopes = array_remove(array_remove(scopes, 'keys'), 'act_as')")
    op.execute(
        "ALTER TABLE api_key DROP COLUMN created_by, DROP COLUMN allowed_addresses, DROP COLUMN previous_hash, "
        "DROP COLUMN previous_until"
    )
