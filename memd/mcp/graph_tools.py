"""The tools that ask how people, projects and things hang together (contract 14)."""

from typing import Final

from memd.mcp import graph_texts as texts
from memd.mcp.arguments import WHERE
from memd.mcp.declaration import Argument, Declaration

_ENTITY: Final = Argument("The name of a person, project, tool or thing, as memories write it.")
_NAMED: Final = "Names must be known from memories; an unknown one gives an empty answer."

WHO_OWNS: Final = Declaration(
    name="who_owns",
    title="Who owns it",
    endpoint="POST /api/mcp/graph/who-owns",
    hints="RI",
    description=(
        "Find who owns something or is responsible for it, with the memories that say so. Use it to learn whom to ask. "
        f"{_NAMED}"
    ),
    arguments={"entity": _ENTITY, "limit": Argument("How many owners at most."), **WHERE},
    required=("entity",),
    text=texts.owners,
)
EXPLAIN_CONNECTION: Final = Declaration(
    name="explain_connection",
    title="How two things are connected",
    endpoint="POST /api/mcp/graph/explain-connection",
    hints="RI",
    description=(
        "Find how two people, projects or things are connected: directly or over one between them, up to five paths, "
        f"with the memories that say so. {_NAMED}"
    ),
    arguments={"entityA": _ENTITY, "entityB": _ENTITY, **WHERE},
    required=("entityA", "entityB"),
    text=texts.connection,
)
DEPENDENCY_CHAIN: Final = Declaration(
    name="dependency_chain",
    title="What it depends on",
    endpoint="POST /api/mcp/graph/dependency-chain",
    hints="RI",
    description=(
        "Follow what something depends on, step by step. Use it before you change or stop something. Tells when the "
        f"chain runs in a circle. {_NAMED}"
    ),
    arguments={"entity": _ENTITY, "maxDepth": Argument("How many steps to follow."), **WHERE},
    required=("entity",),
    text=texts.chain,
)
