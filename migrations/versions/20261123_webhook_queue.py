"""Deliveries to webhooks have a queue of their own; questions that are due are found by an index."""

from alembic import op

revision = "20261123_webhook_queue"
down_revision = "20261123_standing"
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
BY_PRIORITY = "CASE WHEN priority > 0 THEN 'awaited' ELSE 'default' END"
BY_KIND = "CASE WHEN kind = 'standing_delivery' THEN 'webhooks' WHEN priority > 0 THEN 'awaited' ELSE 'default' END"
MOVE = "UPDATE procrastinate_jobs SET queue_name = '{}' WHERE task_name = 'standing_delivery' AND status = 'todo'"


def upgrade() -> None:
    op.execute(ADD_JOBS.format(queue=BY_KIND))
    op.execute(MOVE.format("webhooks"))
    op.create_index("ix_standing_question_due", "standing_question", ["due_at"])


def downgrade() -> None:
    op.drop_index("ix_standing_question_due", "standing_question")
    op.execute(ADD_JOBS.format(queue=BY_PRIORITY))
    op.execute(MOVE.format("default"))
