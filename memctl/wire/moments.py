"""The times that a question may name (contract 17.5)."""

from typing import Any

from memctl.wire.base import RequestModel
from memctl.wire.fields import Flag
from memctl.wire.time_window import Bound


class MomentFields(RequestModel):
    """The moment of a read: true at `valid_at`, as known at `known_at`; `as_of` sets both. Epoch ms or ISO, now when absent."""

    valid_at: Bound = None
    known_at: Bound = None
    as_of: Bound = None
    include_ended: Flag = False


def moment_fields(request: MomentFields) -> dict[str, Any]:
    """The fields of a request that name times, for a request that is made of it."""
    return {name: getattr(request, name) for name in MomentFields.model_fields}
