"""The text that is embedded for a row."""

from memctl.wire.limits import EMBEDDED_MAX


def embedding_text(title: str, content: str) -> str:
    """Title and content of a memory or chunk, cut to the length that an embedder can use."""
    return f"{title}\n{content}"[:EMBEDDED_MAX]
