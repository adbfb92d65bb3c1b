"""A memd of the bench's own: a real process on a folder that goes with it."""

import shutil
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support.daemon import Daemon


@contextmanager
def serving(model: str, settings: Mapping[str, str] | None = None) -> Generator[Daemon]:
    """A running memd with this embedder and these settings (`MEMD_…`), on the disk that temporary files lie on."""
    folder = Path(tempfile.mkdtemp(prefix="memd-bench-"))
    folder.chmod(0o711)  # the embedded Postgres of root runs as another user
    daemon = Daemon(folder / "data", {"MEMD_EMBED_MODEL": model, **(settings or {})})
    try:
        yield daemon.start()
    finally:
        if daemon.process is not None and daemon.process.poll() is None:
            daemon.stop()
        shutil.rmtree(folder, ignore_errors=True)
