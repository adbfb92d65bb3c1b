"""memd on somebody's own server with a login for requests and one for jobs, and what doctor says with and without them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from memd import backup
from memd.app import build
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.errors import ServerRequirementsError
from memd.db.schema.leakproof import MARK_LEAKPROOF
from memd.db.schema.login_check import check_logins
from memd.db.schema.logins import separate_logins
from memd.db.schema.migrate import migrate
from memd.doctor_checks import Finding, State, run_checks
from memd.resources import database
from memd.settings import Settings
from tests.support.dict_rows import dict_row
from tests.support.postgres import FAST
from tests.support.service import BASE, add_user, serving


@pytest.fixture(scope="module")
def owner(enterable_folder: Path) -> Iterator[str]:
    """The conninfo of a plain owner of a database; the server has memd's roles, and logins that are members of them."""
    with EmbeddedPostgres(enterable_folder / "separate", FAST) as server:
        with psycopg.connect(server.conninfo, autocommit=True) as superuser:
            for statement in (
                "CREATE ROLE owner LOGIN IN ROLE memd_app, memd_system",
                "CREATE ROLE requests LOGIN IN ROLE memd_app",
                "CREATE ROLE jobs LOGIN IN ROLE memd_system",
                "CREATE ROLE twofold LOGIN IN ROLE memd_app, memd_system",
                "CREATE ROLE stranger LOGIN CREATEROLE",
                "CREATE DATABASE theirs OWNER owner",
            ):
                superuser.execute(statement.encode())
        theirs = make_conninfo(server.conninfo, dbname="theirs")
        with psycopg.connect(theirs, autocommit=True) as superuser:
            superuser.execute("CREATE EXTENSION vector")
        conninfo = make_conninfo(theirs, user="owner")
        migrate(conninfo)
        yield conninfo


def login(owner: str, name: str) -> str:
    return make_conninfo(owner, user=name)


def logins_finding(settings: Settings) -> Finding:
    return next(finding for finding in run_checks(settings) if finding.check == "logins")


def words_finding(settings: Settings) -> Finding:
    return next(finding for finding in run_checks(settings) if finding.check == "words")


@pytest.fixture
def settings(owner: str, service_settings: Settings) -> Settings:
    """Settings that name all three logins."""
    names = {"database_app_url": login(owner, "requests"), "database_system_url": login(owner, "jobs")}
    return service_settings.model_copy(update={"database_url": owner, **names})


async def test_the_service_works_by_logins_that_are_mere_members(owner: str, settings: Settings) -> None:
    async with serving(settings, owner) as services:
        user_id, key = await add_user(services)
        transport = httpx.ASGITransport(build(services))
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
            kept = await http.post("/api/mcp/capture", json={"title": "Mine", "content": "Only mine"})
            assert kept.status_code == 200, kept.text
            assert (await http.post("/api/keys", json={})).status_code == 201
            assert "Only mine" in (await http.get("/api/memories")).text
        async with services.database.read(user_id) as session:
            assert await dict_row(session, "SELECT current_user AS now, session_user AS login") == {
                "now": "requests",
                "login": "requests",
            }


async def test_an_owner_who_is_no_superuser_backs_up_and_restores(
    owner: str, settings: Settings, tmp_path: Path
) -> None:
    async with serving(settings, owner) as services:
        await add_user(services)
    superuser = make_conninfo(owner, user="postgres", dbname="postgres")
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("CREATE DATABASE second OWNER owner")
    with psycopg.connect(superuser, dbname="second", autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    second = make_conninfo(owner, dbname="second")
    file = tmp_path / "memd.backup"
    names = {"database_app_url": None, "database_system_url": None, "data_dir": tmp_path / "data"}
    target = settings.model_copy(update={**names, "database_url": second})
    await asyncio.to_thread(backup.backup, settings, file)
    await asyncio.to_thread(backup.restore, target, file)
    count = "SELECT count(*) FROM api_key"
    with psycopg.connect(owner) as before, psycopg.connect(second) as after:
        assert before.execute(count).fetchone() == after.execute(count).fetchone() != (0,)
        assert after.execute("SELECT relforcerowsecurity FROM pg_class WHERE relname = 'api_key'").fetchone() == (True,)


def test_doctor_is_content_with_three_logins(settings: Settings) -> None:
    assert logins_finding(settings).state is State.OK


@pytest.mark.parametrize(
    ("app", "system", "sentences"),
    [
        ("requests", "jobs", []),
        ("jobs", "requests", ["not a member of memd_app", "may also act as memd_system", "not a member", "memd_app"]),
        (
            "twofold",
            "jobs",
            ["MEMD_DATABASE_APP_URL: twofold may also act as memd_system: REVOKE memd_system FROM twofold;"],
        ),
        (
            "requests",
            "postgres",
            ["MEMD_DATABASE_SYSTEM_URL: row policies do not bind postgres", "power", "owns tables"],
        ),
        ("requests", "owner", ["owner owns tables", "may also act as memd_app"]),
        ("stranger", "jobs", ["NOCREATEROLE", "GRANT memd_app TO stranger;"]),
    ],
)
def test_logins_that_may_too_much_or_too_little_are_named(
    owner: str, app: str, system: str, sentences: list[str]
) -> None:
    logins = separate_logins(owner, login(owner, app), login(owner, system))
    if not sentences:
        check_logins(logins)
        return
    with pytest.raises(ServerRequirementsError) as refused:
        check_logins(logins)
    assert len(refused.value.missing) == len(sentences)
    for sentence, part in zip(refused.value.missing, sentences, strict=True):
        assert part in sentence


def test_doctor_says_that_one_login_for_all_is_weaker(owner: str, service_settings: Settings) -> None:
    finding = logins_finding(service_settings.model_copy(update={"database_url": owner}))
    assert finding.state is State.WARNING
    assert "log in as owner, the owner of the tables" in finding.found
    assert "MEMD_DATABASE_APP_URL" in finding.fix
    superuser = service_settings.model_copy(update={"database_url": login(owner, "postgres")})
    assert "postgres, a superuser" in logins_finding(superuser).found


@pytest.mark.parametrize("name", ["database_app_url", "database_system_url"])
def test_one_of_the_two_settings_alone_is_refused(owner: str, service_settings: Settings, name: str) -> None:
    settings = service_settings.model_copy(update={"database_url": owner, name: login(owner, "requests")})
    with pytest.raises(ServerRequirementsError, match="go together"), database(settings):
        pass


def test_doctor_says_what_makes_the_search_by_words_fast(owner: str, settings: Settings) -> None:
    finding = words_finding(settings)
    assert (finding.state, MARK_LEAKPROOF in finding.fix) == (State.WARNING, True)
    with psycopg.connect(make_conninfo(owner, user="postgres"), autocommit=True) as superuser:
        superuser.execute(MARK_LEAKPROOF.encode())
    assert words_finding(settings).state is State.OK
