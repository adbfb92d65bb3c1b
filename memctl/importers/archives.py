"""Zip archives of other people: how much they may hold."""

import zipfile
from collections.abc import Iterable

from memctl.importers.sections import Unreadable

MAX_EXPANSION = 100
"""How many times its compressed size an archive may expand to; text reaches 20, a bomb 1,000."""
ALWAYS_ALLOWED = 32 * 2**20
"""Bytes that an archive may expand to, regardless of its compressed size."""


def check_expansion(members: Iterable[zipfile.ZipInfo]) -> None:
    """Unreadable when the members expand to far more than their size; none yields more than it declares."""
    sizes = [(member.file_size, member.compress_size) for member in members]
    expanded, compressed = sum(size for size, _ in sizes), sum(size for _, size in sizes)
    if expanded > max(ALWAYS_ALLOWED, MAX_EXPANSION * compressed):
        raise Unreadable(f"expands to {expanded / 2**20:,.0f} MiB, which is far more than its size")
