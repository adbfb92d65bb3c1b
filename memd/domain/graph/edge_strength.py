"""The strength of an edge of the graph, by its kind and the number of memories that prove it."""

from dataclasses import dataclass
from typing import Final

from memd.domain.types import RelationType
from memd.domain.unit_interval import clamp

_STATED: Final = 0.7
_TOGETHER: Final = 0.4
_CONFIDENCE: Final = 0.6
_EACH_MORE: Final = 0.05


@dataclass(frozen=True, slots=True)
class EdgeStrength:
    """Both within 0..1."""

    weight: float
    confidence: float


def edge_strength(relation: RelationType, evidence: int) -> EdgeStrength:
    """A stated relation begins at weight .7, a mere co-occurrence at .4, both at confidence .6; each proof adds .05."""
    first = _TOGETHER if relation is RelationType.OCCURS_WITH else _STATED
    more = _EACH_MORE * max(0, evidence - 1)
    return EdgeStrength(weight=clamp(first + more), confidence=clamp(_CONFIDENCE + more))
