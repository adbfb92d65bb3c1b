"""The tools that ask how people, projects and things hang together (contract 14)."""

from typing import Final

from memd.mcp.arguments import ALL_MOMENTS, WHERE
from memd.mcp.content import graph
from memd.mcp.declaration import Argument, Declaration

_ENTITY: Final = Argument("Name of a person, project or thing.")

WHO_OWNS: Final = Declaration(
    name="who_owns",
    title="Who owns it",
    endpoint="POST /api/mcp/graph/who-owns",
    hints="RI",
    description=("Find who owns something or is responsible for it, with the memories that say so."),
    arguments={"entity": _ENTITY, "limit": Argument("Up to 20."), **WHERE},
    unlisted=ALL_MOMENTS,
    required=("entity",),
    content=graph.owners,
)
EXPLAIN_CONNECTION: Final = Declaration(
    name="explain_connection",
    title="How two things are connected",
    endpoint="POST /api/mcp/graph/explain-connection",
    hints="RI",
    description=(
        "Find how two people, projects or things are connected, directly or through one other, with the memories that say so."
    ),
    arguments={"entityA": _ENTITY, "entityB": _ENTITY, **WHERE},
    unlisted=ALL_MOMENTS,
    required=("entityA", "entityB"),
    content=graph.connection,
)
DEPENDENCY_CHAIN: Final = Declaration(
    name="dependency_chain",
    title="What it depends on",
    endpoint="POST /api/mcp/graph/dependency-chain",
    hints="RI",
    description=("Follow what something depends on, step by step. Use it before you change or stop something."),
    arguments={"entity": _ENTITY, "maxDepth": Argument("1 to 5."), **WHERE},
    unlisted=ALL_MOMENTS,
    required=("entity",),
    content=graph.chain,
)
