"""The row policies of a table of users, in the one form that Postgres and a distributed Postgres both accept.

`memd_user()` is in the policy without a subquery. Where a statement says `user_id = …` as well, the planner compares the
two values once and reads by the index on the statement's own.
"""

from typing import Final

from memd.db.logins import APP_ROLE, SYSTEM_ROLE

OWN_ROWS: Final = "user_id = memd_user()"


def protect(table: str) -> tuple[str, ...]:
    """What lets requests see the rows of their user only, and jobs and the owner all rows; grants are the caller's."""
    return (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY own_rows ON {table} TO {APP_ROLE} USING ({OWN_ROWS}) WITH CHECK ({OWN_ROWS})",
        f"""
        DO $$ BEGIN
          EXECUTE format('CREATE POLICY all_rows ON {table} TO {SYSTEM_ROLE}, %I USING (true) WITH CHECK (true)',
                         current_user);
        END $$
        """,
    )


def rewrite_own_rows(condition: str) -> str:
    """What gives the policy `own_rows` of every table this condition."""
    return f"""
        DO $$
        DECLARE name regclass;
        BEGIN
          FOR name IN SELECT p.polrelid FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
            WHERE p.polname = 'own_rows' AND c.relnamespace = 'public'::regnamespace LOOP
            EXECUTE format('ALTER POLICY own_rows ON %s USING ({condition}) WITH CHECK ({condition})', name);
          END LOOP;
        END $$
    """
