"""Conditions of the partial indexes that find memories with work for a scheduled job.

A statement uses such an index when it repeats the condition. The numbers are those of `memd.domain.lifecycle.consolidation`,
`memd.domain.lifecycle.retention` and contract 13; a test compares them.
"""

from typing import Final

LIVE: Final = "not archived and not blocked and knowledge_base_id is null and not embedding_pending"
"""Memories that are compared with others."""
CONSOLIDATION_DUE: Final = (
    "store = 'sensory' and consolidated_at is null "
    "or store = 'episodic' and access_count >= 3 and confidence >= 0.8 and strength >= 0.8"
)
"""With LIVE: sensory memories that no consolidation has processed, and memories to promote."""
LEAVING: Final = (
    "knowledge_base_id is null and case when archived then store = 'sensory' and archived_by = 'job' "
    "else strength < 0.1 or store = 'sensory' and consolidated_at is not null "
    "or store = 'procedural' and category = 'workflow' end"
)
"""Memories that the clean-up may archive or remove."""
MADE: Final = "source = 'inference' and source_memory_ids <> '{}'"
"""Derived memories and their successors, which are read when one of their sources is archived or edited."""
