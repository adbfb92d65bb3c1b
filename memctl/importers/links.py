"""Symbolic links in the folders that an import reads."""

from pathlib import Path


def leaves(path: Path, folder: Path) -> bool:
    """Whether a path below a folder is a link, or lies behind one, to something outside of that folder."""
    try:
        return not path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a link to itself
        return True
