"""How many values a JSON text holds, before it is parsed: each of them takes far more memory than its bytes."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

MAX_VALUES: Final = 1_000_000
"""Values of a body: 10,000 chunks of an import with a hundred each."""
MAX_FIELD_VALUES: Final = 100_000
"""Values of a body without chunks: 10,000 messages of a snapshot with three fields each, and more."""
_BLOCK: Final = 1 << 20
_QUOTE, _BACKSLASH = ord('"'), ord("\\")
_BEGINS_A_VALUE: Final = b",[{"
"""Every value but the outermost comes after one of these, so their number outside of strings bounds that of values."""


def has_too_many_values(raw: bytes, limit: int = MAX_VALUES) -> bool:
    """Whether a JSON text has more than `limit` values; for text that is not JSON, either answer is possible.

    Linear in the length, in blocks of 1 MiB: Python's own scanners would hold the interpreter for seconds.
    """
    if sum(raw.count(byte) for byte in _BEGINS_A_VALUE) <= limit:
        return False
    values, in_string, is_escaped = 0, False, False
    for start in range(0, len(raw), _BLOCK):
        block = np.frombuffer(raw, np.uint8, count=min(_BLOCK, len(raw) - start), offset=start)
        quotes, is_escaped = _quotes(block, is_escaped=is_escaped)
        strings = (np.cumsum(quotes, dtype=np.int32) & 1).astype(bool) ^ in_string
        values += int(np.count_nonzero(np.isin(block, list(_BEGINS_A_VALUE)) & ~strings))
        in_string = bool(strings[-1])
        if values > limit:
            return True
    return False


def _quotes(block: NDArray[np.uint8], *, is_escaped: bool) -> tuple[NDArray[np.bool_], bool]:
    """Which bytes are quotes that begin or end a string, and whether the byte after the block is escaped.

    `is_escaped` says so of the first byte of the block. In a run of backslashes the first, third, ... one escapes.
    """
    quotes, backslashes = block == _QUOTE, block == _BACKSLASH
    if is_escaped:
        quotes[0] = backslashes[0] = False
    indexes = np.flatnonzero(backslashes)
    if not indexes.size:
        return quotes, False
    order = np.arange(indexes.size)
    starts = np.diff(indexes, prepend=indexes[0] - 2) != 1
    escaping = indexes[(order - np.maximum.accumulate(np.where(starts, order, 0))) % 2 == 0]
    escaped = escaping + 1
    quotes[escaped[escaped < block.size]] = False
    last: np.intp = escaping[-1]
    return quotes, bool(last == block.size - 1)
