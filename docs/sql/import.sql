-- What one import of chunks sends to Postgres (contract 8.4)
-- Written by tests/memd/db/test_hot_sql.py. Paste a statement and its variables into psql, after this:
SET memd.user_id = '01920000-0000-7000-8000-000000000001';

-- write_page (memd/knowledge_bases/imports/page.py): Insert or replace the rows of a page; 404 or 409 when the knowledge base is gone or archived.
\set jobs '[{"kind": "graph_enrich", "payload": {"of": "chunks"}, "once": "graph:chunks:01920000-0000-7000-8000-000000000001", "alone": "graph:chunks:01920000-0000-7000-8000-000000000001", "delay_ms": 0, "priority": -1}]'
SELECT memd_add_own_jobs(:'jobs');

-- write_page (memd/knowledge_bases/imports/page.py): Insert or replace the rows of a page; 404 or 409 when the knowledge base is gone or archived.
\set names '{graph:chunks:01920000-0000-7000-8000-000000000001}'
SELECT pg_advisory_xact_lock_shared(hashtextextended('queueing:' || name, 4)) FROM unnest(:'names'::text[]) AS name;

-- find (memd/knowledge_bases/store.py): One knowledge base of the user, archived ones too; who may read its chunks is decided from the row.
\set user '01920000-0000-7000-8000-000000000001'
\set id '01920000-0000-7000-8000-000000000001'
SELECT id, name, description, agent_ids, scope, peer_scope_policy, source_type, source_role, metadata, archived, archived_at, memory_count, total_chars, created_at, updated_at FROM knowledge_base WHERE user_id = :'user' AND id = :'id';

-- insert_run (memd/knowledge_bases/store.py): Record the outcome of an import.
\set user_id '01920000-0000-7000-8000-000000000001'
\set id '01920000-0000-7000-8000-000000000001'
\set knowledge_base_id '01920000-0000-7000-8000-000000000001'
\set counts '{"imported": 2, "updated": 0, "pending": 0}'
\set rejected '[]'
\set created_at '1790000000000'
INSERT INTO import_run (user_id, id, knowledge_base_id, counts, rejected, created_at) VALUES (:'user_id'::UUID, :'id'::UUID, :'knowledge_base_id'::UUID, :'counts'::JSON, :'rejected'::JSON, :'created_at'::BIGINT);

-- insert_run (memd/knowledge_bases/store.py): Record the outcome of an import.
\set writer '01920000-0000-7000-8000-000000000001'
SELECT memd_admit_writer(:'writer');

-- keyed_chunks (memd/knowledge_bases/store.py): The active chunks with these dedupeKeys.
\set user '01920000-0000-7000-8000-000000000001'
\set base '01920000-0000-7000-8000-000000000001'
\set keys '{"Which release is blocked by the freeze?"}'
SELECT id, dedupe_key, length(content) AS size, tags, channel, source_url, source_type, chunk_index,
       total_chunks
FROM memory
WHERE user_id = :'user' AND knowledge_base_id = :'base' AND dedupe_key = ANY(:'keys') AND NOT archived;

-- keyed_vectors (memd/knowledge_bases/store.py): The active chunks with these dedupeKeys that a model has embedded as they are now.
\set user '01920000-0000-7000-8000-000000000001'
\set model '1'
\set base '01920000-0000-7000-8000-000000000001'
\set keys '{"Which release is blocked by the freeze?"}'
SELECT m.dedupe_key, m.title, m.content, v.embedding
FROM memory m JOIN memory_vector v ON v.user_id = :'user' AND v.memory_id = m.id AND v.model = :'model'
WHERE m.user_id = :'user' AND m.knowledge_base_id = :'base' AND m.dedupe_key = ANY(:'keys')
  AND NOT m.archived AND NOT m.embedding_pending;

-- lock (memd/knowledge_bases/store.py): As `find`, and writers of its chunks are serialized until the transaction ends.
\set user '01920000-0000-7000-8000-000000000001'
\set id '01920000-0000-7000-8000-000000000001'
SELECT id, name, description, agent_ids, scope, peer_scope_policy, source_type, source_role, metadata, archived, archived_at, memory_count, total_chars, created_at, updated_at FROM knowledge_base WHERE user_id = :'user' AND id = :'id' FOR UPDATE;

-- lock (memd/knowledge_bases/store.py): As `find`, and writers of its chunks are serialized until the transaction ends.
\set writer '01920000-0000-7000-8000-000000000001'
SELECT memd_admit_writer(:'writer');

-- move_counters (memd/knowledge_bases/store.py): Add to the counters.
\set chunks '2'
\set characters '85'
\set now '1790000000000'
\set user '01920000-0000-7000-8000-000000000001'
\set id '01920000-0000-7000-8000-000000000001'
UPDATE knowledge_base
SET memory_count = greatest(0, memory_count + :'chunks'),
    total_chars = greatest(0, total_chars + :'characters'), updated_at = :'now'
WHERE user_id = :'user' AND id = :'id';

-- insert_memories (memd/memories/insertion.py): Insert the rows with their lexemes, vectors and triggers, in one round trip.
\set embedded '{01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001}'
\set rows '[{"id": "01920000000070008000000000000001", "title": "On Which release is blocked by the freeze?", "content": "Which release is blocked by the freeze?", "recall_text": "release is blocked by freeze?", "store": "semantic", "category": "fact", "tags": [], "source": "external", "strength": 1.0, "confidence": 1.0, "valence": 0.0, "arousal": 0.0, "salience_score": 0.685, "created_at": 1790000000000, "action_triggers": [], "source_message_ids": [], "source_memory_ids": [], "knowledge_base_id": "01920000000070008000000000000001", "dedupe_key": "Which release is blocked by the freeze?", "chunk_kind": "content", "import_id": "01920000000070008000000000000001", "content_hash": "01920000000070008000000000000001", "policy_version": "0", "policy_flags": [], "created_by": "01920000000070008000000000000001", "created_request": "01920000000070008000000000000001"}, {"id": "01920000000070008000000000000001", "title": "On Which release is blocked by the freeze? ", "content": "Which release is blocked by the freeze? Again.", "recall_text": "release is blocked by freeze? Again.", "store": "semantic", "category": "fact", "tags": [], "source": "external", "strength": 1.0, "confidence": 1.0, "valence": 0.0, "arousal": 0.0, "salience_score": 0.6900000000000001, "created_at": 1790000000000, "action_triggers": [], "source_message_ids": [], "source_memory_ids": [], "knowledge_base_id": "01920000000070008000000000000001", "chunk_kind": "content", "import_id": "01920000000070008000000000000001", "content_hash": "01920000000070008000000000000001", "policy_version": "0", "policy_flags": [], "created_by": "01920000000070008000000000000001", "created_request": "01920000000070008000000000000001"}]'
\set user '01920000-0000-7000-8000-000000000001'
INSERT INTO memory (user_id, id, title, content, recall_text, store, category, tags, metadata, channel, agent_id, project_id, session_key, namespace, key, source, strength, confidence, valence, arousal, salience_score, created_at, last_accessed_at, supersedes_memory_id, action_triggers, source_snapshot_id, source_message_ids, source_memory_ids, knowledge_base_id, dedupe_key, chunk_kind, source_url, source_type, chunk_index, total_chunks, import_id, content_hash, promoted_from, policy_version, policy_flags, created_by, created_request, valid_from, valid_until, updated_at, embedding_pending)
SELECT own.user_id, id, title, content, recall_text, store, category, tags, metadata, channel, agent_id, project_id, session_key, namespace, key, source, strength, confidence, valence, arousal, salience_score, created_at, coalesce(last_accessed_at, created_at), supersedes_memory_id, action_triggers, source_snapshot_id, source_message_ids, source_memory_ids, knowledge_base_id, dedupe_key, chunk_kind, source_url, source_type, chunk_index, total_chunks, import_id, content_hash, promoted_from, policy_version, policy_flags, created_by, created_request, valid_from, valid_until, created_at, id <> ALL(:'embedded'::uuid[])
FROM totals own CROSS JOIN json_to_recordset(:'rows'::json) AS s(id uuid, title text, content text, recall_text text, store text, category text, tags text[], metadata json, channel text, agent_id text, project_id text, session_key text, namespace text, key text, source text, strength float8, confidence float8, valence float8, arousal float8, salience_score float8, created_at int8, last_accessed_at int8, supersedes_memory_id uuid, action_triggers text[], source_snapshot_id uuid, source_message_ids uuid[], source_memory_ids uuid[], knowledge_base_id uuid, dedupe_key text, chunk_kind text, source_url text, source_type text, chunk_index int4, total_chunks int4, import_id uuid, content_hash text, promoted_from uuid, policy_version text, policy_flags text[], created_by uuid, created_request uuid, valid_from int8, valid_until int8) WHERE own.user_id = :'user';

-- insert_memories (memd/memories/insertion.py): Insert the rows with their lexemes, vectors and triggers, in one round trip.
\set model '1'
\set rows '[{"id": "01920000000070008000000000000001", "knowledge_base_id": "01920000000070008000000000000001", "store": "semantic", "category": "fact", "chunk_kind": "content"}, {"id": "01920000000070008000000000000001", "knowledge_base_id": "01920000000070008000000000000001", "store": "semantic", "category": "fact", "chunk_kind": "content"}]'
SELECT array_agg(embedding)::text AS vectors FROM (SELECT embedding FROM memory_vector LIMIT 2) stored \gset
\set user '01920000-0000-7000-8000-000000000001'
INSERT INTO memory_vector (user_id, model, memory_id, live, knowledge_base_id, channel, store, category, project_id,
                           config, valid_from, valid_until, embedding)
SELECT own.user_id, :'model', id, true, knowledge_base_id, channel, store, category, project_id,
       chunk_kind = 'config', valid_from, valid_until, embedding
FROM totals own CROSS JOIN
     ROWS FROM (json_to_recordset(:'rows'::json) AS (id uuid, knowledge_base_id uuid, channel text, store text, category text, project_id text, chunk_kind text, valid_from int8, valid_until int8),
                unnest(:'vectors'::halfvec[])) AS s(id, knowledge_base_id, channel, store, category, project_id, chunk_kind, valid_from, valid_until, embedding)
WHERE own.user_id = :'user';

-- insert_memories (memd/memories/insertion.py): Insert the rows with their lexemes, vectors and triggers, in one round trip.
\set rows '[{"id": "01920000000070008000000000000001", "knowledge_base_id": "01920000000070008000000000000001", "store": "semantic", "category": "fact", "chunk_kind": "content", "tags": [], "created_at": 1790000000000, "import_id": "01920000000070008000000000000001", "length": 39}, {"id": "01920000000070008000000000000001", "knowledge_base_id": "01920000000070008000000000000001", "store": "semantic", "category": "fact", "chunk_kind": "content", "tags": [], "created_at": 1790000000000, "import_id": "01920000000070008000000000000001", "length": 46}]'
\set languages '{english,english}'
SELECT array_agg(tsv)::text AS texts FROM (SELECT tsv FROM memory_index LIMIT 2) stored \gset
\set user '01920000-0000-7000-8000-000000000001'
INSERT INTO memory_index (user_id, memory_id, live, knowledge_base_id, channel, store, category, project_id, config,
                          tags, created_at, length, language, tsv, index_version, source_key, chunk_index, valid_from,
                          valid_until)
SELECT own.user_id, id, true, knowledge_base_id, channel, store, category, project_id, chunk_kind = 'config',
       tags, created_at, length, language, tsv, 2,
       CASE WHEN knowledge_base_id IS NOT NULL AND chunk_index IS NOT NULL
            THEN memd_source_key(source_url, import_id) END,
       CASE WHEN knowledge_base_id IS NOT NULL THEN chunk_index END, valid_from, valid_until
FROM totals own CROSS JOIN
     ROWS FROM (json_to_recordset(:'rows'::json) AS (id uuid, knowledge_base_id uuid, channel text, store text, category text, project_id text, chunk_kind text, valid_from int8, valid_until int8, tags text[], created_at int8, source_url text, chunk_index int4, import_id uuid, length int4),
                unnest(:'languages'::text[]), unnest(:'texts'::tsvector[])) AS s(id, knowledge_base_id, channel, store, category, project_id, chunk_kind, valid_from, valid_until, tags, created_at, source_url, chunk_index, import_id, length, language, tsv)
WHERE own.user_id = :'user';

-- insert_memories (memd/memories/insertion.py): Insert the rows with their lexemes, vectors and triggers, in one round trip.
\set user '01920000-0000-7000-8000-000000000001'
\set now '1790000000000'
INSERT INTO totals (user_id, updated_at) VALUES (:'user', :'now') ON CONFLICT DO NOTHING;
