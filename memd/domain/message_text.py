"""The text of a message as it is indexed and embedded (contract 11.4: "date speaker: content")."""

from datetime import UTC, datetime
from typing import Final

EMBEDDED_CHARACTERS: Final = 8_000


def message_body(timestamp: int, speaker: str | None, role: str, content: str) -> str:
    """`8 May 2023 Caroline: …` for a message of that day (UTC); the role stands in for a missing speaker."""
    day = datetime.fromtimestamp(timestamp / 1000, UTC)
    return f"{day.day} {day:%B %Y} {speaker or role}: {content}"
