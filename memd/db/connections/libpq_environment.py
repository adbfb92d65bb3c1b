"""The variables of the environment that libpq reads (PGHOST, PGOPTIONS, PGSERVICE, ...)."""

import os


def clear_libpq_environment() -> None:
    """Forget them, in this process and in those that it starts from now on.

    They are meant for other servers, and the embedded one is fully described by its conninfo. A conninfo cannot
    override all of them: libpq has no value for "no service".
    """
    for name in [name for name in os.environ if name.startswith("PG")]:
        del os.environ[name]
