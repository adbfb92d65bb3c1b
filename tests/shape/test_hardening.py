"""The pages for operators hold: the systemd unit is well-formed, and settings, links and make targets exist."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from memd.settings import Settings

ROOT = Path(__file__).parents[2]
HARDENING = ROOT / "docs" / "hardening.md"
PAGES = [ROOT / "SECURITY.md", ROOT / "docs" / "threat-model.md", ROOT / "docs" / "trust-proofs.md", HARDENING]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    block = re.search(r"```ini\n(.*?)```", HARDENING.read_text(), re.DOTALL)
    assert block
    unit = tmp_path / "memd.service"
    unit.write_text(block[1].replace("/opt/memd/.venv/bin/memd", "/bin/true"))
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
