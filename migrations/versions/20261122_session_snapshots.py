"""One automatic snapshot for each session, and snapshots that expire with the messages of their session."""

from alembic import op

revision = "20261122_session_snapshots"
down_revision = "20261122_validity"
branch_labels = None
depends_on = None

# Copies that earlier releases made of quiet sessions: the newest of a session is replaced from now on, the others go
# with the last message of the session.
NEWEST = """
UPDATE snapshot s SET automatic = true WHERE reason = 'quiet' AND NOT EXISTS (
    SELECT FROM snapshot later
    WHERE later.user_id = s.user_id AND later.session_key = s.session_key AND later.reason = 'quiet'
      AND coalesce(later.channel, '') = coalesce(s.channel, '')
      AND (later.created_at, later.id) > (s.created_at, s.id))
"""
EXPIRY = """
UPDATE snapshot s SET expires_at = coalesce((
    SELECT max(m.expires_at) FROM message m
    WHERE m.user_id = s.user_id AND m.session_key = s.session_key AND m.channel IS NOT DISTINCT FROM s.channel),
    s.created_at)
WHERE reason = 'quiet'
"""
ACCOUNT_USE = """
CREATE OR REPLACE FUNCTION memd_account_use(resource text, exclusive boolean) RETURNS bigint
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
                         {snapshots}
    WHEN 'checkpoints' THEN (SELECT count(*) FROM members JOIN checkpoint c USING (user_id))
  END INTO used;
  RETURN coalesce(used, 0);
END $$
"""
SNAPSHOTS = "+ (SELECT count(*) FROM members JOIN snapshot s USING (user_id))"


def upgrade() -> None:
    op.execute("ALTER TABLE snapshot ADD COLUMN automatic BOOLEAN DEFAULT 'false' NOT NULL")
    op.execute("ALTER TABLE snapshot ADD COLUMN expires_at BIGINT")
    op.execute(NEWEST)
    op.execute(EXPIRY)
    op.execute("CREATE INDEX ix_snapshot_expiry ON snapshot (user_id, expires_at) WHERE expires_at is not null")
    op.execute("""
        CREATE UNIQUE INDEX ux_snapshot_automatic ON snapshot (user_id, session_key, coalesce(channel, ''))
        WHERE automatic
    """)
    op.execute(ACCOUNT_USE.format(snapshots=SNAPSHOTS))


def downgrade() -> None:
    op.execute(ACCOUNT_USE.format(snapshots=""))
    op.execute("DROP INDEX ux_snapshot_automatic")
    op.execute("DROP INDEX ix_snapshot_expiry")
    op.execute("ALTER TABLE snapshot DROP COLUMN expires_at")
    op.execute("ALTER TABLE snapshot DROP COLUMN automatic")
