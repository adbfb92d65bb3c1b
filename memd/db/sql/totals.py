"""The row of a user in `totals`, from which statements select when they insert records (decision 30)."""

from uuid import UUID


def ensuring_totals(user_id: UUID, now: int) -> tuple[str, dict[str, object]]:
    """The statement that adds the row of totals where the user has none yet."""
    return (
        "INSERT INTO totals (user_id, updated_at) VALUES (%(user)s, %(now)s) ON CONFLICT DO NOTHING",
        {"user": user_id, "now": now},
    )
