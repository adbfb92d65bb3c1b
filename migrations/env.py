"""Runs the migrations on the connection that memd hands over."""

from alembic import context

from memd.db.schema.catalogue import METADATA

OWN = set(METADATA.tables)


def _include(name: str | None, type_: str, _parents: object) -> bool:
    return type_ != "table" or name in OWN


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    include_name=_include,
    compare_server_default=False,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
