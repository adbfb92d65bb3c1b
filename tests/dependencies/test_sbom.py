"""`make sbom` writes a CycloneDX document with every package of requirements.lock."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.dependencies.tools import ROOT


def locked() -> dict[tuple[str, str], set[str]]:
    """The SHA-256 hashes of each name and version in the lock."""
    text = (ROOT / "requirements.lock").read_text()
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)
    heads = [(re.match(r"([a-z0-9-]+)==([^\s;]+)", entry), entry) for entry in entries]
    return {(head[1], head[2]): set(re.findall(r"sha256:([0-9a-f]{64})", entry)) for head, entry in heads if head}


def listed(sbom: dict[str, Any]) -> dict[tuple[str, str], set[str]]:
    """The same of the components of an SBOM."""
    return {
        (component["name"], component["version"]): {
            one["content"]
            for reference in component["externalReferences"]
            for one in reference.get("hashes", [])
            if one["alg"] == "SHA-256"
        }
        for component in sbom["components"]
    }


@pytest.mark.usefixtures("tools")
def test_every_locked_package_is_listed_with_its_version_and_hashes(tmp_path: Path) -> None:
    file = tmp_path / "sbom.json"
    subprocess.run(["make", "sbom", f"SBOM={file}"], cwd=ROOT, check=True, capture_output=True)
    sbom = json.loads(file.read_text())
    assert (sbom["bomFormat"], sbom["specVersion"]) == ("CycloneDX", "1.6")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    root = sbom["metadata"]["component"]
    assert (root["type"], root["name"], root["version"]) == ("application", project["name"], project["version"])
    packages = locked()
    assert len(packages) > 100
    assert all(packages.values())
    assert listed(sbom) == packages
