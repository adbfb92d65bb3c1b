"""The second version of the text analysis: light stems of Arabic words, spellings of Hindi nasals."""

from alembic import op

revision = "20261122_text_version"
down_revision = "20261122_key_scopes"
branch_labels = None
depends_on = None
TABLES = (("memory_index", "memory_id"), ("message_index", "message_id"))


def upgrade() -> None:
    _index_versions_below(2)


def downgrade() -> None:
    _index_versions_below(1)


def _index_versions_below(version: int) -> None:
    for table, key in TABLES:
        op.execute(f"DROP INDEX ix_{table}_outdated")
        op.execute(f"CREATE INDEX ix_{table}_outdated ON {table} (user_id, {key}) WHERE index_version < {version}")
