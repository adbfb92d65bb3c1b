"""The audit log as a hash chain that functions append to and expire, and that no role may change."""

from alembic import op

revision = "20261122_audit_chain"
down_revision = "20261121_initial"
branch_labels = None
depends_on = None

APP_ROLE = "memd_app"
SYSTEM_ROLE = "memd_system"

TABLES = """
CREATE TABLE audit_entry (
  seq BIGINT NOT NULL,
  at BIGINT NOT NULL,
  user_id UUID,
  key_id UUID,
  address VARCHAR,
  action VARCHAR NOT NULL,
  target VARCHAR,
  outcome VARCHAR NOT NULL,
  before JSON,
  after JSON,
  request_id UUID,
  previous_hash BYTEA NOT NULL,
  hash BYTEA NOT NULL,
  CONSTRAINT pk_audit_entry PRIMARY KEY (seq)
);
CREATE INDEX ix_audit_entry_at ON audit_entry (at);
CREATE INDEX ix_audit_entry_user ON audit_entry (user_id, seq);
CREATE INDEX ix_audit_entry_action ON audit_entry (action, seq);
CREATE TABLE audit_head (
  id BOOLEAN NOT NULL,
  seq BIGINT NOT NULL,
  hash BYTEA NOT NULL,
  CONSTRAINT pk_audit_head PRIMARY KEY (id),
  CONSTRAINT ck_audit_head_one CHECK (id)
)
"""

# Appends are serialized by a lock on the head from here to the end of their transaction, so callers append last.
# The hash is that of memd.domain.accounts.audit_chain.hash_of.
APPEND = f"""
CREATE FUNCTION memd_audit_append(
  happened bigint, actor uuid, actor_key uuid, origin text, act text, object text, result text,
  old_values json, new_values json, request uuid
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head audit_head;
  digest bytea;
BEGIN
  INSERT INTO audit_head VALUES (true, 0, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
  digest := sha256(convert_to(json_build_array(
    head.seq + 1, happened, actor, actor_key, origin, act, object, result, old_values::text, new_values::text,
    request, encode(head.hash, 'hex'))::text, 'UTF8'));
  INSERT INTO audit_entry
  VALUES (head.seq + 1, happened, actor, actor_key, origin, act, object, result, old_values, new_values, request,
          head.hash, digest);
  UPDATE audit_head SET seq = head.seq + 1, hash = digest;
  RETURN head.seq + 1;
END $$;
REVOKE ALL ON FUNCTION memd_audit_append(bigint, uuid, uuid, text, text, text, text, json, json, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_audit_append(bigint, uuid, uuid, text, text, text, text, json, json, uuid)
  TO {APP_ROLE}, {SYSTEM_ROLE}
"""

# Removes the oldest entries and records the last removed hash in the chain itself, in one step: no other way to
# shorten the chain is granted to anybody. Only entries older than a week can go.
EXPIRE = f"""
CREATE FUNCTION memd_audit_expire(moment bigint, older_than bigint, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  limit_ms bigint := least(older_than, moment - 604800000);
  boundary bigint;
  anchor bytea;
  removed integer;
BEGIN
  PERFORM FROM audit_head FOR UPDATE;
  SELECT least(
    coalesce((SELECT min(seq) FROM audit_entry WHERE at >= limit_ms), (SELECT seq + 1 FROM audit_head)),
    (SELECT min(seq) FROM audit_entry) + most) - 1 INTO boundary;
  SELECT hash INTO anchor FROM audit_entry WHERE seq = boundary;
  IF anchor IS NULL THEN
    RETURN 0;
  END IF;
  DELETE FROM audit_entry WHERE seq <= boundary;
  GET DIAGNOSTICS removed = ROW_COUNT;
  PERFORM memd_audit_append(
    moment, NULL, NULL, NULL, 'audit.expire', NULL, 'ok', NULL,
    json_build_object('hash', encode(anchor, 'hex'), 'removed', removed, 'removedThrough', boundary), NULL);
  RETURN removed;
END $$;
REVOKE ALL ON FUNCTION memd_audit_expire(bigint, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memd_audit_expire(bigint, bigint, integer) TO {SYSTEM_ROLE}
"""


def upgrade() -> None:
    op.execute(TABLES)
    op.execute(APPEND)
    op.execute(EXPIRE)
    for table in ("audit_entry", "audit_head"):
        op.execute(f"GRANT SELECT ON {table} TO {SYSTEM_ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY all_rows ON {table} TO {SYSTEM_ROLE} USING (true)")


def downgrade() -> None:
    op.execute("DROP FUNCTION memd_audit_expire(bigint, bigint, integer)")
    op.execute("DROP FUNCTION memd_audit_append(bigint, uuid, uuid, text, text, text, text, json, json, uuid)")
    op.execute("DROP TABLE audit_entry")
    op.execute("DROP TABLE audit_head")
