"""The contents of the two wheels, and that an installed memd runs wherever it is started."""

import os
import subprocess
import sys
import tomllib
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

from memd.db.schema.upgrade import NEWEST
from tests.packaging.conftest import ROOT, Wheels


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def metadata(wheel: Path) -> dict[str, list[str]]:
    with zipfile.ZipFile(wheel) as archive:
        file = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        headers = HeaderParser().parsestr(archive.read(file).decode())
    return {name: headers.get_all(name, []) for name in headers.keys()}  # noqa: SIM118 - a Message has repeated keys


def tracked(*folders: str) -> set[str]:
    files = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name for name in files.split() if not name.startswith(("memctl/pyproject", "memctl/README"))}


def test_the_top_of_site_packages_gets_names_of_this_product_only(wheels: Wheels) -> None:
    tops = {name.split("/")[0] for name in names(wheels.server)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"memd", "memctl", "memtui"}
    tops = {name.split("/")[0] for name in names(wheels.client)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"memctl"}


def test_every_file_of_the_packages_is_in_the_wheel_and_nothing_else(wheels: Wheels) -> None:
    def installed(name: str) -> str:
        folder, _, rest = name.partition("/")
        return {"tui": "memtui/", "migrations": "memd/migrations/"}.get(folder, f"{folder}/") + rest

    inside = {name for name in names(wheels.server) if ".dist-info/" not in name}
    assert inside == {installed(name) for name in tracked("memd", "memctl", "tui", "migrations")}
    inside = {name for name in names(wheels.client) if ".dist-info/" not in name}
    assert inside == tracked("memctl") | {"memctl/LICENSE"}


def test_both_have_the_version_of_the_checkout_and_the_commands(wheels: Wheels) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for wheel, commands in ((wheels.server, ["memctl", "memd", "memtui"]), (wheels.client, ["memctl"])):
        assert metadata(wheel)["Version"] == [project["version"]]
        with zipfile.ZipFile(wheel) as archive:
            file = next(name for name in archive.namelist() if name.endswith("entry_points.txt"))
            lines = archive.read(file).decode().splitlines()
        assert sorted(line.split(" = ")[0] for line in lines if " = " in line) == commands


def test_every_requirement_of_the_client_is_one_of_the_whole_product(wheels: Wheels) -> None:
    def bare(wheel: Path) -> set[str]:
        return {line.split(";")[0].strip() for line in metadata(wheel)["Requires-Dist"]}

    # pydantic comes with pydantic-settings and sqlmodel, which set its version
    own = {"memd-client[cli]", "pydantic>=2.11"}
    assert bare(wheels.client) - own <= bare(wheels.server)


def run_installed(unpacked: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder with the unpacked wheel before everything else on its path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
    environment["PYTHONPATH"] = str(unpacked)
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A working directory with folders of the names that this repository has at its top."""
    for name in ("migrations", "tui", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise AssertionError('a stranger of the working directory')")
    return tmp_path


def test_the_installed_migrations_are_found_next_to_folders_of_the_same_name(unpacked: Path, foreign: Path) -> None:
    code = "import memd, memd.db.schema.migrate as m; print(memd.__file__, m.head())"
    done = run_installed(unpacked, foreign, "-c", code)
    assert done.stdout.split() == [str(unpacked / "memd" / "__init__.py"), NEWEST], done.stderr


@pytest.mark.parametrize("arguments", [["-m", "memtui"], ["-c", "from memctl.memtui import main; main()"]])
def test_memtui_starts_from_the_wheel(unpacked: Path, foreign: Path, arguments: list[str]) -> None:
    done = run_installed(unpacked, foreign, *arguments, "--help")
    assert done.returncode == 0, done.stderr
    assert "Browse, search and understand" in done.stdout


def test_every_screen_loads_from_the_wheel(unpacked: Path, foreign: Path) -> None:
    code = "from memtui.tabs import TABS, screen_of; print(*{screen_of(tab.target).__module__ for tab in TABS})"
    done = run_installed(unpacked, foreign, "-c", code)
    assert done.returncode == 0, done.stderr
    assert {name.split(".")[0] for name in done.stdout.split()} == {"memtui"}


def test_the_client_alone_says_what_it_lacks(wheels: Wheels, foreign: Path) -> None:
    alone = foreign / "alone"
    with zipfile.ZipFile(wheels.client) as archive:
        archive.extractall(alone)
    done = run_installed(alone, foreign, "-c", "from memctl.memtui import main; main([])")
    assert done.returncode == 1
    assert "pip install memd-server" in done.stderr
    without_click = (
        "import sys; sys.modules['click'] = None; import runpy; runpy.run_module('memctl', run_name='__main__')"
    )
    done = run_installed(alone, foreign, "-c", without_click)
    assert done.returncode == 1
    assert "pip install 'memd-client[cli]'" in done.stderr
