-- What one message search sends to Postgres (contract 7.2, 11.4)
-- Written by tests/memd/db/test_hot_sql.py. Paste a statement and its variables into psql, after this:
SET memd.user_id = '01920000-0000-7000-8000-000000000001';

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

-- prefetch (memd/messages/search.py): Read the context of a search of messages alone.
\set user '01920000-0000-7000-8000-000000000001'
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
SELECT language FROM known WHERE language IS NOT NULL);

-- prefetch (memd/messages/search.py): Read the context of a search of messages alone.
\set user '01920000-0000-7000-8000-000000000001'
SELECT coalesce(t.active_memories, 0) AS active_memories, coalesce(t.archived_memories, 0) AS archived_memories,
       coalesce(t.total_messages, 0) AS total_messages
FROM (SELECT 1) one
LEFT JOIN (SELECT * FROM totals WHERE user_id = :'user' ) t ON true;

-- prefetch (memd/messages/search.py): Read the context of a search of messages alone.
\set user '01920000-0000-7000-8000-000000000001'
WITH RECURSIVE known AS (
  (SELECT channel FROM message_index WHERE user_id = :'user' AND true AND channel IS NOT NULL
   ORDER BY channel LIMIT 1)
  UNION ALL
  SELECT (SELECT t.channel FROM message_index t
          WHERE t.user_id = :'user' AND true AND t.channel > known.channel
          ORDER BY channel LIMIT 1)
  FROM known WHERE known.channel IS NOT NULL
)
SELECT channel FROM known WHERE channel IS NOT NULL LIMIT 501;

-- message_rows (memd/messages/search_store.py): The messages that a search found in the scope, by id.
\set user '01920000-0000-7000-8000-000000000001'
\set ids '{01920000-0000-7000-8000-000000000001}'
\set scope_all_but '\\A(?:[Pp][Ee][Ee][Rr]\\-[^:]*|[^:]*\\-[Cc][Oo][Aa][Cc][Hh])(?::|\\Z)|:[gG][rR][oO][uU][pP](?::|\\Z)'
SELECT id, role, content, speaker, channel, session_key, turn_id, turn_message_index, timestamp, metadata FROM message WHERE user_id = :'user' AND id = ANY(:'ids') AND (message.channel IS NULL OR message.channel !~ :'scope_all_but');
