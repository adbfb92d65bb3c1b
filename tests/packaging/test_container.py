"""The Containerfile and the compose file name what exists: files, settings, health check."""

import re
from pathlib import Path

import pytest
import yaml

from memd.settings import Settings
from tests.packaging.conftest import ROOT

FOLDER = ROOT / "docs" / "container"
CONTAINERFILE = (FOLDER / "Containerfile").read_text()
SETTINGS = {f"MEMD_{name.upper()}" for name in Settings.model_fields}


def copied() -> list[str]:
    lines = re.findall(r"^COPY (?!--from)(.+)$", CONTAINERFILE, re.MULTILINE)
    return [word for line in lines for word in line.split()[:-1]]


def test_every_copied_file_exists_and_is_part_of_the_build_context() -> None:
    allowed = {line[1:] for line in (FOLDER / "Containerfile.dockerignore").read_text().split() if line[0] == "!"}
    assert set(copied()) == allowed
    assert [name for name in copied() if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("file", ["Containerfile", "compose.yaml"])
def test_every_setting_exists(file: str) -> None:
    named = set(re.findall(r"\bMEMD_[A-Z_]+", (FOLDER / file).read_text()))
    assert named
    assert named <= SETTINGS


def test_compose_runs_memd_on_the_database_of_the_same_file() -> None:
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    memd = services["memd"]
    assert (
        f"@postgres:5432/{services['postgres']['environment']['POSTGRES_DB']}"
        in memd["environment"]["MEMD_DATABASE_URL"]
    )
    assert all(port.startswith("127.0.0.1:") for port in memd["ports"])
    build = memd["build"]
    assert (FOLDER / build["context"] / build["dockerfile"]).resolve() == (FOLDER / "Containerfile").resolve()
    assert Path(memd["volumes"][0].partition(":")[2]) == Path("/data")
