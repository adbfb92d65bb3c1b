"""The rights of each role, read from the catalogue and compared with the list in grants.txt.

MEMD_PIN=1 writes the list anew after a wanted change; whoever reviews the change reads it there.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from memd.db.schema.migrate import migrate

GRANTS = Path(__file__).with_name("grants.txt")
PRIVILEGES = """
WITH role AS (
  SELECT oid, rolname FROM pg_roles WHERE rolname IN ('memd_app', 'memd_system') UNION ALL SELECT 0, 'PUBLIC'
), granted AS (
  SELECT 'table ' || c.relname AS object, a.grantee, a.privilege_type
  FROM pg_class c CROSS JOIN aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
  UNION ALL
  SELECT 'sequence ' || c.relname, a.grantee, a.privilege_type
  FROM pg_class c CROSS JOIN aclexplode(coalesce(c.relacl, acldefault('s', c.relowner))) a
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
  UNION ALL
  SELECT 'column ' || c.relname || '.' || t.attname, a.grantee, a.privilege_type
  FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid CROSS JOIN aclexplode(t.attacl) a
  WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'function ' || p.oid::regprocedure, a.grantee, a.privilege_type
  FROM pg_proc p CROSS JOIN aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
  WHERE p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT 'schema ' || n.nspname, a.grantee, a.privilege_type
  FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) a WHERE n.nspname = 'public'
  UNION ALL
  SELECT 'database', a.grantee, a.privilege_type
  FROM pg_database d CROSS JOIN aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
  WHERE d.datname = current_database()
)
SELECT format('%s: %s on %s', rolname, string_agg(privilege_type, ', ' ORDER BY privilege_type), object)
FROM granted JOIN role ON role.oid = grantee
GROUP BY rolname, object ORDER BY rolname, object
"""
ROLES = """
SELECT format('%s: super=%s bypassrls=%s createrole=%s createdb=%s replication=%s member of [%s] owns %s',
              rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
              (SELECT string_agg(m.roleid::regrole::text, ', ') FROM pg_auth_members m WHERE m.member = r.oid),
              (SELECT count(*) FROM pg_shdepend s WHERE s.refobjid = r.oid AND s.deptype = 'o'))
FROM pg_roles r WHERE rolname IN ('memd_app', 'memd_system') ORDER BY rolname
"""
POLICIES = """
SELECT format('%s: %s%s %s %s', c.relname, p.polname, CASE WHEN c.relforcerowsecurity THEN '' ELSE ' (not forced)' END,
              p.polroles::regrole[], pg_get_expr(p.polqual, p.polrelid))
FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid ORDER BY c.relname, p.polname
"""
DEFINERS = """
SELECT format('%s %s', p.oid::regprocedure, p.proconfig) FROM pg_proc p WHERE p.prosecdef
  AND p.pronamespace = 'public'::regnamespace ORDER BY 1
"""
SECTIONS: dict[str, LiteralString] = {
    "Roles": ROLES,
    "Privileges": PRIVILEGES,
    "Row policies": POLICIES,
    "Functions that run with the rights of their owner": DEFINERS,
}


@pytest.fixture
def migrated(new_database: str) -> Iterator[psycopg.Connection]:
    migrate(new_database)
    with psycopg.connect(new_database) as connection:
        yield connection


def test_every_role_may_do_what_the_list_says_and_nothing_else(migrated: psycopg.Connection) -> None:
    lines: list[str] = []
    for title, query in SECTIONS.items():
        lines += [f"# {title}", *(row[0] for row in migrated.execute(query)), ""]
    found = "\n".join(lines)
    if os.environ.get("MEMD_PIN"):
        GRANTS.write_text(found)
    assert found == GRANTS.read_text()
