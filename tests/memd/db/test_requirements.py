"""A server of the user's own: what it must offer, and instructions that fix what is missing."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from memd.db.embedded.server import EmbeddedPostgres
from memd.db.errors import ServerRequirementsError
from memd.db.schema.requirements import RoleFacts, ServerFacts, check_server, missing_of
from tests.support.postgres import FAST

READY = ServerFacts(
    version=160_004,
    encoding="UTF8",
    database="memory",
    login="agent",
    superuser=False,
    creates_roles=False,
    creates_objects=False,
    installed="0.8.1",
    available="0.8.1",
    trusted=True,
)
MEMBER = (RoleFacts("memd_app", usable=True, grantable=False), RoleFacts("memd_system", usable=True, grantable=False))
STRANGER = tuple(replace(role, usable=False) for role in MEMBER)
ABSENT: tuple[RoleFacts, ...] = ()


@pytest.mark.parametrize(
    ("server", "roles"),
    [
        (READY, MEMBER),
        (replace(READY, version=150_000), MEMBER),
        (replace(READY, installed="0.8.0", available=None), MEMBER),
        (replace(READY, installed="0.10.0"), MEMBER),
        (replace(READY, installed=None, creates_objects=True), MEMBER),
        (replace(READY, installed=None, superuser=True, trusted=False), MEMBER),
        (replace(READY, creates_roles=True), ABSENT),
        (replace(READY, superuser=True), ABSENT),
        (replace(READY, superuser=True), STRANGER),
        (replace(READY, version=150_008, creates_roles=True), STRANGER),
        (READY, tuple(replace(role, grantable=True) for role in STRANGER)),
    ],
)
def test_server_that_suffices(server: ServerFacts, roles: tuple[RoleFacts, ...]):
    assert missing_of(server, roles) == []


@pytest.mark.parametrize(
    ("server", "roles", "sentences"),
    [
        (replace(READY, encoding="LATIN1"), MEMBER, ["encoded in LATIN1.* CREATE DATABASE memd OWNER agent ENCODING"]),
        (
            replace(READY, installed=None, available=None),
            MEMBER,
            ["no pgvector; .*0.8 or newer.*postgresql-16-pgvector"],
        ),
        (replace(READY, installed=None, available="0.7.4"), MEMBER, ["only pgvector 0.7.4; install pgvector 0.8"]),
        (replace(READY, installed="0.5.1", available="0.7.4"), MEMBER, ["only pgvector 0.7.4; install pgvector 0.8"]),
        (replace(READY, installed="0.7.4"), MEMBER, ["has pgvector 0.7.4.*: ALTER EXTENSION vector UPDATE;"]),
        (replace(READY, installed=None), MEMBER, ["not installed in the database memory.*: CREATE EXTENSION vector;"]),
        (
            replace(READY, installed=None, trusted=False, creates_objects=True),
            MEMBER,
            ["agent may not install it; as a superuser in that database: CREATE EXTENSION vector;"],
        ),
        (
            READY,
            ABSENT,
            [
                "CREATE ROLE memd_app NOLOGIN; GRANT memd_app TO agent;",
                "CREATE ROLE memd_system NOLOGIN; GRANT memd_system TO agent;",
            ],
        ),
        (READY, STRANGER, ["not a member.*: GRANT memd_app TO agent;", "not a member.*: GRANT memd_system TO agent;"]),
        (replace(READY, creates_roles=True), STRANGER, ["GRANT memd_app TO agent;", "GRANT memd_system TO agent;"]),
        (
            replace(READY, creates_tables=False),
            MEMBER,
            ["not create tables in the schema public.*: GRANT CREATE ON SCHEMA public TO agent;"],
        ),
        (
            replace(READY, unreachable="extensions"),
            MEMBER,
            ["in the schema extensions.*: GRANT USAGE .* ALTER DATABASE memory SET search_path = public, extensions;"],
        ),
        (READY, (MEMBER[0], STRANGER[1]), ["GRANT memd_system TO agent;"]),
        (
            replace(READY, encoding="SQL_ASCII", installed=None, available=None),
            ABSENT,
            ["SQL_ASCII", "pgvector", "memd_app", "memd_system"],
        ),
    ],
)
def test_everything_missing_is_reported_with_the_sql_that_fixes_it(
    server: ServerFacts, roles: tuple[RoleFacts, ...], sentences: list[str]
):
    report = missing_of(server, roles)
    assert len(report) == len(sentences)
    for sentence, pattern in zip(report, sentences, strict=True):
        assert re.search(pattern, sentence)


@pytest.fixture(scope="module")
def outside(enterable_folder: Path) -> Iterator[EmbeddedPostgres]:
    """A server that memd does not supervise, as far as the tests go."""
    with EmbeddedPostgres(enterable_folder / "outside", FAST) as server:
        yield server


def _url(server: EmbeddedPostgres, login: str, database: str) -> str:
    host = conninfo_to_dict(server.conninfo)["host"]
    return f"postgresql://{login}@/{database}?host={quote(str(host), safe='')}"


async def _check(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        await check_server(connection)


async def test_our_own_server_suffices(outside: EmbeddedPostgres):
    async with await psycopg.AsyncConnection.connect(_url(outside, "postgres", "memd")) as connection:
        await check_server(connection)
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS


async def test_sentences_for_a_plain_login_fix_its_server(outside: EmbeddedPostgres):
    url = _url(outside, "Plain", "theirs")
    with psycopg.connect(outside.conninfo, autocommit=True) as superuser:
        superuser.execute('CREATE ROLE "Plain" LOGIN')
        superuser.execute("CREATE DATABASE theirs")
    with pytest.raises(ServerRequirementsError) as refused:
        await _check(url)
    assert len(refused.value.missing) == 4
    mending = [sentence.partition(": ")[2] for sentence in refused.value.missing]
    with psycopg.connect(outside.conninfo, dbname="theirs", autocommit=True) as superuser:
        for statements in mending:
            superuser.execute(statements.encode())
    await _check(url)
    with psycopg.connect(url) as plain:
        plain.execute("SET ROLE memd_app")
        plain.execute("SET ROLE memd_system")


async def test_login_that_creates_roles_suffices_before_and_after_it_does(outside: EmbeddedPostgres):
    with psycopg.connect(outside.conninfo, autocommit=True) as superuser:
        superuser.execute("DROP ROLE IF EXISTS memd_app, memd_system")
        superuser.execute("CREATE ROLE owner LOGIN CREATEROLE")
        superuser.execute("CREATE DATABASE owned OWNER owner")
    url = _url(outside, "owner", "owned")
    with psycopg.connect(outside.conninfo, dbname="owned", autocommit=True) as superuser:
        superuser.execute("CREATE EXTENSION vector")
    await _check(url)
    with psycopg.connect(url, autocommit=True) as owner:
        for role in (b"memd_app", b"memd_system"):
            owner.execute(b"CREATE ROLE " + role)
    await _check(url)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
async def test_database_in_another_encoding_is_refused(encoding: str, outside: EmbeddedPostgres):
    name = encoding.lower()
    with psycopg.connect(outside.conninfo, autocommit=True) as superuser:
        creation = f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C' LOCALE_PROVIDER libc"
        superuser.execute(creation.encode())
    with pytest.raises(ServerRequirementsError, match=f"encoded in {encoding}"):
        await _check(_url(outside, "postgres", name))
