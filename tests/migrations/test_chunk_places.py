"""Chunks that were imported before their places were kept have them after the upgrade."""

from uuid import UUID, uuid4

import psycopg

from memd.db.schema.migrate import migrate

USER = UUID(int=1)
BASE = UUID(int=2)
IMPORT = UUID(int=3)


def add(connection: psycopg.Connection, url: str | None, index: int | None, base: UUID | None = BASE) -> UUID:
    """A chunk as the first release stored it."""
    chunk_id = uuid4()
    row = {"user": USER, "id": chunk_id, "base": base, "url": url, "index": index, "import": IMPORT}
    connection.execute(
        """
        INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence, arousal,
                            last_accessed_at, created_at, updated_at, content_hash, knowledge_base_id, source_url,
                            chunk_index, import_id)
        VALUES (%(user)s, %(id)s, 't', 'c', 'semantic', 'fact', 'external', 1, 1, 0, 0, 1, 1, 1, '', %(base)s, %(url)s,
                %(index)s, %(import)s)
        """,
        row,
    )
    connection.execute(
        """
        INSERT INTO memory_index (user_id, memory_id, live, knowledge_base_id, store, category, config, created_at,
                                  length, tsv)
        VALUES (%(user)s, %(id)s, true, %(base)s, 'semantic', 'fact', false, 1, 1, '')
        """,
        row,
    )
    return chunk_id


def test_chunks_of_one_source_share_a_key(new_database: str) -> None:
    migrate(new_database, "20261121_initial")
    with psycopg.connect(new_database) as connection:
        long = "https://example.org/" + "é" * 1_900
        sources = [(long, 0), (long, 1), ("b", 0), (None, 0), ("", 1), (long, None)]
        ids = [add(connection, url, index) for url, index in sources]
        memory = add(connection, None, 4, base=None)
    migrate(new_database)
    with psycopg.connect(new_database) as connection:
        places = {
            row[0]: row[1:] for row in connection.execute("SELECT memory_id, source_key, chunk_index FROM memory_index")
        }
    keys = [places[each][0] for each in ids]
    assert [places[each][1] for each in ids] == [0, 1, 0, 0, 1, None]
    assert keys[0] == keys[1]
    assert keys[3] == keys[4]
    assert len(set(keys)) == 4
    assert keys[5] is None
    assert places[memory] == (None, None)
