"""The import contract of rooms: every file of every room is in one layer, which its name shows.

`routes.py`, `*_routes.py` and `pages.py` are routes; `store.py`, `*_store.py` and `insertion.py` are stores; `tables.py`
is tables; every other file is service: use cases and the values they work with. `lint-imports` runs it (pyproject.toml).
"""

from collections.abc import Iterator
from typing import Final

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

ROUTES, SERVICE, STORE, TABLES = "routes", "service", "store", "tables"
BELOW_TABLES: Final = ("memd.db.", "memd.domain.")


def layer_of(module: str) -> str:
    """The layer of a module of a room."""
    name = module.rpartition(".")[2]
    if name in {"routes", "pages"} or name.endswith("_routes"):
        return ROUTES
    if name in {"store", "insertion"} or name.endswith("_store"):
        return STORE
    return TABLES if name == "tables" else SERVICE


def room_of(module: str) -> str:
    """The package of the room that a module belongs to."""
    return ".".join(module.split(".")[:2])


class RoomContract(Contract):
    """Routes call services, services call stores; a store is private to its room and knows no use case."""

    type_name = "rooms"
    allowed = fields.SetField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every import of every file of every room."""
        del verbose
        allowed: set[str] = set(self.allowed or ())
        found = [line for line in broken(graph) if line.partition(":")[0] not in allowed]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print what is wrong, one import a line."""
        for line in check.metadata["found"]:
            output.print_error(line)


def broken(graph: ImportGraph) -> Iterator[str]:
    """`importer -> imported: why` for each import against the rules."""
    modules = sorted(module for module in graph.modules if module.startswith("memd."))
    rooms = {module for module in modules if module.count(".") > 1}
    for module in modules:
        for imported in sorted(graph.find_modules_directly_imported_by(module)):
            why = _fault(module, imported) if imported in rooms else None
            if why:
                yield f"{module} -> {imported}: {why}"
        if module in rooms and layer_of(module) == STORE and graph.chain_exists(module, "memd.context"):
            chain = " -> ".join(graph.find_shortest_chain(module, "memd.context") or ())
            yield f"{module} -> memd.context: a store knows no use case ({chain})"


def _fault(module: str, imported: str) -> str | None:
    """Why a module may not import a module of a room; None if it may."""
    inside = module.count(".") > 1
    upper, lower = layer_of(module) if inside else None, layer_of(imported)
    if lower == STORE and room_of(module) != room_of(imported):
        return "a store is private to its room"
    if lower == ROUTES and upper in {SERVICE, STORE, TABLES}:
        return "only routes and the composition root import routes"
    if upper == ROUTES and lower in {STORE, TABLES}:
        return "routes call services"
    if upper == TABLES and lower != TABLES and not imported.startswith(BELOW_TABLES):
        return "tables import nothing but column types and enumerations"
    return None
