"""Memories may have a namespace and a key that is unique in it (contract 17.2)."""

from alembic import op

revision = "20261122_keyed_memories"
down_revision = "20261122_rankings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute('ALTER TABLE memory ADD COLUMN namespace text COLLATE "C", ADD COLUMN key text')
    op.execute(
        """
        CREATE UNIQUE INDEX ux_memory_key ON memory (user_id, namespace, key) NULLS NOT DISTINCT
        WHERE NOT archived AND key IS NOT NULL
        """
    )
    op.execute(
        """
        CREATE INDEX ix_memory_namespace ON memory (user_id, namespace, updated_at, id)
        WHERE NOT archived AND namespace IS NOT NULL
        """
    )


def downgrade() -> None:
    op.execute("ALTER TABLE memory DROP COLUMN namespace, DROP COLUMN key")
