"""The import contracts see every file of every room, and there are no import cycles but pairs."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from grimp import ImportGraph, build_graph

from tests.shape.room_contract import ROUTES, SERVICE, STORE, TABLES, broken, layer_of

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return build_graph("memd", "memctl", "tui", cache_dir=None)


def cycles(graph: ImportGraph) -> Iterator[set[str]]:
    """Groups of modules that import each other, directly or through one another."""
    left = set(graph.modules)
    while left:
        module = left.pop()
        both = graph.find_upstream_modules(module) & graph.find_downstream_modules(module)
        left -= both
        if both:
            yield both | {module}


def test_the_contract_sees_every_file_of_a_room(graph: ImportGraph) -> None:
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "memd").rglob("*.py")
        if path.name != "__init__.py" and len(path.relative_to(ROOT).parts) > 2
    }
    assert files - graph.modules == set()
    assert {layer_of(file) for file in files} == {ROUTES, SERVICE, STORE, TABLES}
    assert [contract["name"] for contract in CONTRACTS["contracts"] if contract["type"] == "rooms"]


def test_the_contract_catches_what_it_forbids(graph: ImportGraph) -> None:
    faults = {
        ("memd.recall.service", "memd.memories.store"): "a store is private to its room",
        ("memd.recall.service", "memd.stats.routes"): "only routes and the composition root import routes",
        ("memd.recall.routes", "memd.recall.store"): "routes call services",
        ("memd.stats.tables", "memd.stats.service"): "tables import nothing but column types and enumerations",
        ("memd.stats.store", "memd.stats.service"): "a store knows no use case",
    }
    for (importer, imported), why in faults.items():
        graph.add_import(importer=importer, imported=imported)
        assert any(line.startswith(importer) and why in line for line in broken(graph)), why
        graph.remove_import(importer=importer, imported=imported)


def test_no_more_than_two_files_import_each_other(graph: ImportGraph) -> None:
    assert [sorted(group) for group in cycles(graph) if len(group) > 2] == []


def domain_rows() -> dict[str, int]:
    """Each package of memd/domain with the number of its row in the domain map, counted from the top."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = page.partition("## The domain\n")[2].partition("\n## ")[0]
    lines = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {package: row for row, names in enumerate(lines) for package in re.findall(r"`(\w+)`", names)}


def test_the_domain_map_names_every_package_above_those_that_it_imports(graph: ImportGraph) -> None:
    rows = domain_rows()
    packages = {path.parent.name for path in (ROOT / "memd" / "domain").glob("*/__init__.py")}
    assert set(rows) == packages
    upward = {
        (importer, imported)
        for module in graph.find_descendants("memd.domain")
        for other in graph.find_modules_directly_imported_by(module)
        if (importer := module.split(".")[2]) in packages
        and other.startswith("memd.domain.")
        and (imported := other.split(".")[2]) in packages
        and rows[importer] > rows[imported]
    }
    assert upward == set()
