"""The OpenAPI document is pinned: a change of the wire is seen in review."""

import json
import os
from pathlib import Path

from memd import openapi
from memd.app import endpoints, open_endpoints

SNAPSHOT = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_openapi_is_the_one_on_record() -> None:
    document = json.dumps(openapi.document([*endpoints(), *open_endpoints()]), indent=1, sort_keys=True) + "\n"
    if os.environ.get("MEMD_PIN"):
        SNAPSHOT.write_text(document)
    assert SNAPSHOT.read_text() == document, "run MEMD_PIN=1 pytest tests/shape/test_openapi.py after a wanted change"


def test_every_operation_has_an_id_of_its_own() -> None:
    paths = openapi.document([*endpoints(), *open_endpoints()])["paths"]
    ids = [operation["operationId"] for path in paths.values() for operation in path.values()]
    assert len(ids) == len(set(ids))
