"""Loading the tables while requests are served."""

import subprocess
import sys
from pathlib import Path

import memd
from memd.db.schema.table_modules import TABLE_MODULES

ROOT = Path(memd.__file__).parents[1]
LOAD = """
import asyncio, threading
from memd.db.schema.table_modules import load_tables

async def load():
    turns = 0
    loading = asyncio.create_task(load_tables())
    while not loading.done():
        await asyncio.sleep(0)
        turns += 1
    await loading
    return turns

async def main():
    import memd.db.schema.base
    from sqlalchemy import event
    from sqlalchemy.orm import Mapper
    threads = set()
    event.listen(Mapper, "instrument_class", lambda *_: threads.add(threading.current_thread().name))
    turns = await load()
    from memd.db.schema.catalogue import METADATA
    print(*threads, len(METADATA.tables) > 30, turns)

asyncio.run(main())
"""


def test_every_tables_module_is_named() -> None:
    files = (ROOT / "memd").rglob("tables.py")
    assert sorted(TABLE_MODULES) == sorted(".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files)


def test_tables_are_loaded_on_the_event_loop_between_requests() -> None:
    # A class that a thread adds while a request makes the first row fails that request.
    done = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    threads, is_complete, turns = done.stdout.rsplit(maxsplit=2)
    assert (threads, is_complete) == ("MainThread", "True")
    assert int(turns) >= len(TABLE_MODULES)
