"""Enumerations of the wire (contract section 3); free of any import so that the pure domain may share them."""

from enum import StrEnum


class Store(StrEnum):
    """The kind of memory a row belongs to."""

    SENSORY = "sensory"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    PROSPECTIVE = "prospective"


class Category(StrEnum):
    """The kind of content of a memory."""

    DECISION = "decision"
    LESSON = "lesson"
    FACT = "fact"
    RULE = "rule"
    EVENT = "event"
    GOAL = "goal"
    PERSON = "person"
    SKILL = "skill"
    WORKFLOW = "workflow"
    CONVERSATION = "conversation"


class HistoryAction(StrEnum):
    """The action that made a version of a memory (contract 17.5)."""

    CAPTURE = "capture"
    IMPORT = "import"
    EXTRACT = "extract"
    DERIVE = "derive"
    UPDATE = "update"
    SUPERSEDE = "supersede"
    ARCHIVE = "archive"
    RESTORE = "restore"
    UNDO = "undo"


class MemorySource(StrEnum):
    """Where a memory came from; `conversation` is made by extraction only."""

    EXTERNAL = "external"
    CRON = "cron"
    OBSERVATION = "observation"
    INFERENCE = "inference"
    CONVERSATION = "conversation"


class MessageRole(StrEnum):
    """Who spoke a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class ChunkKind(StrEnum):
    """Whether a chunk is prose to recall or configuration to leave out of recall."""

    CONTENT = "content"
    CONFIG = "config"


class SourceRole(StrEnum):
    """The part a knowledge base plays for ranking (contract 11.3)."""

    CANONICAL_REFERENCE = "canonical_reference"
    CLIENT_CONTEXT = "client_context"
    VOICE_STYLE = "voice_style"
    PERSONA_GUARDRAIL = "persona_guardrail"
    MESSAGE_HISTORY = "message_history"
    PROJECT_CONTEXT = "project_context"
    USER_PREFERENCE = "user_preference"
    UNKNOWN = "unknown"


class PeerScopePolicy(StrEnum):
    """How a peer-guarded knowledge base treats other peers."""

    STRICT = "strict"
    PERMISSIVE = "permissive"


class RecallMode(StrEnum):
    """A preset of stores and categories for recall."""

    GENERAL = "general"
    DECISION = "decision"
    PROJECT = "project"
    PEOPLE = "people"
    WORKFLOW = "workflow"
    CONVERSATION = "conversation"


class RecallSection(StrEnum):
    """A part of what a recall returns."""

    MEMORIES = "memories"
    MESSAGES = "messages"
    KNOWLEDGE = "knowledge"


class Order(StrEnum):
    """The order of recent messages."""

    CHRONOLOGICAL = "chronological"
    NEWEST = "newest"


class Tier(StrEnum):
    """The plan of a user."""

    FREE = "free"
    STARTER = "starter"
    PRO = "pro"
    ULTRA = "ultra"
    UNLIMITED = "unlimited"


class Policy(StrEnum):
    """A capacity policy; it overrides the tier when a user has one."""

    MANAGED_FREE = "managed_free"
    MANAGED_STARTER = "managed_starter"
    MANAGED_PRO = "managed_pro"
    MANAGED_ULTRA = "managed_ultra"
    MANAGED_UNLIMITED = "managed_unlimited"
    SELF_HOSTED_UNMETERED = "self_hosted_unmetered"


class KeyScope(StrEnum):
    """A right of an API key; each scope counts by itself (contract 1.6.6, 17.7)."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
    KEYS = "keys"
    ACT_AS = "act_as"


class NodeType(StrEnum):
    """The type of a graph node."""

    PERSON = "person"
    PROJECT = "project"
    GOAL = "goal"
    DECISION = "decision"
    CONCEPT = "concept"
    TOOL = "tool"
    EVENT = "event"
    RESOURCE = "resource"
    CHANNEL = "channel"


class NodeStatus(StrEnum):
    """Whether a graph node is in use."""

    ACTIVE = "active"
    DEPRECATED = "deprecated"


class RelationType(StrEnum):
    """The type of a graph relation."""

    MENTIONS = "mentions"
    DECIDED_IN = "decided_in"
    LEADS_TO = "leads_to"
    DEPENDS_ON = "depends_on"
    OWNS = "owns"
    USES = "uses"
    CONFLICTS_WITH = "conflicts_with"
    SUPPORTS = "supports"
    OCCURS_WITH = "occurs_with"
    ASSIGNED_TO = "assigned_to"


class LinkRole(StrEnum):
    """The part a node plays in a memory."""

    SUBJECT = "subject"
    OBJECT = "object"
    TOPIC = "topic"


class AssociationType(StrEnum):
    """How one memory relates to another."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    DERIVES_FROM = "derives_from"
    CO_OCCURRED = "co_occurred"
    GENERALIZES = "generalizes"
    PRECEDES = "precedes"


class DegradationCode(StrEnum):
    """Why an answer is not the full one."""

    EMBEDDING_UNAVAILABLE = "embedding_unavailable"
    EMBEDDING_CAP_EXCEEDED = "embedding_cap_exceeded"
    VECTOR_SEARCH_FAILED = "vector_search_failed"
    TEXT_SEARCH_FAILED = "text_search_failed"
    KB_RETRIEVAL_DEGRADED = "kb_retrieval_degraded"
    PARTIAL_BACKEND_FAILURE = "partial_backend_failure"


class Fallback(StrEnum):
    """The substitute for the vector lane when it could not serve the retrieval."""

    NONE = "none"
    LEXICAL_ONLY = "lexical_only"
    INDEXED_FILL = "indexed_fill"
    LEXICAL_AND_INDEXED = "lexical_and_indexed"


class DeviceStatus(StrEnum):
    """The state of a device authorization."""

    PENDING = "pending"
    COMPLETE = "complete"
    DENIED = "denied"
    EXPIRED = "expired"


class BlockReason(StrEnum):
    """The four reasons of the content policy."""

    PERSONAL_INFO_EXPOSURE = "personal_info_exposure"
    ILLEGAL_ACTIVITY = "illegal_activity"
    VIOLENT_CONTENT = "violent_content"
    COPYRIGHT_VIOLATION = "copyright_violation"


class LagKind(StrEnum):
    """The background work that rows wait for: their vector, the graph, or a job of their own."""

    EMBED_MEMORY = "embed_memory"
    EMBED_MESSAGE = "embed_message"
    GRAPH = "graph"
    EXTRACTION = "extraction"
    REFLECTION = "reflection"
    KB_DELETION = "kb_deletion"
    ERASURE = "erasure"
