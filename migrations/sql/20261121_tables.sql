-- Every table and index of the first release.

CREATE TABLE api_key (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  key_hash VARCHAR NOT NULL,
  label VARCHAR,
  scopes TEXT[] DEFAULT '{}' NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  active BOOLEAN DEFAULT 'true' NOT NULL,
  expires_at BIGINT,
  CONSTRAINT pk_api_key PRIMARY KEY (user_id, id)
);

CREATE UNIQUE INDEX ux_api_key_hash ON api_key (key_hash);

CREATE TABLE app_user (
  user_id UUID NOT NULL,
  name VARCHAR,
  tier VARCHAR NOT NULL,
  policy VARCHAR,
  admin BOOLEAN DEFAULT 'false' NOT NULL,
  active BOOLEAN DEFAULT 'true' NOT NULL,
  created_at BIGINT NOT NULL,
  CONSTRAINT pk_app_user PRIMARY KEY (user_id)
);


CREATE TABLE association (
  user_id UUID NOT NULL,
  from_memory_id UUID NOT NULL,
  to_memory_id UUID NOT NULL,
  relationship_type VARCHAR NOT NULL,
  weight REAL NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CONSTRAINT pk_association PRIMARY KEY (user_id, from_memory_id, to_memory_id, relationship_type)
);

CREATE INDEX ix_association_to ON association (user_id, to_memory_id);

CREATE TABLE audit_row (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  key_id UUID,
  action VARCHAR NOT NULL,
  ts BIGINT NOT NULL,
  target_type VARCHAR,
  target_id VARCHAR,
  request_id VARCHAR NOT NULL,
  meta JSON,
  CONSTRAINT pk_audit_row PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_audit_row_ts ON audit_row (user_id, ts);

CREATE TABLE checkpoint (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  label VARCHAR NOT NULL,
  description VARCHAR,
  created_at BIGINT NOT NULL,
  created_by VARCHAR NOT NULL,
  channel VARCHAR,
  session_key VARCHAR,
  semantic_summary VARCHAR,
  tags TEXT[] DEFAULT '{}' NOT NULL,
  memory_snapshot JSON,
  memory_count INTEGER DEFAULT '0' NOT NULL,
  CONSTRAINT pk_checkpoint PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_checkpoint_created ON checkpoint (user_id, created_at, id);

CREATE TABLE device_request (
  device_code_hash VARCHAR NOT NULL,
  user_code_hash VARCHAR NOT NULL,
  status VARCHAR NOT NULL,
  client_name VARCHAR,
  client_address VARCHAR NOT NULL,
  user_id UUID,
  scopes TEXT[] DEFAULT '{}' NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  last_poll_at BIGINT,
  paid_until BIGINT NOT NULL,
  interval INTEGER NOT NULL,
  CONSTRAINT pk_device_request PRIMARY KEY (device_code_hash)
);

CREATE INDEX ix_device_request_expiry ON device_request (expires_at);
CREATE UNIQUE INDEX ux_device_request_user_code ON device_request (user_code_hash);

CREATE TABLE device_session (
  token_hash VARCHAR NOT NULL,
  key_hash VARCHAR NOT NULL,
  expires_at BIGINT NOT NULL,
  CONSTRAINT pk_device_session PRIMARY KEY (token_hash)
);

CREATE INDEX ix_device_session_expiry ON device_session (expires_at);

CREATE TABLE embedding_model (
  id SMALLINT NOT NULL,
  name VARCHAR NOT NULL,
  dimensions INTEGER NOT NULL,
  current BOOLEAN NOT NULL,
  CONSTRAINT pk_embedding_model PRIMARY KEY (id),
  CONSTRAINT uq_embedding_model_name UNIQUE (name)
);


CREATE TABLE embedding_use (
  user_id UUID NOT NULL,
  day INTEGER NOT NULL,
  calls INTEGER DEFAULT '0' NOT NULL,
  background_calls INTEGER DEFAULT '0' NOT NULL,
  CONSTRAINT pk_embedding_use PRIMARY KEY (user_id, day)
);


CREATE TABLE graph_node (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  label VARCHAR NOT NULL,
  node_type VARCHAR NOT NULL,
  alias TEXT[] DEFAULT '{}' NOT NULL,
  canonical_key VARCHAR NOT NULL,
  description VARCHAR DEFAULT '' NOT NULL,
  strength REAL NOT NULL,
  confidence REAL NOT NULL,
  tags TEXT[] DEFAULT '{}' NOT NULL,
  source_memory_ids UUID[] DEFAULT '{}' NOT NULL,
  status VARCHAR DEFAULT 'active' NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CONSTRAINT pk_graph_node PRIMARY KEY (user_id, id)
);

CREATE UNIQUE INDEX ux_graph_node_key ON graph_node (user_id, canonical_key);

CREATE TABLE graph_relation (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  from_node_id UUID NOT NULL,
  to_node_id UUID NOT NULL,
  relation_type VARCHAR NOT NULL,
  weight REAL NOT NULL,
  confidence REAL NOT NULL,
  evidence_memory_ids UUID[] DEFAULT '{}' NOT NULL,
  channels TEXT[] DEFAULT '{}' NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CONSTRAINT pk_graph_relation PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_graph_relation_to ON graph_relation (user_id, to_node_id);
CREATE UNIQUE INDEX ux_graph_relation ON graph_relation (user_id, from_node_id, to_node_id, relation_type);

CREATE TABLE import_run (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  knowledge_base_id UUID NOT NULL,
  counts JSON,
  rejected JSON,
  created_at BIGINT NOT NULL,
  CONSTRAINT pk_import_run PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_import_run_kb ON import_run (user_id, knowledge_base_id);

CREATE TABLE knowledge_base (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  name VARCHAR NOT NULL,
  description VARCHAR,
  agent_ids TEXT[] DEFAULT '{}' NOT NULL,
  scope VARCHAR,
  peer_scope_policy VARCHAR NOT NULL,
  source_type VARCHAR,
  source_role VARCHAR,
  metadata JSON,
  archived BOOLEAN DEFAULT 'false' NOT NULL,
  archived_at BIGINT,
  memory_count INTEGER DEFAULT '0' NOT NULL,
  total_chars BIGINT DEFAULT '0' NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CONSTRAINT pk_knowledge_base PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_knowledge_base_updated ON knowledge_base (user_id, updated_at, id);

CREATE TABLE memory (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  title VARCHAR NOT NULL,
  content VARCHAR NOT NULL,
  recall_text VARCHAR,
  store VARCHAR NOT NULL,
  category VARCHAR NOT NULL,
  tags TEXT[] DEFAULT '{}' NOT NULL,
  metadata JSON,
  channel VARCHAR,
  agent_id VARCHAR,
  project_id VARCHAR,
  session_key VARCHAR,
  source VARCHAR NOT NULL,
  strength REAL NOT NULL,
  confidence REAL NOT NULL,
  valence REAL NOT NULL,
  arousal REAL NOT NULL,
  salience_score REAL,
  access_count INTEGER DEFAULT '0' NOT NULL,
  last_accessed_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  archived BOOLEAN DEFAULT 'false' NOT NULL,
  archived_at BIGINT,
  archived_by VARCHAR,
  supersedes_memory_id UUID,
  superseded_by_memory_id UUID,
  superseded_at BIGINT,
  action_triggers TEXT[] DEFAULT '{}' NOT NULL,
  source_snapshot_id UUID,
  source_message_ids UUID[] DEFAULT '{}' NOT NULL,
  knowledge_base_id UUID,
  dedupe_key VARCHAR,
  chunk_kind VARCHAR DEFAULT 'content' NOT NULL,
  source_url VARCHAR,
  source_type VARCHAR,
  chunk_index INTEGER,
  total_chunks INTEGER,
  import_id UUID,
  content_hash VARCHAR NOT NULL,
  embedding_pending BOOLEAN DEFAULT 'true' NOT NULL,
  policy_version VARCHAR DEFAULT '' NOT NULL,
  policy_flags TEXT[] DEFAULT '{}' NOT NULL,
  blocked BOOLEAN DEFAULT 'false' NOT NULL,
  graph_enriched BOOLEAN DEFAULT 'false' NOT NULL,
  graph_enriched_at BIGINT,
  promoted_from UUID,
  checkpoint_id UUID,
  consolidated_at BIGINT,
  associated_at BIGINT,
  CONSTRAINT pk_memory PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_memory_accessed ON memory (user_id, last_accessed_at) WHERE not archived and knowledge_base_id is null;
CREATE INDEX ix_memory_channel ON memory (user_id, channel, last_accessed_at) WHERE not archived and knowledge_base_id is null;
CREATE INDEX ix_memory_chunks ON memory (user_id, knowledge_base_id, created_at, id) WHERE knowledge_base_id is not null;
CREATE INDEX ix_memory_created ON memory (user_id, created_at, id) WHERE not archived;
CREATE INDEX ix_memory_decision ON memory (user_id, created_at) WHERE not archived and category = 'decision';
CREATE INDEX ix_memory_goal ON memory (user_id, last_accessed_at) WHERE not archived and (store = 'prospective' or category = 'goal');
CREATE INDEX ix_memory_guardrail ON memory (user_id, strength, last_accessed_at) WHERE not archived and (category = 'lesson' or category = 'rule');
CREATE INDEX ix_memory_hash ON memory (user_id, content_hash) WHERE not archived and knowledge_base_id is null;
CREATE INDEX ix_memory_pending ON memory (user_id, id) WHERE embedding_pending and not archived;
CREATE INDEX ix_memory_session ON memory (user_id, session_key) WHERE session_key is not null;
CREATE INDEX ix_memory_unenriched ON memory (user_id, id) WHERE not graph_enriched and not archived and knowledge_base_id is null;
CREATE UNIQUE INDEX ux_memory_chunk_key ON memory (user_id, knowledge_base_id, dedupe_key) WHERE not archived and knowledge_base_id is not null and dedupe_key is not null;

CREATE TABLE memory_index (
  user_id UUID NOT NULL,
  memory_id UUID NOT NULL,
  live BOOLEAN NOT NULL,
  knowledge_base_id UUID,
  channel VARCHAR,
  store VARCHAR NOT NULL,
  category VARCHAR NOT NULL,
  project_id VARCHAR,
  config BOOLEAN NOT NULL,
  tags TEXT[] DEFAULT '{}' NOT NULL,
  created_at BIGINT NOT NULL,
  length INTEGER NOT NULL,
  tsv TSVECTOR NOT NULL,
  CONSTRAINT pk_memory_index PRIMARY KEY (user_id, memory_id)
);

CREATE INDEX ix_memory_index_channel ON memory_index (user_id, knowledge_base_id, channel, created_at) WHERE live;
CREATE INDEX ix_memory_index_recent ON memory_index (user_id, created_at) WHERE live and knowledge_base_id is null;
CREATE INDEX ix_memory_index_text ON memory_index USING gin (tsv);

CREATE TABLE memory_node (
  user_id UUID NOT NULL,
  memory_id UUID NOT NULL,
  node_id UUID NOT NULL,
  role VARCHAR NOT NULL,
  link_confidence REAL NOT NULL,
  created_at BIGINT NOT NULL,
  CONSTRAINT pk_memory_node PRIMARY KEY (user_id, memory_id, node_id)
);

CREATE INDEX ix_memory_node_node ON memory_node (user_id, node_id);

CREATE TABLE memory_vector (
  user_id UUID NOT NULL,
  memory_id UUID NOT NULL,
  model SMALLINT NOT NULL,
  live BOOLEAN NOT NULL,
  knowledge_base_id UUID,
  channel VARCHAR,
  store VARCHAR NOT NULL,
  category VARCHAR NOT NULL,
  project_id VARCHAR,
  config BOOLEAN NOT NULL,
  embedding HALFVEC NOT NULL,
  CONSTRAINT pk_memory_vector PRIMARY KEY (user_id, memory_id, model)
);

CREATE INDEX ix_memory_vector_channel ON memory_vector (user_id, model, knowledge_base_id, channel) WHERE live;

CREATE TABLE message (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  role VARCHAR NOT NULL,
  content VARCHAR NOT NULL,
  truncated BOOLEAN DEFAULT 'false' NOT NULL,
  speaker VARCHAR,
  channel VARCHAR,
  session_key VARCHAR,
  turn_id VARCHAR,
  turn_message_index INTEGER,
  timestamp BIGINT NOT NULL,
  client_timestamp BOOLEAN DEFAULT 'false' NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  embedding_pending BOOLEAN DEFAULT 'true' NOT NULL,
  metadata JSON,
  agent_id VARCHAR,
  project_id VARCHAR,
  content_hash VARCHAR NOT NULL,
  extracted_at BIGINT,
  extraction_skipped_reason VARCHAR,
  CONSTRAINT pk_message PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_message_channel ON message (user_id, channel, timestamp, id);
CREATE INDEX ix_message_expiry ON message (user_id, expires_at);
CREATE INDEX ix_message_hash ON message (user_id, content_hash, created_at);
CREATE INDEX ix_message_pending ON message (user_id, id) WHERE embedding_pending;
CREATE INDEX ix_message_session ON message (user_id, session_key, timestamp, id);
CREATE INDEX ix_message_time ON message (user_id, timestamp, id);
CREATE INDEX ix_message_turn ON message (user_id, turn_id) WHERE turn_id is not null;
CREATE INDEX ix_message_unextracted ON message (user_id, created_at) WHERE extracted_at is null and extraction_skipped_reason is null;

CREATE TABLE message_index (
  user_id UUID NOT NULL,
  message_id UUID NOT NULL,
  channel VARCHAR,
  session_key VARCHAR,
  timestamp BIGINT NOT NULL,
  speaker VARCHAR,
  asks BOOLEAN NOT NULL,
  tsv TSVECTOR NOT NULL,
  CONSTRAINT pk_message_index PRIMARY KEY (user_id, message_id)
);

CREATE INDEX ix_message_index_scope ON message_index (user_id, channel, timestamp);
CREATE INDEX ix_message_index_session ON message_index (user_id, session_key, timestamp, message_id);
CREATE INDEX ix_message_index_text ON message_index USING gin (tsv);

CREATE TABLE message_vector (
  user_id UUID NOT NULL,
  message_id UUID NOT NULL,
  model SMALLINT NOT NULL,
  channel VARCHAR,
  session_key VARCHAR,
  timestamp BIGINT NOT NULL,
  embedding HALFVEC NOT NULL,
  CONSTRAINT pk_message_vector PRIMARY KEY (user_id, message_id, model)
);

CREATE INDEX ix_message_vector_channel ON message_vector (user_id, model, channel, timestamp);

CREATE TABLE metric_row (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  kind VARCHAR NOT NULL,
  session_key VARCHAR,
  channel VARCHAR,
  payload JSON,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  CONSTRAINT pk_metric_row PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_metric_row_expiry ON metric_row (user_id, expires_at);
CREATE INDEX ix_metric_row_kind ON metric_row (user_id, kind, created_at);

CREATE TABLE recall_activity (
  user_id UUID NOT NULL,
  memory_id UUID NOT NULL,
  request_id UUID NOT NULL,
  at BIGINT NOT NULL,
  source VARCHAR NOT NULL,
  CONSTRAINT pk_recall_activity PRIMARY KEY (user_id, memory_id, request_id)
);


CREATE TABLE schedule_run (
  name VARCHAR NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  ok BOOLEAN,
  result JSON,
  CONSTRAINT pk_schedule_run PRIMARY KEY (name, started_at)
);

CREATE INDEX ix_schedule_run_name ON schedule_run (name, started_at);

CREATE TABLE service_fact (
  name VARCHAR NOT NULL,
  value JSON,
  CONSTRAINT pk_service_fact PRIMARY KEY (name)
);


CREATE TABLE session (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  channel VARCHAR,
  session_key VARCHAR,
  started_at BIGINT NOT NULL,
  last_active_at BIGINT NOT NULL,
  message_count INTEGER DEFAULT '0' NOT NULL,
  memory_count INTEGER DEFAULT '0' NOT NULL,
  summary VARCHAR,
  participants TEXT[] DEFAULT '{}' NOT NULL,
  CONSTRAINT pk_session PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_session_channel ON session (user_id, channel, last_active_at);

CREATE TABLE snapshot (
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  session_key VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  messages JSON,
  message_count INTEGER NOT NULL,
  total_tokens INTEGER NOT NULL,
  reason VARCHAR NOT NULL,
  created_at BIGINT NOT NULL,
  CONSTRAINT pk_snapshot PRIMARY KEY (user_id, id)
);

CREATE INDEX ix_snapshot_session ON snapshot (user_id, session_key, created_at);

CREATE TABLE totals (
  user_id UUID NOT NULL,
  active_memories INTEGER DEFAULT '0' NOT NULL,
  archived_memories INTEGER DEFAULT '0' NOT NULL,
  total_messages INTEGER DEFAULT '0' NOT NULL,
  last_capture BIGINT,
  updated_at BIGINT NOT NULL,
  CONSTRAINT pk_totals PRIMARY KEY (user_id)
);


CREATE TABLE trigger (
  user_id UUID NOT NULL,
  memory_id UUID NOT NULL,
  tool_name VARCHAR NOT NULL,
  created_at BIGINT NOT NULL,
  CONSTRAINT pk_trigger PRIMARY KEY (user_id, memory_id, tool_name)
);

CREATE INDEX ix_trigger_tool ON trigger (user_id, tool_name, memory_id);

CREATE TABLE turn (
  user_id UUID NOT NULL,
  turn_id VARCHAR NOT NULL,
  session_key VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  message_ids UUID[] DEFAULT '{}' NOT NULL,
  created_at BIGINT NOT NULL,
  extraction_job_id BIGINT,
  CONSTRAINT pk_turn PRIMARY KEY (user_id, turn_id)
);
