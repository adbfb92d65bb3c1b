"""Fields and warnings about the period of a memory (contract 17.5)."""


def left_out(start_ms: int | None, end_ms: int | None, now_ms: int, *, first: str, last: str) -> str:
    """A warning that recall leaves out a memory that has ended or not begun; empty for one that is true now.

    `first` and `last` name the first and the last day of the period.
    """
    if end_ms is not None and end_ms <= now_ms:
        return f"recall leaves it out: it ended on {last}"
    if start_ms is not None and start_ms > now_ms:
        return f"recall leaves it out before {first}"
    return ""
