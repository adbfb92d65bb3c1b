"""When two texts count as the same: hashes for exact copies, keys for near duplicates."""

import hashlib
from typing import Final

NEAR_DUPLICATE_TITLE: Final = 8
NEAR_DUPLICATE_CONTENT: Final = 160


def canonical_content(content: str) -> str:
    """The content as it is hashed: CR LF → LF and trimmed, otherwise as given (contract 4)."""
    return content.replace("\r\n", "\n").strip()


def content_hash(content: str) -> str:
    """SHA-256 of the canonical content, 64 lower-case hex digits, without title and category (contract 4)."""
    return _sha256(canonical_content(content))


def exact_hash(content: str) -> str:
    """SHA-256 of the content as given, by which keyless chunks of one batch are duplicates (contract 8.4, rule 2)."""
    return _sha256(content)


def message_hash(role: str, content: str) -> str:
    """SHA-256 of role and canonical content, by which a message delivered twice is known (contract 7.5)."""
    return _sha256(f"{role}\n{canonical_content(content)}")


def near_duplicate_key(title: str, content: str) -> tuple[str, str] | None:
    """The key that near duplicates share (contract 11.1 step 8): the title and the first 160 characters of the content.

    None for a title under 8 or a content under 160 characters: such a row is a near duplicate of nothing.
    """
    if len(title) < NEAR_DUPLICATE_TITLE or len(content) < NEAR_DUPLICATE_CONTENT:
        return None
    return title, content[:NEAR_DUPLICATE_CONTENT]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
