"""After the upgrade every user has a key that manages the others: what any key with `write` did before."""

from uuid import uuid4

import psycopg

from memd.db.schema.migrate import migrate

BEFORE = "20261122_erasing_messages"
_USER = "INSERT INTO app_user (user_id, tier, admin, created_at) VALUES (%s, 'free', %s, 1)"
_KEY = """
INSERT INTO api_key (user_id, id, key_hash, scopes, active, created_at, expires_at)
VALUES (%s, gen_random_uuid(), gen_random_uuid()::text, %s, %s, %s, %s)
"""


def test_each_user_keeps_a_key_that_manages_the_others(new_database: str) -> None:
    migrate(new_database, BEFORE)
    admin, plain, readers = uuid4(), uuid4(), uuid4()
    rw, everything = ["read", "write"], ["read", "write", "admin"]
    keys = [
        (admin, rw, True, 1, None),
        (admin, everything, True, 2, None),
        (admin, everything, False, 3, None),
        (admin, ["admin"], True, 4, None),
        (plain, ["read"], True, 1, None),
        (plain, rw, False, 2, None),
        (plain, rw, True, 3, 4),
        (plain, rw, True, 4, None),
        (plain, rw, True, 5, None),
        (readers, ["read"], True, 1, None),
    ]
    with psycopg.connect(new_database) as connection:
        for user in (admin, plain, readers):
            connection.execute(_USER, (user, user == admin))
        for key in keys:
            connection.execute(_KEY, key)
    migrate(new_database)
    with psycopg.connect(new_database) as connection:
        rows = connection.execute("SELECT user_id, created_at FROM api_key WHERE scopes @> '{keys}'").fetchall()
        found = connection.execute(
            "SELECT DISTINCT created_by, allowed_addresses, previous_hash FROM api_key"
        ).fetchall()
        other = connection.execute("SELECT memd_other_admin_key(%s, NULL, 1)", (admin,)).fetchone()
    assert other == (False,)  # replicas of the release before still ask by this function
    assert sorted(rows) == sorted([(admin, 2), (plain, 4)])
    assert found == [(None, [], None)]
