"""Every table of every room, gathered for migrations; importing this module fills the metadata."""

from importlib import import_module

from memd.db.schema.base import Table
from memd.db.schema.table_modules import TABLE_MODULES

for _module in TABLE_MODULES:
    import_module(_module)

METADATA = Table.metadata
