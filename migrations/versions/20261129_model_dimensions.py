"""One model may have vectors of several lengths: a remote model is asked for any."""

from alembic import op

revision = "20261129_model_dimensions"
down_revision = "20261128_derived_facts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE embedding_model DROP CONSTRAINT uq_embedding_model_name")
    op.execute(
        "ALTER TABLE embedding_model ADD CONSTRAINT uq_embedding_model_name_dimensions UNIQUE (name, dimensions)"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE embedding_model DROP CONSTRAINT uq_embedding_model_name_dimensions")
    op.execute("ALTER TABLE embedding_model ADD CONSTRAINT uq_embedding_model_name UNIQUE (name)")
