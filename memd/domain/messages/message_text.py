"""The texts of a message as it is indexed and as it is embedded (contract 11.4)."""

from memctl.wire.limits import EMBEDDED_MAX
from memd.domain.dates.calendar_day import day_text


def message_label(timestamp: int, speaker: str | None, role: str) -> str:
    """The label that is indexed with the content: `8 May 2023 Caroline` (the local day), else with the role."""
    return f"{day_text(timestamp)} {speaker or role}"


def message_embedding_text(speaker: str | None, role: str, content: str) -> str:
    """`Caroline: …`, cut to the length that an embedder can use: the date, which words can find, only blurs the meaning."""
    return f"{speaker or role}: {content[:EMBEDDED_MAX]}"
