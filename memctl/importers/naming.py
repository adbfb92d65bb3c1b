"""Which folder the keys of an imported path are relative to, so that they are the same from every working directory.

The ledger remembers the folder of each path. A new path takes the repository that contains it, or else the folder that
holds it. Keys of imports before the ledger remembered folders are recognised.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from memctl.importers.ledger import Ledger
from memctl.importers.pruning import is_below
from memctl.importers.sources import name_of

REPOSITORIES = (".git", ".hg", ".jj")


def default_base(path: Path) -> Path:
    """The repository that contains a path, or else the folder that holds the path."""
    given = path.resolve()
    repositories = (each for each in (given, *given.parents) if any((each / mark).exists() for mark in REPOSITORIES))
    return next(repositories, given.parent)


def bases_of(paths: Sequence[str], ledger: Ledger) -> dict[str, Path]:
    """The folder for each path of an import that names none itself."""
    found: dict[str, Path] = {}
    for text in paths:
        given = Path(text).resolve()
        roots = ledger.roots | {str(Path(each).resolve()): str(base) for each, base in found.items()}
        taken = [name_of(Path(root), Path(root), Path(base)) for root, base in roots.items()]
        found[text] = _known(given, roots) or _recognised(given, ledger.entries, taken) or _free(given, taken)
    return found


def _known(given: Path, roots: Mapping[str, str]) -> Path | None:
    """The folder of this path, or of a path above or below it."""
    if str(given) in roots:
        return Path(roots[str(given)])
    for root, base in roots.items():
        related = given.is_relative_to(root) or Path(root).is_relative_to(given)
        if related and given.is_relative_to(base):
            return Path(base)
    return None


def _recognised(given: Path, keys: Iterable[str], taken: Sequence[str]) -> Path | None:
    """The folder with which keys that belong to no known path name files that are there below this one."""
    files = {key.partition("#")[0] for key in keys if not is_below(key, taken)}
    for base in (*reversed(given.parents), given):
        name = name_of(given, given, base)
        below = (base / file for file in files if name in {".", file} or file.startswith(f"{name}/"))
        if any(path.is_file() for path in below):
            return base
    return None


def _free(given: Path, taken: Sequence[str]) -> Path:
    """The usual folder, or one above it when another path has the same name already."""
    return next((base for base in _upwards(default_base(given)) if name_of(given, given, base) not in taken), Path("/"))


def _upwards(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.parents
