"""Every setting of the daemon, read once from the environment (`MEMD_*`) and an optional file."""

import os
import tomllib
from dataclasses import fields
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import platformdirs
from pydantic import Field, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from memctl.wire.limits import BODY_MAX_BYTES, IMPORT_BODY_MAX_BYTES, RECALL_LIMIT_DEFAULT, RECALL_LIMIT_MAX
from memd.addresses import IpAddresses, WebAddress
from memd.domain.dates.zone import UTC_ZONE
from memd.domain.ranking.messages import MessageWeights
from memd.domain.schedule.timetable import parse_when
from memd.domain.text_analysis.language import Language
from memd.domain.visibility.scoping import VisibilityRules
from memd.embed.providers.model_options import Pooling
from memd.json_setting import JsonObject
from memd.time_zone import NamedZone
from memd.tracing.endpoint import CollectorAddress

CommaSeparated: TypeAlias = Annotated[list[str], NoDecode]
"""A list that is comma-separated in the environment, not JSON."""


class SupersedeMode(StrEnum):
    """The treatment of a new memory that contradicts an older one (contract 17.5)."""

    OFF = "off"
    PROPOSE = "propose"
    AUTO = "auto"


class EmbedModel(StrEnum):
    """The embedders that come with memd, and any other behind an address."""

    MINILM = "minilm"
    WORDLLAMA = "wordllama"
    REMOTE = "remote"


def default_data_dir() -> Path:
    """The platform's user data folder; `/var/lib/memd` for root."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/memd")
    return Path(platformdirs.user_data_dir("memd", appauthor=False))


def _split(value: Any) -> Any:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


class Settings(BaseSettings):
    """One frozen value; environment beats file, file beats default. An empty variable is none."""

    model_config = SettingsConfigDict(env_prefix="MEMD_", env_ignore_empty=True, frozen=True, extra="ignore")

    data_dir: Path = Field(default_factory=default_data_dir, description="Folder of the embedded Postgres, models, key")
    database_url: str | None = Field(default=None, description="An outside Postgres instead of the embedded one")
    database_app_url: str | None = Field(
        default=None, description="Login of requests on the outside Postgres; needs database_system_url", repr=False
    )
    database_system_url: str | None = Field(
        default=None, description="Login of jobs and administration on the outside Postgres", repr=False
    )
    database_pool_url: str | None = Field(
        default=None, description="The same Postgres through a proxy that pools transactions, for requests", repr=False
    )
    database_pool_size: int = Field(default=12, ge=3, le=200, description="Connections for requests, by process")
    database_cache_mb: int | None = Field(
        default=None, ge=16, description="MB of buffer cache of the embedded Postgres; default: 128 to 4096, by memory"
    )
    vector_indexes: int = Field(
        default=50, ge=0, le=1000, description="Users with a vector index, those with the most memories; 0: none"
    )
    database_statement_timeout_s: float = Field(
        default=20, ge=0, description="Longest statement of a request; 0: no limit"
    )
    database_start_wait_s: float = Field(default=60, ge=0, description="Longest wait for a Postgres that is not up yet")
    database_job_timeout_s: float = Field(default=600, ge=0, description="Longest statement of a job; 0: no limit")
    host: str = Field(default="127.0.0.1", description="Address to listen on")
    port: int = Field(default=7377, ge=0, le=65535, description="Port to listen on")
    processes: Annotated[int, Field(ge=1, le=64)] | Literal["auto"] = Field(
        default=1, description="Processes that answer requests; auto: one less than processors"
    )
    workers: int = Field(
        default=1, ge=0, le=8, description="Processes for background jobs in addition to those of requests"
    )
    workers_off: bool = Field(default=False, description="Accept and queue jobs, but run none")
    log_level: str = Field(default="info", description="debug, info, warning or error")
    otel_endpoint: CollectorAddress | None = Field(default=None, description="OTLP/HTTP collector that gets traces")
    webhook_private_addresses: bool = Field(default=False, description="Deliver to webhooks at private addresses too")
    base_url: WebAddress | None = Field(default=None, description="Public address, for links in device sign-in")
    cors_origins: CommaSeparated = Field(default=list[str](), description="Origins that browsers may call from")
    allowed_hosts: CommaSeparated = Field(
        default=list[str](),
        description="Host names besides loopback and base_url; *: any, the default unless on loopback",
    )
    trusted_proxies: IpAddresses = Field(default=list[str](), description="Proxies whose forwarded headers are trusted")
    visibility_peer_capable: CommaSeparated = Field(
        default=["peer-*", "*-coach"], description="Patterns of peer-capable channel prefixes"
    )
    visibility_kb_peer_strict: bool = Field(default=True, description="Guard knowledge bases of peers")
    kb_default_agent: str = Field(default="main", description="Agent that is tried without agent and channel")
    kb_require_chunk_title: bool = Field(default=True, description="Refuse chunks without metadata.title on import")
    recall_default_limit: int = Field(
        default=RECALL_LIMIT_DEFAULT, ge=1, le=RECALL_LIMIT_MAX, description="Rows of a recall that names no limit"
    )
    supersede_mode: SupersedeMode = Field(
        default=SupersedeMode.PROPOSE,
        description="Memories that contradict older ones: off, propose (list them), auto (supersede when certain)",
    )
    recall_evidence_weight: float = Field(
        default=4, ge=0, le=100, description="Weight of the evidence in rankScore; 0 ranks by the base alone"
    )
    recall_rerank_weight: float = Field(
        default=1, ge=0, le=100, description="Weight of the cross-encoder's score in the rankScore of recall"
    )

    http_max_body_bytes: int = Field(default=BODY_MAX_BYTES, ge=1024, description="Largest request body")
    http_max_import_bytes: int = Field(
        default=IMPORT_BODY_MAX_BYTES, ge=1024, description="Largest body of import and bulk-insert"
    )
    http_max_header_bytes: int = Field(default=64 * 1024, ge=1024, description="Largest header block of a request")
    http_header_timeout_s: float = Field(default=10, gt=0, description="Longest wait for the header of a request")
    http_body_timeout_s: float = Field(default=20, gt=0, description="Longest wait for a body, plus 1 s per 16 KiB")
    http_write_timeout_s: float = Field(default=30, gt=0, description="Longest wait for a client that does not read")
    http_request_timeout_s: float = Field(default=30, gt=0, description="Longest run of a request")
    http_import_timeout_s: float = Field(default=120, gt=0, description="Longest run of an import")
    limits_queue_wait_s: float = Field(default=5, ge=0, description="Longest wait for a concurrency slot")
    limits_max_in_flight: int = Field(default=400, ge=1, description="Concurrent requests of all users; more get 503")
    limits_max_running: int = Field(default=32, ge=1, description="Concurrent requests of an unlimited user")
    limits_storage: str = Field(default="memory://", description="Where credits are counted; redis:// for replicas")

    embed_model: EmbedModel | Path = Field(
        default=EmbedModel.MINILM, description="minilm, wordllama, remote, or the path of a model folder"
    )
    embed_url: str | None = Field(default=None, description="OpenAI-compatible address of the remote embedder")
    embed_name: str | None = Field(default=None, description="Model name at the remote embedder")
    embed_key: str | None = Field(default=None, description="Key of the remote embedder", repr=False)
    embed_dimensions: int | None = Field(
        default=None, ge=1, le=16_000, description="Dimensions of the remote embedder; default: asked of it at start"
    )
    embed_timeout_s: float = Field(default=10, gt=0, description="Longest wait for one embedding")
    embed_query_timeout_s: float = Field(
        default=1, gt=0, description="Longest wait of a search for the remote embedder; then it is full-text only"
    )
    embed_pooling: Pooling | None = Field(
        default=None, description="Pooling of a model folder: mean, cls or last; default: as its files say"
    )
    embed_query_prefix: str | None = Field(
        default=None, description="Prefix of queries for a model folder or remote model; default: as its files say"
    )
    embed_document_prefix: str | None = Field(
        default=None, description="Prefix of stored texts for a model folder or remote model; default: as its files say"
    )
    embed_max_tokens: int | None = Field(
        default=None,
        ge=8,
        le=32_768,
        description="Tokens of a text that a model folder reads; default: as its files say, at most 512",
    )
    embed_threads: int = Field(default=0, ge=0, description="Threads for bulk embedding; 0 = one per core, at most 4")
    rerank_model: Path | None = Field(
        default=None, description="Folder of a local cross-encoder that scores the first rows of a recall again"
    )
    text_search_config: Language = Field(
        default=Language.ENGLISH, description="Language assumed for undecided texts in Latin script"
    )

    llm_url: str | None = Field(default=None, description="OpenAI-compatible chat address; default: no model")
    llm_model: str | None = Field(default=None, description="Model name at the chat address")
    llm_key: str | None = Field(default=None, description="Key of the chat address", repr=False)
    llm_calls_per_hour: int = Field(
        default=120, ge=0, description="Extractions, and reflections, by the chat model per metered user and hour"
    )
    moderation_url: str | None = Field(default=None, description="Moderation endpoint in addition to local rules")
    moderation_key: str | None = Field(default=None, description="Key of the moderation endpoint", repr=False)
    policy_dir: Path | None = Field(default=None, description="Folder of further content policy rules")

    jwt_secret: str | None = Field(default=None, description="HS256 secret for JWT on recall", repr=False)
    jwt_jwks: str | None = Field(default=None, description="JWKS file or URL for JWT on recall")
    jwt_issuer: str | None = Field(default=None, description="Expected iss")
    jwt_audience: str | None = Field(default=None, description="Expected aud")
    jwt_algorithms: CommaSeparated = Field(default=list[str](), description="Accepted algorithms")
    jwt_subjects: JsonObject[str] = Field(default=dict[str, str](), description="JSON object: sub to user id")

    message_weights: JsonObject[float] = Field(
        default=dict[str, float](), description="JSON object: weights of the components of message search"
    )
    time_zone: NamedZone = Field(default=UTC_ZONE, description="IANA name; its days are those that texts name")
    message_ttl_days: int = Field(default=365, ge=1, description="Message TTL of unmetered users")
    session_quiet_minutes: int = Field(default=30, ge=1, description="Quiet time after which a session is snapshotted")
    extraction_delay_s: float = Field(default=120, ge=0, description="Wait between a turn and its extraction")
    junk_per_run: int = Field(default=0, ge=0, description="Junk per user that a run archives; 0: none")
    keys_max_lifetime_days: int = Field(
        default=0, ge=0, description="Longest lifetime of new API keys in days; 0 sets no limit"
    )
    history_versions: int = Field(
        default=100, ge=2, description="Earlier versions kept of each memory; a new one replaces the oldest"
    )
    audit_retention_days: int = Field(default=365, ge=0, description="Days that audit entries are kept; 0: forever")
    schedule: JsonObject[str] = Field(
        default=dict[str, str](), description="JSON object: scheduled job to seconds, HH:MM (UTC) or off"
    )

    @field_validator(
        "visibility_peer_capable", "cors_origins", "allowed_hosts", "trusted_proxies", "jwt_algorithms", mode="before"
    )
    @classmethod
    def split_lists(cls, value: Any) -> Any:
        """Lists are comma-separated in the environment."""
        return _split(value)

    @field_validator("embed_model", mode="before")
    @classmethod
    def choose_model(cls, value: Any) -> Any:
        """A name of a model, or a path; a bare word that is neither is a typing error."""
        if not isinstance(value, str) or value in set(EmbedModel):
            return value
        if os.sep in value or value.startswith((".", "~")):
            return Path(value).expanduser()
        raise ValueError(
            f"there is no model {value}: use minilm, wordllama, remote, or the path of a folder with tokenizer.json "
            "and model.onnx"
        )

    @field_validator("message_weights")
    @classmethod
    def check_weights(cls, value: dict[str, float]) -> dict[str, float]:
        """Every name must be a component of message search, and the weights must be valid together."""
        if unknown := value.keys() - {part.name for part in fields(MessageWeights)}:
            raise ValueError(f"no component is named {', '.join(sorted(unknown))}")
        MessageWeights(**value)
        return value

    @field_validator("schedule")
    @classmethod
    def check_times(cls, value: dict[str, str]) -> dict[str, str]:
        """Every time must be valid; the schedule itself checks the names of jobs."""
        for text in value.values():
            if text != "off":
                parse_when(text)
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then environment, then the TOML file named by `MEMD_CONFIG`."""
        del dotenv_settings, file_secret_settings
        path = os.environ.get("MEMD_CONFIG")
        file = (TomlConfigSettingsSource(settings_cls, toml_file=Path(path)),) if path else ()
        return (init_settings, env_settings, *file)

    @property
    def worker_count(self) -> int:
        """How many worker processes `memd serve` starts."""
        return 0 if self.workers_off else self.workers

    @cached_property
    def visibility(self) -> VisibilityRules:
        """The rules of section 10 as the domain takes them."""
        return VisibilityRules(
            peer_capable=tuple(self.visibility_peer_capable),
            kb_peer_strict=self.visibility_kb_peer_strict,
            default_agent=self.kb_default_agent,
        )

    @cached_property
    def weights_of_messages(self) -> MessageWeights:
        """The weights of message search as the domain takes them."""
        return MessageWeights(**self.message_weights)


def unknown_names() -> list[str]:
    """`MEMD_*` variables, and names in the file, that are not settings; a warning at start, never a failure."""
    known = {f"MEMD_{name.upper()}" for name in Settings.model_fields} | {"MEMD_CONFIG", "MEMD_EVAL_DIR"}
    variables = sorted(name for name in os.environ if name.startswith("MEMD_") and name.upper() not in known)
    path = os.environ.get("MEMD_CONFIG")
    if not path:
        return variables
    named = tomllib.loads(Path(path).read_text("utf-8"))
    return variables + [f"{name} in {path}" for name in named if name not in Settings.model_fields]
