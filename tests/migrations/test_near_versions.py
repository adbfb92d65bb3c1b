"""Versions that were kept before near ones shared an entry of the vector index share one after the upgrade."""

from uuid import UUID

import psycopg

from memd.db.schema.migrate import migrate

USER, ONE, OTHER = UUID(int=1), UUID(int=2), UUID(int=3)
HERE, NEAR, FAR = "[1,0]", "[0.99,0.1]", "[0,1]"
VERSIONS = (
    (ONE, 1, HERE, True, True),
    (ONE, 2, NEAR, True, False),
    (ONE, 3, FAR, True, True),
    (ONE, 16, NEAR, True, False),
    (ONE, 17, NEAR, True, True),
    (ONE, 18, NEAR, True, False),
    (OTHER, 1, HERE, False, True),
    (OTHER, 2, NEAR, True, True),
    (OTHER, 3, None, True, True),
)
"""Memory, version, vector, live, and whether an index has it after the upgrade."""


def test_near_versions_of_a_group_share_an_entry(new_database: str) -> None:
    migrate(new_database, "20261126_erasure_lock")
    with psycopg.connect(new_database) as connection:
        for memory_id, version, vector, live, _ in VERSIONS:
            connection.execute(
                """
                INSERT INTO memory_version (user_id, memory_id, version, recorded_from, recorded_until, request_id, action,
                                            fields, live, model, embedding)
                VALUES (%s, %s, %s, 1, 2, %s, 'update', '{}', %s, 1, %s)
                """,
                (USER, memory_id, version, USER, live, vector),
            )
        connection.execute(
            """
            CREATE INDEX hnsw_00000000000000000000000000000001_1_versions ON memory_version
            USING hnsw ((embedding::halfvec(2)) halfvec_cosine_ops) WHERE model = 1
            """
        )
    migrate(new_database)
    with psycopg.connect(new_database) as connection:
        kept = connection.execute("SELECT memory_id, version, indexed FROM memory_version").fetchall()
        assert {(row[0], row[1]): row[2] for row in kept} == {each[:2]: each[4] for each in VERSIONS}
        left = connection.execute("SELECT FROM pg_class WHERE relname LIKE 'hnsw%'").fetchall()
        assert left == []
