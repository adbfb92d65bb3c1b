"""The SQL of the neighbours of chunks: those beside them in the same source (contract 8.8)."""

from typing import Final

MAX_BESIDE: Final = 4
"""Neighbours of one chunk that are fetched; one place of a source may hold several chunks."""


def beside(seen: str) -> str:
    """The neighbours of the best chunks of each lane, by chunkIndex in the same source."""
    return f"""SELECT n.memory_id FROM (
          SELECT memory_id FROM near WHERE place <= %(best)s
          UNION SELECT memory_id FROM matching WHERE place <= %(best)s
        ) best
        JOIN memory_index p ON p.user_id = %(user)s AND p.memory_id = best.memory_id AND p.source_key IS NOT NULL
        CROSS JOIN LATERAL (
          SELECT i.memory_id FROM memory_index i
          WHERE i.user_id = %(user)s AND i.knowledge_base_id = p.knowledge_base_id AND i.source_key = p.source_key
            AND i.chunk_index = ANY(ARRAY[p.chunk_index - 1, p.chunk_index + 1]) AND {seen}
          ORDER BY i.memory_id LIMIT {MAX_BESIDE}
        ) n"""
