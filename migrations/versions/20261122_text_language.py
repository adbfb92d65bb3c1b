"""The language of each indexed text, and the version of the analysis that made its lexemes."""

from alembic import op

revision = "20261122_text_language"
down_revision = "20261122_neighbour_index"
branch_labels = None
depends_on = None

TABLES = (("memory_index", "memory_id"), ("message_index", "message_id"))


def upgrade() -> None:
    """Rows that are there have version 0: the job `text_reindex` indexes them anew.

    The functions memd_memory_tsv and memd_message_tsv stay: replicas of the release before write with them, rows of version 0.
    """
    for table, key in TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN language VARCHAR NOT NULL DEFAULT 'simple'")
        op.execute(f"ALTER TABLE {table} ADD COLUMN index_version SMALLINT NOT NULL DEFAULT 0")
        op.execute(f"CREATE INDEX ix_{table}_language ON {table} (user_id, language)")
        op.execute(f"CREATE INDEX ix_{table}_outdated ON {table} (user_id, {key}) WHERE index_version < 1")


def downgrade() -> None:
    for table, _ in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN language, DROP COLUMN index_version")
