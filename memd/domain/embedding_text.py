"""The text that is embedded for a row."""

from typing import Final

EMBEDDED_CHARACTERS: Final = 8_000


def embedding_text(title: str, content: str) -> str:
    """Title and content of a memory or chunk, cut to what an embedder can use."""
    return f"{title}\n{content}"[:EMBEDDED_CHARACTERS]
