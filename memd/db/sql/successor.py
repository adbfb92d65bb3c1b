"""Which memory has superseded a row, and which one it supersedes, as SQL."""


def successor(row: str) -> str:
    """The id of the memory that superseded this row of `memory`; NULL also once that memory is deleted permanently."""
    return (
        f"CASE WHEN EXISTS (SELECT FROM memory s WHERE s.user_id = %(user)s AND s.id = {row}.superseded_by_memory_id)"
        f" THEN {row}.superseded_by_memory_id END AS superseded_by_memory_id"
    )


def predecessor(row: str) -> str:
    """The id of the memory that this row of `memory` supersedes; NULL once that one is restored, or deleted permanently."""
    return (
        f"(SELECT o.id FROM memory o WHERE o.user_id = %(user)s AND o.id = {row}.supersedes_memory_id"
        f" AND o.superseded_by_memory_id = {row}.id) AS supersedes_memory_id"
    )
