"""When two texts count as the same: hashes for exact copies, keys for near duplicates, bigrams for look-alikes."""

import hashlib
from collections.abc import Set as AbstractSet
from typing import Final

NEAR_DUPLICATE_TITLE: Final = 8
NEAR_DUPLICATE_CONTENT: Final = 160
LOOK_ALIKE: Final = 0.85


def canonical_content(content: str) -> str:
    """The content as it is hashed: CR LF → LF and trimmed, otherwise as given (contract 4)."""
    return content.replace("\r\n", "\n").strip()


def content_hash(content: str) -> str:
    """SHA-256 of the canonical content, 64 lower-case hex digits; title and category are no part of it (contract 4)."""
    return _sha256(canonical_content(content))


def exact_hash(content: str) -> str:
    """SHA-256 of the content as given, by which keyless chunks of one batch are duplicates (contract 8.4, rule 2)."""
    return _sha256(content)


def message_hash(role: str, content: str) -> str:
    """SHA-256 of role and canonical content, by which a message delivered twice is known (contract 7.5)."""
    return _sha256(f"{role}\n{canonical_content(content)}")


def near_duplicate_key(title: str, content: str) -> tuple[str, str] | None:
    """What near duplicates share (contract 11.1 step 8): the title and the first 160 characters of the content.

    None for a title under 8 or a content under 160 characters: such a row is a near duplicate of nothing.
    """
    if len(title) < NEAR_DUPLICATE_TITLE or len(content) < NEAR_DUPLICATE_CONTENT:
        return None
    return title, content[:NEAR_DUPLICATE_CONTENT]


def bigrams(text: str) -> set[int]:
    """The distinct pairs of neighbouring characters, in lower case, each as the number that its UTF-32 bytes make.

    Numbers are read off several times as fast as pairs of characters are cut. A text of one character is its own bigram.
    """
    lowered = text.lower()
    if len(lowered) == 1:
        return {ord(lowered)}
    units = memoryview(lowered.encode("utf-32-le"))
    pairs = len(units) // 8 * 8
    found = set(units[:pairs].cast("Q"))
    found.update(units[4 : 4 + (len(units) - 4) // 8 * 8].cast("Q"))
    return found


def jaccard(left: AbstractSet[int], right: AbstractSet[int]) -> float:
    """Size of the intersection over size of the union, 0..1; two empty sets are alike (1)."""
    if not left and not right:
        return 1.0
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared)


def look_alike(left: AbstractSet[int], right: AbstractSet[int]) -> bool:
    """Whether two bigram sets are alike by the diversity rule, Jaccard ≥ 0.85 (contract 11.1 step 9).

    Sets of unlike sizes cannot be: their Jaccard is at most the smaller size over the larger.
    """
    small, large = sorted((len(left), len(right)))
    return (not large or small / large >= LOOK_ALIKE) and jaccard(left, right) >= LOOK_ALIKE


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
