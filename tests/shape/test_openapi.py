"""The OpenAPI document is pinned: a change of the wire is seen in review."""

import json
import os
from pathlib import Path

from memd import openapi
from memd.app import endpoints

SNAPSHOT = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_openapi_is_the_one_on_record() -> None:
    document = json.dumps(openapi.document(endpoints()), indent=1, sort_keys=True) + "\n"
    if os.environ.get("MEMD_PIN"):
        SNAPSHOT.write_text(document)
    assert SNAPSHOT.read_text() == document, "run MEMD_PIN=1 pytest tests/shape/test_openapi.py after a wanted change"
