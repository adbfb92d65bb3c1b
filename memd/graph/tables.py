"""The graph: nodes, relations and their links to memories (contract 4, 11.10)."""

from uuid import UUID

from sqlalchemy import Column, Index
from sqlalchemy.dialects.postgresql import DOUBLE_PRECISION
from sqlmodel import Field

from memd.db.schema.base import Table, id_column, ms_column, texts_column, user_column, uuid_column, uuids_column


class GraphNode(Table, table=True):
    """An entity that memories speak of."""

    __tablename__ = "graph_node"
    __table_args__ = (Index("ux_graph_node_key", "user_id", "canonical_key", unique=True),)

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    label: str
    node_type: str
    alias: list[str] = Field(sa_column=texts_column("alias"))
    canonical_key: str
    description: str = Field(sa_column_kwargs={"server_default": ""})
    strength: float = Field(sa_column=Column("strength", DOUBLE_PRECISION, nullable=False))
    confidence: float = Field(sa_column=Column("confidence", DOUBLE_PRECISION, nullable=False))
    tags: list[str] = Field(sa_column=texts_column("tags"))
    source_memory_ids: list[UUID] = Field(sa_column=uuids_column("source_memory_ids"))
    status: str = Field(sa_column_kwargs={"server_default": "active"})
    created_at: int = Field(sa_column=ms_column("created_at"))
    updated_at: int = Field(sa_column=ms_column("updated_at"))


class GraphRelation(Table, table=True):
    """A typed edge with the memories that are its evidence."""

    __tablename__ = "graph_relation"
    __table_args__ = (
        Index("ux_graph_relation", "user_id", "from_node_id", "to_node_id", "relation_type", unique=True),
        Index("ix_graph_relation_to", "user_id", "to_node_id"),
    )

    user_id: UUID = Field(sa_column=user_column())
    id: UUID = Field(sa_column=id_column())
    from_node_id: UUID = Field(sa_column=uuid_column("from_node_id", nullable=False))
    to_node_id: UUID = Field(sa_column=uuid_column("to_node_id", nullable=False))
    relation_type: str
    weight: float = Field(sa_column=Column("weight", DOUBLE_PRECISION, nullable=False))
    confidence: float = Field(sa_column=Column("confidence", DOUBLE_PRECISION, nullable=False))
    evidence_memory_ids: list[UUID] = Field(sa_column=uuids_column("evidence_memory_ids"))
    channels: list[str] = Field(sa_column=texts_column("channels"))
    created_at: int = Field(sa_column=ms_column("created_at"))
    updated_at: int = Field(sa_column=ms_column("updated_at"))


class MemoryNode(Table, table=True):
    """The link of a memory to a node that it mentions."""

    __tablename__ = "memory_node"
    __table_args__ = (Index("ix_memory_node_recent", "user_id", "node_id", "memory_id"),)

    user_id: UUID = Field(sa_column=user_column())
    memory_id: UUID = Field(sa_column=id_column("memory_id"))
    node_id: UUID = Field(sa_column=id_column("node_id"))
    role: str
    link_confidence: float = Field(sa_column=Column("link_confidence", DOUBLE_PRECISION, nullable=False))
    created_at: int = Field(sa_column=ms_column("created_at"))
