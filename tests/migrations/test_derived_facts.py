"""Facts that an earlier release read from reflections, and the conflicts that they opened, are gone after the upgrade."""

from uuid import UUID, uuid4

import psycopg

from memd.db.schema.migrate import migrate

USER, KEY = UUID(int=1), UUID(int=2)


def add(connection: psycopg.Connection, **columns: object) -> UUID:
    """A memory as the release before stored it, with a fact."""
    row = {"source": "external", "tags": [], "sources": [], "promoted": None, "key": None} | columns
    memory_id = uuid4()
    connection.execute(
        """
        INSERT INTO memory (user_id, id, title, content, store, category, source, strength, confidence, valence, arousal,
                            last_accessed_at, created_at, updated_at, content_hash, tags, source_memory_ids,
                            promoted_from, created_by)
        VALUES (%(user)s, %(id)s, 't', 'c', 'episodic', 'event', %(source)s, 1, 1, 0, 0, 1, 1, 1, '', %(tags)s,
                %(sources)s, %(promoted)s, %(key)s)
        """,
        row | {"user": USER, "id": memory_id},
    )
    connection.execute(
        """
        INSERT INTO memory_fact (user_id, memory_id, place, subject_key, attribute, subject, value, changed, denied)
        VALUES (%s, %s, 0, 'ana', 'residence', 'Ana', 'Rome', false, false)
        """,
        (USER, memory_id),
    )
    return memory_id


def contradict(connection: psycopg.Connection, old: UUID, new: UUID, state: str = "open") -> None:
    connection.execute(
        """
        INSERT INTO memory_conflict (user_id, id, old_id, new_id, subject, attribute, old_value, new_value, certainty,
                                     state, created_at)
        VALUES (%s, %s, %s, %s, 'Ana', 'residence', 'a', 'b', 0.9, %s, 1)
        """,
        (USER, uuid4(), old, new, state),
    )
    connection.execute(
        """
        INSERT INTO association (user_id, from_memory_id, to_memory_id, relationship_type, weight, created_at, updated_at)
        VALUES (%s, %s, %s, 'contradicts', 1, 1, 1)
        """,
        (USER, new, old),
    )


def test_what_only_repeats_memories_states_nothing_after_the_upgrade(new_database: str) -> None:
    tags = ["reflection", "distilled"]
    migrate(new_database, "20261127_near_versions")
    with psycopg.connect(new_database) as connection:
        rome, oslo = add(connection), add(connection, source="inference")
        merged = add(connection, source="inference", sources=[rome])
        corrected = add(connection, source="inference", tags=tags, sources=[rome], key=KEY)
        summary = add(connection, source="inference", tags=tags, sources=[rome])
        copy = add(connection, source="inference", sources=[rome], promoted=rome)
        imported = add(connection, source="inference", tags=tags, key=KEY)
        for new in (oslo, summary, copy, imported):
            contradict(connection, rome, new)
        contradict(connection, oslo, summary, "kept")
    migrate(new_database)
    with psycopg.connect(new_database) as connection:
        stating = {row[0] for row in connection.execute("SELECT memory_id FROM memory_fact")}
        assert stating == {rome, oslo, merged, corrected}
        left = set(connection.execute("SELECT new_id, state FROM memory_conflict").fetchall())
        assert left == {(oslo, "open"), (summary, "kept")}
        links = {row[0] for row in connection.execute("SELECT from_memory_id FROM association")}
        assert links == {oslo, summary}
