"""Hooks for what schemathesis cannot read in the OpenAPI document of memd.

Every request comes from an address of its own, so that those without a key find their bucket full. The key and the user
that fuzz are left alone. Rules over several fields are not part of a JSON schema; their refusals are expected.

Of the pattern for "a character that is not blank" with a length of up to 100,000 schemathesis would make one for that
many characters none of which is blank: it takes a second to compile, at each use, and refuses most texts. It leaves the
same pattern written as an alternative alone.

Of the systematic requests of each operation every MEMD_FUZZ_EVERY-th is sent, beginning elsewhere for each.
"""

import itertools
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import schemathesis
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import RejectedPositiveData

OWN = frozenset(os.environ["MEMD_FUZZ_OWN"].split(","))
BEYOND_THE_SCHEMA = re.compile(
    r"At least one editable field is required|Send either chunks or text, not both"
    r"|Missing required field: (?:chunks|title|label|checkpointId|scopes)"
    r"|Field \w+ must be at or before \w+|Field \w+ must be epoch milliseconds, an ISO date or an ISO datetime"
    r"|Field cursor must be a cursor of this list|Field expiresAt must be in the future"
    r"|Field (?:tags|actionTriggers) exceeds maximum length of \d+ items"
    r"|Field chunkOverlap must be between 0 and \d+"
    r"|Field allowedAddresses\[\d+\] must be an IP address or a network in CIDR form"
    r"|Field where must be a JSON object"
    r"|Field webhookUrl must .+|Field schedule must .+"
    r"|Field agentIds must be a list of agent ids, or empty for every agent"
    r"|sections without knowledge leave nothing of the knowledge bases that the request names"
)
NOT_BLANK, SAME = r"\S", r"\S|\S"
EVERY = int(os.environ["MEMD_FUZZ_EVERY"])
_numbers = itertools.count(1)
_operations = itertools.count()
_places: dict[str, Iterator[int]] = defaultdict(lambda: itertools.count(next(_operations)))


@schemathesis.hook
def before_load_schema(_context: Any, raw_schema: Any) -> None:
    waiting = [raw_schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict) and node.get("pattern") == NOT_BLANK:
            node["pattern"] = SAME
        waiting.extend(node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())


@schemathesis.hook
def filter_case(_context: Any, case: Any) -> bool:
    is_systematic = case.meta is not None and case.meta.phase.name is TestPhase.COVERAGE
    return not is_systematic or next(_places[case.operation.label]) % EVERY == 0


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    number = next(_numbers)
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    case.headers["X-Forwarded-For"] = address
    named = (case.path_parameters or {}).get("id")
    if named in OWN:
        case.path_parameters["id"] = named.split("_")[0] + "_" + "0" * 26


@schemathesis.hook
def filter_failure(_context: Any, failure: Any, _case: Any, response: Any) -> bool:
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return True
    return BEYOND_THE_SCHEMA.fullmatch(response.json().get("details", "")) is None
