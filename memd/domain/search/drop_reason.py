"""The reasons for which a recall leaves a candidate out, as `debug` shows them (contract 6.2)."""

from enum import StrEnum


class DropReason(StrEnum):
    """Why a candidate is not in the answer."""

    ARCHIVED = "archived"
    BLOCKED = "blocked"
    CONFIG_CHUNK = "config_chunk"
    CHANNEL = "channel"
    CATEGORY = "category"
    STORE = "store"
    TAGS = "tags"
    PROJECT = "project"
    NAMESPACE = "namespace"
    METADATA = "metadata"
    DUPLICATE = "duplicate"
    NEAR_DUPLICATE = "near_duplicate"
    EVIDENCE = "evidence"
    LIMIT = "limit"
    PEER_CHUNK = "peer_chunk"
