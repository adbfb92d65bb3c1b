-- What one recall sends to Postgres (contract 11.1)
-- Written by tests/memd/db/test_hot_sql.py. Paste a statement and its variables into psql, after this:
SET memd.user_id = '01920000-0000-7000-8000-000000000001';

-- surroundings (memd/graph/service.py): The graph around the returned memories: ≤ 20 nodes, ≤ 40 edges, as the request may see them. One round trip.
\set user '01920000-0000-7000-8000-000000000001'
\set ids '{01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001}'
\set nodes '20'
SELECT g.id, g.label, g.node_type, g.confidence FROM (
    SELECT n.node_id, count(*) AS memories, max(n.link_confidence) AS confidence FROM memory_node n
    WHERE n.user_id = :'user' AND n.memory_id = ANY(:'ids')
    GROUP BY n.node_id ORDER BY memories DESC, confidence DESC, n.node_id LIMIT :'nodes'
) l
        JOIN graph_node g ON g.user_id = :'user' AND g.id = l.node_id
        ORDER BY l.memories DESC, l.confidence DESC, l.node_id;

-- surroundings (memd/graph/service.py): The graph around the returned memories: ≤ 20 nodes, ≤ 40 edges, as the request may see them. One round trip.
\set user '01920000-0000-7000-8000-000000000001'
\set ids '{01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001}'
\set nodes '20'
\set scope_all_but '\\A(?:[Pp][Ee][Ee][Rr]\\-[^:]*|[^:]*\\-[Cc][Oo][Aa][Cc][Hh])(?::|\\Z)|:[gG][rR][oO][uU][pP](?::|\\Z)'
\set base_0 '01920000-0000-7000-8000-000000000001'
\set chunks_0_all_but '\\A(?:[Pp][Ee][Ee][Rr]\\-[^:]*|[^:]*\\-[Cc][Oo][Aa][Cc][Hh])(?::|\\Z)'
\set valid_at '1790000000000'
\set proofs '12'
\set limit '40'
SELECT r.id, r.from_node_id, r.to_node_id, r.relation_type, r.weight, r.confidence, e.evidence
    FROM (SELECT r.* FROM graph_relation r WHERE r.user_id = :'user' AND r.from_node_id = ANY(ARRAY(SELECT node_id FROM (
    SELECT n.node_id, count(*) AS memories, max(n.link_confidence) AS confidence FROM memory_node n
    WHERE n.user_id = :'user' AND n.memory_id = ANY(:'ids')
    GROUP BY n.node_id ORDER BY memories DESC, confidence DESC, n.node_id LIMIT :'nodes'
) l))
    AND r.to_node_id = ANY(ARRAY(SELECT node_id FROM (
    SELECT n.node_id, count(*) AS memories, max(n.link_confidence) AS confidence FROM memory_node n
    WHERE n.user_id = :'user' AND n.memory_id = ANY(:'ids')
    GROUP BY n.node_id ORDER BY memories DESC, confidence DESC, n.node_id LIMIT :'nodes'
) l)) ORDER BY r.weight DESC, r.id) r
    CROSS JOIN LATERAL (
      SELECT array_agg(newest.memory_id ORDER BY newest.created_at DESC, newest.memory_id) AS evidence FROM (
        SELECT i.memory_id, i.created_at
        FROM (SELECT id FROM unnest(r.evidence_memory_ids) id ORDER BY id DESC) proof
        JOIN memory_index i ON i.user_id = :'user' AND i.memory_id = proof.id
        WHERE i.live AND ((i.knowledge_base_id IS NULL AND (i.channel IS NULL OR i.channel !~ :'scope_all_but')) OR (i.knowledge_base_id = :'base_0' AND (i.channel IS NULL OR i.channel !~ :'chunks_0_all_but'))) AND (i.valid_from IS NULL OR i.valid_from <= :'valid_at') AND (i.valid_until IS NULL OR i.valid_until > :'valid_at') ORDER BY proof.id DESC LIMIT :'proofs'
      ) newest
    ) e
    WHERE e.evidence IS NOT NULL
    ORDER BY r.weight DESC, r.id LIMIT :'limit';

-- fetch_chunks (memd/knowledge_bases/search/service.py): The stored rows of chunks of visible knowledge bases by id, and how many chunks each chunk rule withholds.
\set base_0 '01920000-0000-7000-8000-000000000001'
\set user '01920000-0000-7000-8000-000000000001'
\set kept_0_all_but '\\A(?:[Pp][Ee][Ee][Rr]\\-[^:]*|[^:]*\\-[Cc][Oo][Aa][Cc][Hh])(?::|\\Z)'
SELECT :'base_0'::uuid AS base_id, count(*) AS dropped FROM (
                SELECT FROM memory_index i WHERE i.user_id = :'user' AND i.live
                AND i.knowledge_base_id = :'base_0' AND i.channel IS NOT NULL AND NOT (i.channel IS NULL OR i.channel !~ :'kept_0_all_but')
                LIMIT 1000) hidden;

-- fetch_chunks (memd/knowledge_bases/search/service.py): The stored rows of chunks of visible knowledge bases by id, and how many chunks each chunk rule withholds.
\set user '01920000-0000-7000-8000-000000000001'
\set ids '{01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001}'
\set scope_all_but '\\A(?:[Pp][Ee][Ee][Rr]\\-[^:]*|[^:]*\\-[Cc][Oo][Aa][Cc][Hh])(?::|\\Z)|:[gG][rR][oO][uU][pP](?::|\\Z)'
\set base_0 '01920000-0000-7000-8000-000000000001'
\set chunks_0_all_but '\\A(?:[Pp][Ee][Ee][Rr]\\-[^:]*|[^:]*\\-[Cc][Oo][Aa][Cc][Hh])(?::|\\Z)'
SELECT 
m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.metadata::text AS metadata, m.channel,
m.project_id, m.strength, m.confidence, m.salience_score, m.access_count, m.last_accessed_at, m.created_at,
m.knowledge_base_id, m.dedupe_key, m.chunk_kind, m.source_url, m.source_type, m.chunk_index, m.total_chunks
 FROM memory m
        WHERE m.user_id = :'user' AND m.id = ANY(:'ids') AND NOT m.archived AND NOT m.blocked AND ((m.knowledge_base_id IS NULL AND (m.channel IS NULL OR m.channel !~ :'scope_all_but')) OR (m.knowledge_base_id = :'base_0' AND (m.channel IS NULL OR m.channel !~ :'chunks_0_all_but')));

-- find (memd/knowledge_bases/search/store.py): The best chunks of each lane and knowledge base, and the neighbours of the very best.
\set bases '{01920000-0000-7000-8000-000000000001}'
\set chunks '{2.0}'
\set averages '{30.0}'
\set term_0 '''releas'''
\set term_1 '''block'''
\set term_2 '''freez'' | ''froze'' | ''frozen'''
\set term_3 ''' '''
\set user '01920000-0000-7000-8000-000000000001'
\set owner '''u:01920000-0000-7000-8000-000000000001'''
\set searched '(''releas'') | (''block'') | (''freez'' | ''froze'' | ''frozen'')'
\set alike_0 '{01920000-0000-7000-8000-000000000001}'
\set alike_0_all_but '\\A(?:[Pp][Ee][Ee][Rr]\\-[^:]*|[^:]*\\-[Cc][Oo][Aa][Cc][Hh])(?::|\\Z)'
\set shares '{0.0,0.0,0.0,1e+300}'
\set depth '48'
SELECT embedding::text AS vector FROM memory_vector LIMIT 1 \gset
\set model '1'
\set form_0 '''releas'''
\set form_1 '''block'''
\set form_2 '''freez'''
\set form_3 '''froze'''
\set form_4 '''frozen'''
\set form_5 ''' '''
\set pair_0 '(''releas'') <1> (''block'') | (''releas'') <2> (''block'')'
\set pair_1 '(''block'') <1> (''freez'' | ''froze'' | ''frozen'') | (''block'') <2> (''freez'' | ''froze'' | ''frozen'') | (''block'') <3> (''freez'' | ''froze'' | ''frozen'')'
\set pair_2 ''' '''
\set pair_3 ''' '''
WITH base AS MATERIALIZED (SELECT * FROM unnest(:'bases'::uuid[], :'chunks'::float8[], :'averages'::float8[]) b (id, n, average)), hit AS MATERIALIZED (SELECT i.knowledge_base_id AS base_id, i.memory_id, i.length, ((i.tsv @@ :'term_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'term_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'term_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'term_3'::tsquery)::int::bigint << 3) AS words
    FROM memory_index i WHERE i.user_id = :'user' AND i.tsv @@ :'owner'::tsquery AND i.tsv @@ :'searched'::tsquery AND i.live AND NOT i.config AND ((i.knowledge_base_id = ANY(:'alike_0') AND (i.channel IS NULL OR i.channel !~ :'alike_0_all_but'))) AND true), amount AS MATERIALIZED (SELECT base_id, ARRAY[count(*) FILTER (WHERE words >> 0 & 1 = 1), count(*) FILTER (WHERE words >> 1 & 1 = 1), count(*) FILTER (WHERE words >> 2 & 1 = 1), count(*) FILTER (WHERE words >> 3 & 1 = 1)]::float8[] AS counted FROM hit GROUP BY base_id), known AS MATERIALIZED (SELECT b.id, b.n, b.average, ARRAY(SELECT greatest(count, share * b.n) FROM unnest(a.counted, :'shares'::float8[])
    WITH ORDINALITY word (count, share, place) ORDER BY place) AS df
    FROM base b JOIN amount a ON a.base_id = b.id), rarity AS MATERIALIZED (SELECT id, average, ARRAY(SELECT ln(1 + (greatest(n - df, 0) + 0.5) / (df + 0.5)) FROM unnest(df)
    WITH ORDINALITY word (df, place) ORDER BY place) AS idf FROM known), placed AS MATERIALIZED (SELECT memory_id, row_number() OVER (PARTITION BY base_id ORDER BY
      ((words >> 0 & 1) * idf[1] + (words >> 1 & 1) * idf[2] + (words >> 2 & 1) * idf[3] + (words >> 3 & 1) * idf[4]) / (1.54 + 0.36 * length / average) DESC, memory_id) AS place
    FROM hit JOIN rarity ON rarity.id = hit.base_id), matching AS MATERIALIZED (SELECT memory_id, place FROM placed WHERE place <= :'depth'), near AS MATERIALIZED (SELECT n.memory_id, row_number() OVER (PARTITION BY b.id ORDER BY n.distance) AS place
    FROM base b CROSS JOIN LATERAL (SELECT v.memory_id, v.embedding <=> :'vector' AS distance FROM memory_vector v WHERE v.user_id = :'user' AND v.model = :'model' AND v.knowledge_base_id = b.id AND v.live AND NOT v.config AND ((v.knowledge_base_id = ANY(:'alike_0') AND (v.channel IS NULL OR v.channel !~ :'alike_0_all_but'))) AND true ORDER BY distance LIMIT :'depth') n)
SELECT i.memory_id AS id, i.knowledge_base_id AS base_id, i.length, i.source_key, i.chunk_index, 1 - (v.embedding <=> :'vector') AS cosine,
       ARRAY[ts_rank('{1,1,1,1}', i.tsv, :'form_0'::tsquery), ts_rank('{1,1,1,1}', i.tsv, :'form_1'::tsquery), ts_rank('{1,1,1,1}', i.tsv, :'form_2'::tsquery), ts_rank('{1,1,1,1}', i.tsv, :'form_3'::tsquery), ts_rank('{1,1,1,1}', i.tsv, :'form_4'::tsquery), ts_rank('{1,1,1,1}', i.tsv, :'form_5'::tsquery)]::float8[] AS ranks, ((i.tsv @@ :'pair_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'pair_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'pair_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'pair_3'::tsquery)::int::bigint << 3) AS pairs,
       i.memory_id IN (SELECT memory_id FROM near) AS by_vector,
       i.memory_id IN (SELECT memory_id FROM matching) AS by_text,
       CASE WHEN row_number() OVER (PARTITION BY i.knowledge_base_id) = 1
            THEN (SELECT df FROM known WHERE known.id = i.knowledge_base_id) END AS frequencies
FROM memory_index i
LEFT JOIN memory_vector v ON v.user_id = :'user' AND v.memory_id = i.memory_id AND v.model = :'model'
WHERE i.user_id = :'user' AND i.memory_id = ANY(ARRAY(SELECT memory_id FROM near UNION SELECT memory_id FROM matching));

-- _ranked (memd/messages/search.py): Deeper pools rank behind shallower ones; those that the `known` messages came from are skipped.
\set term_0 '''releas'''
\set term_1 '''block'''
\set term_2 '''freez'' | ''froze'' | ''frozen'''
\set term_3 ''' '''
\set user '01920000-0000-7000-8000-000000000001'
\set owner '''u:01920000-0000-7000-8000-000000000001'''
\set searched '(''releas'') | (''block'') | (''freez'' | ''froze'' | ''frozen'')'
\set shares '{0.0,0.0,0.0,1e+300}'
\set phrase_query '(''releas'') & (''block'') & (''freez'' | ''froze'' | ''frozen'')'
\set phrase '{Which\\s+release\\s+is\\s+blocked\\s+by\\s+the\\s+freeze\\?}'
\set depth '40'
\set model '1'
SELECT embedding::text AS vector FROM memory_vector LIMIT 1 \gset
WITH hit AS MATERIALIZED (SELECT i.message_id, i.session_key, i.timestamp, ((i.tsv @@ :'term_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'term_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'term_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'term_3'::tsquery)::int::bigint << 3) AS words
    FROM message_index i WHERE i.user_id = :'user' AND i.tsv @@ :'owner'::tsquery AND i.tsv @@ :'searched'::tsquery AND (i.channel IS NULL) AND true), amount AS MATERIALIZED (SELECT ARRAY[count(*) FILTER (WHERE words >> 0 & 1 = 1), count(*) FILTER (WHERE words >> 1 & 1 = 1), count(*) FILTER (WHERE words >> 2 & 1 = 1), count(*) FILTER (WHERE words >> 3 & 1 = 1)]::float8[] AS counted,
    (SELECT count(*) FROM message_index i WHERE i.user_id = :'user' AND (i.channel IS NULL) AND true)::float8 AS n FROM hit), known AS MATERIALIZED (SELECT ARRAY(SELECT greatest(count, share * n) FROM unnest(counted, :'shares'::float8[])
    WITH ORDINALITY word (count, share, place) ORDER BY place) AS df, n FROM amount), rarity AS MATERIALIZED (SELECT ARRAY(SELECT ln(1 + (greatest(n - df, 0) + 0.5) / (df + 0.5)) FROM unnest(df)
    WITH ORDINALITY word (df, place) ORDER BY place) AS idf FROM known), phrased AS MATERIALIZED (SELECT i.message_id FROM (
      SELECT i.message_id, i.timestamp FROM message_index i
      WHERE i.user_id = :'user' AND (i.channel IS NULL) AND true AND i.tsv @@ :'phrase_query'::tsquery
      ORDER BY i.timestamp DESC, i.message_id OFFSET 0
    ) i WHERE coalesce((SELECT lower(m.content) ~ ALL(ARRAY(SELECT lower(unnest(:'phrase'::text[])))) FROM message m
    WHERE m.user_id = :'user' AND m.id = i.message_id), false) ORDER BY i.timestamp DESC, i.message_id LIMIT :'depth'), found AS MATERIALIZED ((SELECT h.message_id FROM hit h CROSS JOIN rarity WHERE true
    ORDER BY (words >> 0 & 1) * idf[1] + (words >> 1 & 1) * idf[2] + (words >> 2 & 1) * idf[3] + (words >> 3 & 1) * idf[4] DESC, h.timestamp DESC, h.message_id LIMIT :'depth') UNION (SELECT v.message_id FROM message_vector v
        WHERE v.user_id = :'user' AND v.model = :'model' AND (v.channel IS NULL) AND true
        ORDER BY v.embedding <=> :'vector' LIMIT :'depth') UNION SELECT message_id FROM phrased), find AS MATERIALIZED (SELECT i.message_id, i.session_key, i.timestamp FROM message_index i
    WHERE i.user_id = :'user' AND i.message_id = ANY(ARRAY(SELECT message_id FROM found))), talk AS MATERIALIZED (SELECT session_key, bit_or(words) AS words FROM hit
    WHERE session_key IN (SELECT session_key FROM find) GROUP BY session_key), placed AS MATERIALIZED (SELECT f.message_id,
    ARRAY(SELECT b.message_id FROM (
      SELECT i.message_id, i.timestamp FROM message_index i
      WHERE i.user_id = :'user' AND i.session_key = f.session_key AND (i.channel IS NULL) AND true
        AND (i.timestamp, i.message_id) < (f.timestamp, f.message_id)
      ORDER BY i.timestamp DESC, i.message_id DESC LIMIT 3
    ) b ORDER BY b.timestamp, b.message_id) || f.message_id || ARRAY(SELECT b.message_id FROM (
      SELECT i.message_id, i.timestamp FROM message_index i
      WHERE i.user_id = :'user' AND i.session_key = f.session_key AND (i.channel IS NULL) AND true
        AND (i.timestamp, i.message_id) > (f.timestamp, f.message_id)
      ORDER BY i.timestamp ASC, i.message_id ASC LIMIT 3
    ) b ORDER BY b.timestamp, b.message_id) AS around,
    coalesce((SELECT words FROM talk t WHERE t.session_key = f.session_key), 0) AS session_words FROM find f)
SELECT i.message_id AS id, i.session_key, i.timestamp, i.speaker, i.asks, ((i.tsv @@ :'term_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'term_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'term_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'term_3'::tsquery)::int::bigint << 3) AS words,
       1 - (v.embedding <=> :'vector') AS cosine, CASE WHEN (SELECT count(*) FROM phrased) < :'depth'
    THEN i.message_id IN (SELECT message_id FROM phrased) ELSE i.tsv @@ :'phrase_query'::tsquery AND coalesce((SELECT lower(m.content) ~ ALL(ARRAY(SELECT lower(unnest(:'phrase'::text[])))) FROM message m
    WHERE m.user_id = :'user' AND m.id = i.message_id), false) END AS holds_phrase,
       false AS states_time,
       p.around, p.session_words, CASE WHEN row_number() OVER () = 1 THEN (SELECT idf FROM rarity) END AS rarities
FROM (SELECT DISTINCT unnest(around) AS message_id FROM placed) u
JOIN message_index i ON i.user_id = :'user' AND i.message_id = u.message_id
LEFT JOIN message_vector v ON v.user_id = :'user' AND v.message_id = i.message_id AND v.model = :'model'
LEFT JOIN placed p ON p.message_id = i.message_id;

-- message_rows (memd/messages/search_store.py): The messages that a search found in the scope, by id.
\set user '01920000-0000-7000-8000-000000000001'
\set ids '{01920000-0000-7000-8000-000000000001}'
\set scope_all_but '\\A(?:[Pp][Ee][Ee][Rr]\\-[^:]*|[^:]*\\-[Cc][Oo][Aa][Cc][Hh])(?::|\\Z)|:[gG][rR][oO][uU][pP](?::|\\Z)'
SELECT id, role, content, speaker, channel, session_key, turn_id, turn_message_index, timestamp, metadata FROM message WHERE user_id = :'user' AND id = ANY(:'ids') AND (message.channel IS NULL OR message.channel !~ :'scope_all_but');

-- _by_vector (memd/recall/memory_lanes.py): The rows of the vector lane, and the vector of the query; nothing without one.
SELECT embedding::text AS vector FROM memory_vector LIMIT 1 \gset
\set user '01920000-0000-7000-8000-000000000001'
\set model '1'
\set valid_at '1790000000000'
\set term_0 '''releas'''
\set term_1 '''block'''
\set term_2 '''freez'' | ''froze'' | ''frozen'''
\set term_3 ''' '''
\set pair_0 '(''releas'') <1> (''block'') | (''releas'') <2> (''block'')'
\set pair_1 '(''block'') <1> (''freez'' | ''froze'' | ''frozen'') | (''block'') <2> (''freez'' | ''froze'' | ''frozen'') | (''block'') <3> (''freez'' | ''froze'' | ''frozen'')'
\set pair_2 ''' '''
\set pair_3 ''' '''
WITH near AS MATERIALIZED (SELECT v.memory_id, (v.embedding <=> :'vector') + 0 AS distance FROM memory_vector v WHERE v.user_id = :'user' AND v.model = :'model' AND v.live AND v.knowledge_base_id IS NULL AND NOT v.config AND (v.valid_from IS NULL OR v.valid_from <= :'valid_at') AND (v.valid_until IS NULL OR v.valid_until > :'valid_at') AND (v.channel IS NULL) AND true ORDER BY distance LIMIT 48)
        SELECT 
m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.metadata::text AS metadata, m.channel, m.project_id,
m.strength, m.confidence, m.salience_score, m.access_count, m.last_accessed_at, m.created_at,
m.valid_from, m.valid_until
, CASE WHEN (m.source = 'inference' AND m.source_memory_ids <> '{}' AND m.created_by IS NULL) THEN coalesce((
      SELECT max(s.created_at) FROM memory s WHERE s.user_id = :'user' AND s.id = ANY(m.source_memory_ids)),
      m.created_at) ELSE m.created_at END AS learned_at, NULL::text AS policy_version, (SELECT max(n.link_confidence) FROM memory_node n WHERE n.user_id = :'user' AND n.memory_id = m.id) AS link_confidence, ((i.tsv @@ :'term_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'term_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'term_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'term_3'::tsquery)::int::bigint << 3) AS words, ((i.tsv @@ :'pair_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'pair_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'pair_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'pair_3'::tsquery)::int::bigint << 3) AS pairs, false AS by_text, false AS by_recent, false AS may_answer,
               false AS states_change, NULL::bytea AS vector, 1 - near.distance AS cosine, NULL::float8[] AS rarities
        FROM near JOIN memory_index i ON i.user_id = :'user' AND i.memory_id = near.memory_id
        JOIN memory m ON m.user_id = :'user' AND m.id = near.memory_id
        WHERE NOT m.archived AND NOT m.blocked;

-- _by_words (memd/recall/memory_lanes.py): The rows of the text and recent lanes, which need no vector, and the keyword score of each.
\set term_0 '''releas'''
\set term_1 '''block'''
\set term_2 '''freez'' | ''froze'' | ''frozen'''
\set term_3 ''' '''
\set user '01920000-0000-7000-8000-000000000001'
\set owner '''u:01920000-0000-7000-8000-000000000001'''
\set searched '(''releas'') | (''block'') | (''freez'' | ''froze'' | ''frozen'')'
\set valid_at '1790000000000'
\set memories '13.0'
\set shares '{0.0,0.0,0.0,1e+300}'
\set text_depth '48'
\set recent_depth '100'
\set pair_0 '(''releas'') <1> (''block'') | (''releas'') <2> (''block'')'
\set pair_1 '(''block'') <1> (''freez'' | ''froze'' | ''frozen'') | (''block'') <2> (''freez'' | ''froze'' | ''frozen'') | (''block'') <3> (''freez'' | ''froze'' | ''frozen'')'
\set pair_2 ''' '''
\set pair_3 ''' '''
\set model '1'
WITH hit AS MATERIALIZED (
          SELECT i.memory_id, i.created_at, ((i.tsv @@ :'term_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'term_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'term_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'term_3'::tsquery)::int::bigint << 3) AS words
          FROM memory_index i WHERE i.user_id = :'user' AND i.tsv @@ :'owner'::tsquery AND i.tsv @@ :'searched'::tsquery AND i.live AND i.knowledge_base_id IS NULL AND NOT i.config AND (i.valid_from IS NULL OR i.valid_from <= :'valid_at') AND (i.valid_until IS NULL OR i.valid_until > :'valid_at') AND (i.channel IS NULL) AND true
        ), amount AS MATERIALIZED (SELECT ARRAY[count(*) FILTER (WHERE words >> 0 & 1 = 1), count(*) FILTER (WHERE words >> 1 & 1 = 1), count(*) FILTER (WHERE words >> 2 & 1 = 1), count(*) FILTER (WHERE words >> 3 & 1 = 1)]::float8[] AS counted, :'memories'::float8 AS n FROM hit
        ), known AS MATERIALIZED (SELECT ARRAY(SELECT greatest(count, share * n) FROM unnest(counted, :'shares'::float8[])
            WITH ORDINALITY word (count, share, place) ORDER BY place) AS df, n FROM amount
        ), rarity AS MATERIALIZED (SELECT ARRAY(SELECT ln(1 + (greatest(n - df, 0) + 0.5) / (df + 0.5)) FROM unnest(df)
            WITH ORDINALITY word (df, place) ORDER BY place) AS idf FROM known
        ), matching AS MATERIALIZED (
          SELECT memory_id FROM hit CROSS JOIN rarity
          ORDER BY (words >> 0 & 1) * idf[1] + (words >> 1 & 1) * idf[2] + (words >> 2 & 1) * idf[3] + (words >> 3 & 1) * idf[4] DESC, created_at DESC, memory_id LIMIT :'text_depth'
        ), newest AS MATERIALIZED (
          SELECT i.memory_id, ((i.tsv @@ :'term_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'term_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'term_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'term_3'::tsquery)::int::bigint << 3) AS words FROM (SELECT i.* FROM memory_index i WHERE i.user_id = :'user' AND i.live AND i.knowledge_base_id IS NULL AND NOT i.config AND (i.valid_from IS NULL OR i.valid_from <= :'valid_at') AND (i.valid_until IS NULL OR i.valid_until > :'valid_at') AND (i.channel IS NULL) AND true ORDER BY i.created_at DESC, i.memory_id DESC LIMIT :'recent_depth') i
        )
        SELECT 
m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.metadata::text AS metadata, m.channel, m.project_id,
m.strength, m.confidence, m.salience_score, m.access_count, m.last_accessed_at, m.created_at,
m.valid_from, m.valid_until
, CASE WHEN (m.source = 'inference' AND m.source_memory_ids <> '{}' AND m.created_by IS NULL) THEN coalesce((
      SELECT max(s.created_at) FROM memory s WHERE s.user_id = :'user' AND s.id = ANY(m.source_memory_ids)),
      m.created_at) ELSE m.created_at END AS learned_at, NULL::text AS policy_version, (SELECT max(n.link_confidence) FROM memory_node n WHERE n.user_id = :'user' AND n.memory_id = m.id) AS link_confidence, ((i.tsv @@ :'term_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'term_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'term_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'term_3'::tsquery)::int::bigint << 3) AS words, ((i.tsv @@ :'pair_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'pair_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'pair_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'pair_3'::tsquery)::int::bigint << 3) AS pairs, listed.by_text, listed.by_recent, listed.may_answer,
               listed.states_change, halfvec_send(v.embedding) AS vector, NULL::float8 AS cosine,
               CASE WHEN row_number() OVER () = 1 THEN (SELECT idf FROM rarity) END AS rarities
        FROM (
          SELECT memory_id, bool_or(lane <> 'recent') AS by_text, bool_or(lane = 'recent') AS by_recent,
                 bool_or(lane = 'answer') AS may_answer, bool_or(changed) AS states_change
          FROM (SELECT memory_id, 'text' AS lane, false AS changed FROM matching
                UNION ALL SELECT memory_id, 'recent', false FROM newest WHERE words <> 0
                ) l GROUP BY memory_id
        ) listed JOIN memory_index i ON i.user_id = :'user' AND i.memory_id = listed.memory_id
        JOIN memory m ON m.user_id = :'user' AND m.id = listed.memory_id
        LEFT JOIN memory_vector v ON v.user_id = :'user' AND v.memory_id = listed.memory_id AND v.model = :'model'
        WHERE NOT m.archived AND NOT m.blocked;

-- _neighbours (memd/recall/memory_lanes.py): The neighbours of the best rows; none where the gate is closed, with few rows, or as of a past moment.
\set ids '{01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001}'
\set channels '{None,None,None,None,None,None,None,None,None,None,None,None,None}'
\set times '{1790000000000,1790000000000,1790000000000,1790000000000,1790000000000,1790000000000,1790000000000,1790000000000,1790000000000,1790000000000,1790000000000,1790000000000,1790000000000}'
\set user '01920000-0000-7000-8000-000000000001'
\set model '1'
\set term_0 '''releas'''
\set term_1 '''block'''
\set term_2 '''freez'' | ''froze'' | ''frozen'''
\set term_3 ''' '''
\set pair_0 '(''releas'') <1> (''block'') | (''releas'') <2> (''block'')'
\set pair_1 '(''block'') <1> (''freez'' | ''froze'' | ''frozen'') | (''block'') <2> (''freez'' | ''froze'' | ''frozen'') | (''block'') <3> (''freez'' | ''froze'' | ''frozen'')'
\set pair_2 ''' '''
\set pair_3 ''' '''
SELECT embedding::text AS vector FROM memory_vector LIMIT 1 \gset
\set closed_at '0.05'
\set certain_at '1.65'
\set valid_at '1790000000000'
\set known '{01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001}'
WITH hit AS MATERIALIZED (SELECT * FROM unnest(:'ids'::uuid[], :'channels'::text[], :'times'::bigint[])
        WITH ORDINALITY f (memory_id, channel, created_at, place)), step AS MATERIALIZED (SELECT f.memory_id AS hit_id, f.place, s.later, s.memory_id
        FROM hit f CROSS JOIN LATERAL ((SELECT true AS later, i.memory_id FROM memory_index i
            WHERE i.user_id = :'user' AND i.live AND i.knowledge_base_id IS NULL AND i.channel = f.channel
              AND (i.created_at, i.memory_id) > (f.created_at, f.memory_id)
            ORDER BY i.knowledge_base_id ASC, i.channel ASC, i.created_at ASC, i.memory_id ASC LIMIT 1) UNION ALL (SELECT true AS later, i.memory_id FROM memory_index i
            WHERE i.user_id = :'user' AND i.live AND i.knowledge_base_id IS NULL AND i.channel IS NULL AND f.channel IS NULL
              AND (i.created_at, i.memory_id) > (f.created_at, f.memory_id)
            ORDER BY i.knowledge_base_id ASC, i.channel ASC, i.created_at ASC, i.memory_id ASC LIMIT 1) UNION ALL (SELECT false AS later, i.memory_id FROM memory_index i
            WHERE i.user_id = :'user' AND i.live AND i.knowledge_base_id IS NULL AND i.channel = f.channel
              AND (i.created_at, i.memory_id) < (f.created_at, f.memory_id)
            ORDER BY i.knowledge_base_id DESC, i.channel DESC, i.created_at DESC, i.memory_id DESC LIMIT 1) UNION ALL (SELECT false AS later, i.memory_id FROM memory_index i
            WHERE i.user_id = :'user' AND i.live AND i.knowledge_base_id IS NULL AND i.channel IS NULL AND f.channel IS NULL
              AND (i.created_at, i.memory_id) < (f.created_at, f.memory_id)
            ORDER BY i.knowledge_base_id DESC, i.channel DESC, i.created_at DESC, i.memory_id DESC LIMIT 1)) s), beside AS MATERIALIZED (SELECT memory_id, (array_agg(hit_id) FILTER (WHERE later))[1] AS follows,
        (array_agg(hit_id) FILTER (WHERE NOT later))[1] AS precedes FROM step GROUP BY memory_id), successor AS MATERIALIZED (SELECT own.embedding AS own, later.embedding AS later,
            coalesce(lead(later.embedding, 2) OVER in_time,
                     CASE WHEN lead(s.place) OVER in_time IS NULL THEN nth_value(later.embedding, 2) OVER all_times END,
                     first_value(later.embedding) OVER all_times) AS other
        FROM step s JOIN memory_vector own ON own.user_id = :'user' AND own.memory_id = s.hit_id AND own.model = :'model'
        JOIN memory_vector later ON later.user_id = :'user' AND later.memory_id = s.memory_id AND later.model = :'model' WHERE s.later
        WINDOW in_time AS (ORDER BY s.place),
            all_times AS (ORDER BY s.place ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)), coherence AS MATERIALIZED (SELECT avg(1 - (own <=> later)) AS adjacent_cosine, avg(1 - (own <=> other)) AS baseline_cosine,
            stddev_samp((own <=> other) - (own <=> later)) / sqrt(count(*)) AS standard_error FROM successor)
        SELECT b.memory_id, b.follows, b.precedes, coherence.adjacent_cosine, coherence.baseline_cosine,

m.id, m.title, m.content, m.recall_text, m.store, m.category, m.tags, m.metadata::text AS metadata, m.channel, m.project_id,
m.strength, m.confidence, m.salience_score, m.access_count, m.last_accessed_at, m.created_at,
m.valid_from, m.valid_until
, CASE WHEN (m.source = 'inference' AND m.source_memory_ids <> '{}' AND m.created_by IS NULL) THEN coalesce((
      SELECT max(s.created_at) FROM memory s WHERE s.user_id = :'user' AND s.id = ANY(m.source_memory_ids)),
      m.created_at) ELSE m.created_at END AS learned_at, NULL::text AS policy_version, (SELECT max(n.link_confidence) FROM memory_node n WHERE n.user_id = :'user' AND n.memory_id = m.id) AS link_confidence, ((i.tsv @@ :'term_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'term_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'term_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'term_3'::tsquery)::int::bigint << 3) AS words, ((i.tsv @@ :'pair_0'::tsquery)::int::bigint << 0) | ((i.tsv @@ :'pair_1'::tsquery)::int::bigint << 1) | ((i.tsv @@ :'pair_2'::tsquery)::int::bigint << 2) | ((i.tsv @@ :'pair_3'::tsquery)::int::bigint << 3) AS pairs, false AS by_text, false AS by_recent, false AS may_answer, false AS states_change,
               NULL::bytea AS vector, 1 - (v.embedding <=> :'vector') AS cosine, NULL::float8[] AS rarities
        FROM coherence JOIN beside b ON coherence.adjacent_cosine - coherence.baseline_cosine > :'closed_at' * (1 - coherence.baseline_cosine)
                               AND coherence.adjacent_cosine - coherence.baseline_cosine > :'certain_at' * coherence.standard_error
        JOIN memory_index i ON i.user_id = :'user' AND i.memory_id = b.memory_id AND i.live AND i.knowledge_base_id IS NULL AND NOT i.config AND (i.valid_from IS NULL OR i.valid_from <= :'valid_at') AND (i.valid_until IS NULL OR i.valid_until > :'valid_at') AND (i.channel IS NULL) AND true
        LEFT JOIN memory_vector v ON v.user_id = :'user' AND v.memory_id = b.memory_id AND v.model = :'model'
        LEFT JOIN memory m ON m.user_id = :'user' AND m.id = b.memory_id AND NOT m.id = ANY(:'known')
        WHERE (NOT m.archived AND NOT m.blocked) OR b.memory_id = ANY(:'known');

-- _fetch (memd/recall/plan.py): The rows of `store.prefetch`, and how many rows a past state of knowledge has; in one round trip.
\set user '01920000-0000-7000-8000-000000000001'
\set model '1'
SELECT coalesce(t.active_memories, 0) AS memories, coalesce(t.total_messages, 0) AS messages,
           EXISTS (SELECT FROM graph_node WHERE user_id = :'user') AS has_graph,
           EXISTS (SELECT FROM memory_conflict WHERE user_id = :'user' AND state = 'open') AS has_conflicts,
           (
    SELECT EXISTS (SELECT FROM totals WHERE user_id = :'user' AND indexed_model = :'model') AS indexed
    ) AS indexed, CASE WHEN b.place > 1 THEN NULL ELSE ARRAY(
WITH RECURSIVE known AS (
  (SELECT channel FROM memory_index WHERE user_id = :'user' AND live AND knowledge_base_id IS NULL AND channel IS NOT NULL
   ORDER BY knowledge_base_id, channel LIMIT 1)
  UNION ALL
  SELECT (SELECT t.channel FROM memory_index t
          WHERE t.user_id = :'user' AND live AND knowledge_base_id IS NULL AND t.channel > known.channel
          ORDER BY knowledge_base_id, channel LIMIT 1)
  FROM known WHERE known.channel IS NOT NULL
)
SELECT channel FROM known WHERE channel IS NOT NULL LIMIT 501
) END AS channels, CASE WHEN b.place > 1 THEN NULL ELSE ARRAY(
WITH RECURSIVE known AS (
  (SELECT channel FROM message_index WHERE user_id = :'user' AND true AND channel IS NOT NULL
   ORDER BY channel LIMIT 1)
  UNION ALL
  SELECT (SELECT t.channel FROM message_index t
          WHERE t.user_id = :'user' AND true AND t.channel > known.channel
          ORDER BY channel LIMIT 1)
  FROM known WHERE known.channel IS NOT NULL
)
SELECT channel FROM known WHERE channel IS NOT NULL LIMIT 501
) END AS message_channels, CASE WHEN b.place > 1 THEN NULL ELSE ARRAY(
(WITH RECURSIVE known AS (
  (SELECT language FROM memory_index WHERE user_id = :'user' ORDER BY language LIMIT 1)
  UNION ALL
  SELECT (SELECT t.language FROM memory_index t WHERE t.user_id = :'user' AND t.language > known.language
          ORDER BY t.language LIMIT 1)
  FROM known WHERE known.language IS NOT NULL
)
SELECT language FROM known WHERE language IS NOT NULL) UNION 
(WITH RECURSIVE known AS (
  (SELECT language FROM message_index WHERE user_id = :'user' ORDER BY language LIMIT 1)
  UNION ALL
  SELECT (SELECT t.language FROM message_index t WHERE t.user_id = :'user' AND t.language > known.language
          ORDER BY t.language LIMIT 1)
  FROM known WHERE known.language IS NOT NULL
)
SELECT language FROM known WHERE language IS NOT NULL)) END AS languages, b.*
    FROM (SELECT 1) one
    LEFT JOIN totals t ON t.user_id = :'user'
    LEFT JOIN (SELECT row_number() OVER () AS place, k.* FROM (SELECT id, name, agent_ids, scope, peer_scope_policy, source_role, archived, memory_count, total_chars FROM knowledge_base WHERE user_id = :'user' ORDER BY updated_at DESC, id DESC) k) b ON true
    ORDER BY b.place;

-- message_sources (memd/recall/store.py): The sources of those of the memories that were derived from any of the messages.
\set user '01920000-0000-7000-8000-000000000001'
\set memories '{01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001,01920000-0000-7000-8000-000000000001}'
\set messages '{01920000-0000-7000-8000-000000000001}'
SELECT id, source_message_ids FROM memory
WHERE user_id = :'user' AND id = ANY(:'memories') AND source_message_ids && :'messages'::uuid[];
