"""What the shell sets for other servers (PGHOST, PGOPTIONS, ...) has no effect on the embedded Postgres."""

from collections.abc import Mapping
from pathlib import Path

import psycopg
import pytest

from memd.resources import database
from memd.settings import Settings

VARIABLES: Mapping[str, str] = {
    "PGHOST": "db.invalid",
    "PGHOSTADDR": "192.0.2.1",
    "PGPORT": "1",
    "PGUSER": "nobody",
    "PGPASSWORD": "wrong",
    "PGDATABASE": "nothing",
    "PGSERVICE": "nothing",
    "PGSERVICEFILE": "/nowhere",
    "PGSSLMODE": "verify-full",
    "PGSSLNEGOTIATION": "direct",
    "PGGSSENCMODE": "require",
    "PGREQUIREAUTH": "scram-sha-256",
    "PGCHANNELBINDING": "require",
    "PGTARGETSESSIONATTRS": "standby",
    "PGCONNECT_TIMEOUT": "soon",
    "PGAPPNAME": "another",
    "PGOPTIONS": "-c search_path=nowhere -c default_transaction_isolation=serializable",
    "PGTZ": "Asia/Tokyo",
    "PGDATESTYLE": "German",
    "PGCLIENTENCODING": "LATIN1",
}
_SETTINGS = (
    "SELECT current_setting('search_path'), current_setting('TimeZone'), current_setting('DateStyle'),"
    " current_setting('client_encoding'), current_setting('default_transaction_isolation')"
)


@pytest.mark.parametrize("names", [*([name] for name in VARIABLES if name != "PGSSLNEGOTIATION"), [*VARIABLES]])
def test_no_variable_of_libpq_reaches_the_embedded_server(
    migrated: Path, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in names:
        monkeypatch.setenv(name, VARIABLES[name])
    with database(Settings(data_dir=migrated)) as conninfo, psycopg.connect(conninfo) as connection:
        row = connection.execute(_SETTINGS).fetchone()
    assert row == ('"$user", public', "UTC", "ISO, MDY", "UTF8", "read committed")


def test_a_server_of_ones_own_gets_the_variables(
    new_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGAPPNAME", "replica 2")
    settings = Settings(data_dir=tmp_path, database_url=new_database)
    with database(settings) as conninfo, psycopg.connect(conninfo) as connection:
        assert connection.execute("SELECT current_setting('application_name')").fetchone() == ("replica 2",)
