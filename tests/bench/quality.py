"""Recall@k on questions with known answers, by `memctl eval` against a memd of each embedder."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bench.serving import serving

SETS = ("locomo-dev", "xquad-dev")
DEPTHS = (1, 5, 10, 20)


def evaluation_folder() -> Path | None:
    """The folder of questions: `MEMD_EVAL_DIR`, or the usual one beside the checkout; None when it is absent."""
    named = os.environ.get("MEMD_EVAL_DIR")
    folder = Path(named) if named else Path(__file__).parents[3] / "shared" / "eval"
    return folder if folder.is_dir() else None


def evaluate(model: str, folder: Path) -> dict[str, dict[str, Any]]:
    """For each question set that is there the figures of `memctl eval`, over all its questions."""
    with serving(model) as daemon:
        return {name: _figures(daemon.url, daemon.key, folder / name) for name in SETS if (folder / name).is_dir()}


def _figures(url: str, key: str, data: Path) -> dict[str, Any]:
    depths = [option for depth in DEPTHS for option in ("--k", str(depth))]
    told = subprocess.run(
        [sys.executable, "-m", "memctl", "eval", str(data), *depths, "--json"],
        env={**os.environ, "MEMCTL_URL": url, "MEMCTL_API_KEY": key},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return json.loads(told.stdout)["total"]
