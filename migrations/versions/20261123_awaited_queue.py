"""Jobs that a user waits for have a queue of their own."""

from alembic import op

revision = "20261123_awaited_queue"
down_revision = "20261123_recent_mentions"
branch_labels = None
depends_on = None

ADD_JOBS = """
CREATE OR REPLACE FUNCTION memd_add_jobs(jobs jsonb, owner uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args, scheduled_at)
  SELECT {queue}, kind, priority, alone, once,
         coalesce(payload, '{{}}') || CASE WHEN owner IS NULL THEN '{{}}' ELSE jsonb_build_object('user_id', owner) END,
         CASE WHEN delay_ms > 0 THEN now() + delay_ms * interval '1 millisecond' END
  FROM jsonb_to_recordset(jobs)
       AS job(kind text, payload jsonb, once text, alone text, delay_ms int, priority int)
  ON CONFLICT (queueing_lock) WHERE status = 'todo' DO NOTHING
$$
"""


def upgrade() -> None:
    op.execute(ADD_JOBS.format(queue="CASE WHEN priority > 0 THEN 'awaited' ELSE 'default' END"))


def downgrade() -> None:
    op.execute(ADD_JOBS.format(queue="'default'"))
