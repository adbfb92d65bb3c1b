"""Which memory has superseded a row, as SQL."""


def successor(row: str) -> str:
    """The id of the memory that superseded this row of `memory`; NULL also once that memory is deleted permanently."""
    return (
        f"CASE WHEN EXISTS (SELECT FROM memory s WHERE s.user_id = %(user)s AND s.id = {row}.superseded_by_memory_id)"
        f" THEN {row}.superseded_by_memory_id END AS superseded_by_memory_id"
    )
