"""The pages for operators hold: the systemd unit is well-formed, and settings, links and make targets exist."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from memd.settings import Settings
from memd.system_service.units import STATE_DIR, SYSTEM_ENVIRONMENT, Service, systemd_unit

ROOT = Path(__file__).parents[2]
HARDENING = ROOT / "docs" / "hardening.md"
PAGES = [ROOT / "SECURITY.md", ROOT / "docs" / "threat-model.md", ROOT / "docs" / "trust-proofs.md", HARDENING]


def _unit() -> str:
    block = re.search(r"```ini\n(.*?)```", HARDENING.read_text(), re.DOTALL)
    assert block
    return block[1]


def test_the_unit_of_the_page_is_the_one_that_memd_installs() -> None:
    installed = systemd_unit(
        Service(Path("/opt/memd/.venv/bin/python"), STATE_DIR, (), SYSTEM_ENVIRONMENT, system=True)
    )
    differences = {line for line in {*_unit().splitlines()} ^ {*installed.splitlines()} if line[:1] not in {"", "#"}}
    assert {line.partition("=")[0] for line in differences} == {"ExecStart", "Environment"}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "memd.service"
    unit.write_text(_unit().replace("/opt/memd/.venv/bin/memd", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_existing_settings_files_and_targets(page: Path) -> None:
    text = page.read_text()
    settings = {f"MEMD_{name.upper()}" for name in Settings.model_fields} | {"MEMD_CONFIG"}
    assert set(re.findall(r"MEMD_[A-Z_]+", text)) <= settings
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    links += re.findall(r"`(tests/[\w/.]+)`", text)
    assert [link for link in links if not any((base / link).exists() for base in (page.parent, ROOT))] == []
    targets = re.findall(r"`make ([a-z-]+)`", text)
    assert [name for name in targets if f"\n{name}:" not in (ROOT / "Makefile").read_text()] == []
