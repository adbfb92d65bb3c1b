"""Wire types of a context: text for a prompt within a token budget (contract 17.3)."""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import AfterValidator

from memctl.wire.base import WireModel, absent
from memctl.wire.errors import Degradation
from memctl.wire.fields import Flag, Integer, KnowledgeBaseId, QueryText, ScopeText, unique_within
from memctl.wire.memories import ProjectId
from memctl.wire.moments import MomentFields

TOKEN_BUDGET_MIN: Final = 50
TOKEN_BUDGET_MAX: Final = 8_000
TOKEN_BUDGET_DEFAULT: Final = 1_000


class ContextSection(StrEnum):
    """A part of a context."""

    MEMORIES = "memories"
    MESSAGES = "messages"
    KNOWLEDGE = "knowledge"
    PROFILE = "profile"


class TokenCounter(StrEnum):
    """How tokens are counted: estimated for current chat models, or exactly by the tokenizer of the embedding model."""

    ESTIMATE = "estimate"
    WORDPIECE = "wordpiece"


class ContextKind(StrEnum):
    """The source of a line of a context; a fact has the id of the newest memory that states it."""

    FACT = "fact"
    MEMORY = "memory"
    MESSAGE = "message"
    CHUNK = "chunk"


def _or_all(sections: list[ContextSection]) -> list[ContextSection]:
    """An empty list means all sections, as in a recall."""
    return sections or list(ContextSection)


class ContextRequest(MomentFields):
    """POST /api/mcp/context; `knowledgeBaseIds` limits the knowledge section to these, `sections` the text to those named.

    Messages of the session `exceptSessionKey` are left out: the agent that asks still has them.
    """

    query: QueryText
    token_budget: Annotated[int, Integer(TOKEN_BUDGET_MIN, TOKEN_BUDGET_MAX)] = TOKEN_BUDGET_DEFAULT
    channel: ScopeText = None
    agent_id: ScopeText = None
    project_id: ProjectId | None = None
    knowledge_base_ids: Annotated[list[KnowledgeBaseId], AfterValidator(unique_within(100))] = []
    sections: Annotated[list[ContextSection], AfterValidator(_or_all)] = list(ContextSection)
    counter: TokenCounter = TokenCounter.ESTIMATE
    all_channels: Flag = False
    except_session_key: ScopeText = None


class IncludedLine(WireModel):
    """A row that is in the text, and the tokens of its line."""

    id: str
    kind: ContextKind
    tokens: int


class LeftOutLine(WireModel):
    """A relevant row that did not fit; relevance is within 0 and 1."""

    id: str
    kind: ContextKind
    relevance: float


class ContextReply(WireModel):
    """The text, its tokens by `counter`, and the rows in it and left out of it, both with the most relevant first."""

    text: str
    tokens: int
    counter: TokenCounter
    included: list[IncludedLine]
    left_out: list[LeftOutLine]
    nothing_relevant: bool
    degradation: Degradation | None = absent()
