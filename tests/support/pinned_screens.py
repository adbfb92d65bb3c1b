"""Screens of memtui pinned as text, at several sizes in one file."""

import re

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.types import SerializedData

Sizes = tuple[tuple[int, int], ...]
SHORT_SIZES: Sizes = ((80, 24), (120, 40))
SIZES: Sizes = ((80, 24), (100, 30), (120, 40), (200, 60))


class Screens(SingleFileSnapshotExtension):
    """One text file for each screen, with its sizes one below the other; those that were looked at are compared."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    def matches(self, *, serialized_data: SerializedData, snapshot_data: SerializedData) -> bool:
        pinned = pages_of(str(snapshot_data))
        return all(pinned.get(size) == page for size, page in pages_of(str(serialized_data)).items())


def pages_of(text: str) -> dict[str, str]:
    """The pages of a screen at each size."""
    _, *parts = re.split(r"^(\d+x\d+)$", text, flags=re.MULTILINE)
    return {size: page.strip("\n") for size, page in zip(parts[::2], parts[1::2], strict=True)}
