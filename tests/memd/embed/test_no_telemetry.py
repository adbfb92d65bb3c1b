"""Embedding reports nothing to the makers of its library, and leaves nothing in the user's folders."""

import subprocess
import sys
from pathlib import Path

EMBED = """
import sys
from pathlib import Path
from memd.embed.providers.minilm import MiniLmEmbedder
MiniLmEmbedder(Path(sys.argv[1]), parallelism=1).embed(["The user lives in Rome."])
"""


def test_no_device_id_and_no_queue_of_events(model_data_dir: Path, tmp_path: Path) -> None:
    # outside of continuous integration, where the library sends nothing by itself
    environment = {"HOME": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-c", EMBED, str(model_data_dir)], env=environment, check=True, timeout=60)
    assert [*tmp_path.rglob("*")] == []
