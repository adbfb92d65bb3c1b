"""`memd backup` while writers write is one instant, and `memd backup verify` proves that a file holds what was there."""

import json
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import httpx
import psycopg
import pytest
from click.testing import CliRunner, Result

from memd.backup import DUMP, MANIFEST, backup, restore
from memd.main import main
from memd.resources import database
from memd.settings import EmbedModel, Settings
from tests.support.daemon import Daemon, run_memd

pytestmark = pytest.mark.e2e
WRITERS = 3
TURNS_BEFORE = 12


@pytest.fixture(autouse=True)
def _temporary_folder(enterable_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Throw-away clusters lie where those of other tests do."""
    monkeypatch.setattr(tempfile, "tempdir", str(enterable_folder))


def write_pairs(url: str, key: str, name: str, ended: threading.Event, acknowledged: list[str]) -> None:
    """Deliver turns without a pause; each is a pair of messages in one transaction."""
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        number = 0
        while not ended.is_set():
            turn = f"{name}-{number}"
            said = {"userMessage": f"Question {turn}?", "assistantMessage": f"Answer {turn}."}
            where = {"sessionKey": name, "channel": "slack", "turnId": turn}
            http.post("/api/mcp/turn", json=where | said).raise_for_status()
            acknowledged.append(turn)
            number += 1


def read(settings: Settings) -> tuple[set[str], list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The turns of a restored database, those that are not whole, and users whose totals differ from their rows."""
    with database(settings) as conninfo, psycopg.connect(conninfo) as connection:
        turns = {row[0] for row in connection.execute("SELECT turn_id FROM turn")}
        halves = connection.execute(
            """
            SELECT coalesce(t.turn_id, m.turn_id), cardinality(t.message_ids), count(m.id), count(i.message_id)
            FROM turn t FULL JOIN message m USING (user_id, turn_id)
            LEFT JOIN message_index i ON i.user_id = m.user_id AND i.message_id = m.id
            GROUP BY 1, 2 HAVING (cardinality(t.message_ids), count(m.id), count(i.message_id)) IS DISTINCT FROM (2, 2, 2)
            """
        ).fetchall()
        wrong = connection.execute(
            """
            SELECT user_id, total_messages, (SELECT count(*) FROM message m WHERE m.user_id = t.user_id) FROM totals t
            WHERE total_messages <> (SELECT count(*) FROM message m WHERE m.user_id = t.user_id)
            """
        ).fetchall()
        return turns, halves, wrong


@pytest.fixture(scope="module")
def backed_up(
    enterable_folder: Path, migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str], list[str]]:
    """A backup taken while writers deliver turns; the turns acknowledged before it began, and all of them."""
    file = tmp_path_factory.mktemp("pairs") / "memd.backup"
    with_words = {"MEMD_EMBED_MODEL": "wordllama"}
    served = Daemon(enterable_folder / "pairs", with_words, ("--workers-off",), forked=True, template=migrated).start()
    try:
        ended, acknowledged = threading.Event(), list[str]()
        writers = [
            threading.Thread(target=write_pairs, args=(served.url, served.key, f"w{number}", ended, acknowledged))
            for number in range(WRITERS)
        ]
        for writer in writers:
            writer.start()
        while len(acknowledged) < TURNS_BEFORE and any(writer.is_alive() for writer in writers):
            ended.wait(0.02)
        before = list(acknowledged)
        try:
            backup(Settings(data_dir=served.data_dir, embed_model=EmbedModel.WORDLLAMA), file)
        finally:
            ended.set()
        for writer in writers:
            writer.join(30)
    finally:
        served.stop()
    return file, before, acknowledged


def test_a_backup_beside_writers_is_one_instant(
    backed_up: tuple[Path, list[str], list[str]], enterable_folder: Path, migrated: Path
) -> None:
    file, before, acknowledged = backed_up
    settings = Settings(data_dir=enterable_folder / "pairs-restored", embed_model=EmbedModel.WORDLLAMA)
    subprocess.run(["cp", "-a", migrated, settings.data_dir], check=True)  # with the owners of the files
    restore(settings, file)
    turns, halves, wrong = read(settings)
    assert (halves, wrong) == ([], [])
    assert set(before) <= turns <= set(acknowledged) | {f"w{number}-{len(acknowledged)}" for number in range(WRITERS)}
    assert len(acknowledged) > len(before)


def test_verify_restores_and_compares(backed_up: tuple[Path, list[str], list[str]]) -> None:
    done = run_memd("backup", "verify", backed_up[0])
    assert (done.returncode, done.stderr) == (0, "")
    assert "is intact" in done.stdout


def verified(file: Path) -> Result:
    """`memd backup verify` in this process."""
    return CliRunner().invoke(main, ["backup", "verify", str(file)], catch_exceptions=False)


def altered(source: Path, target: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    """A copy of a backup with one of its members changed."""
    with tarfile.open(source) as old, tarfile.open(target, "w") as new:
        for member in old:
            data = old.extractfile(member)
            assert data is not None
            content = change(data.read()) if member.name == name else data.read()
            member.size = len(content)
            new.addfile(member, BytesIO(content))
    return target


def more_rows(manifest: bytes) -> bytes:
    fields = json.loads(manifest)
    fields["tables"]["message"]["rows"] += 1
    fields["tables"]["totals"]["hash"] = "7"
    return json.dumps(fields).encode()


def without_digests(manifest: bytes) -> bytes:
    fields = json.loads(manifest)
    del fields["tables"]
    return json.dumps(fields).encode()


@pytest.mark.parametrize(
    ("member", "change", "messages"),
    [
        (MANIFEST, more_rows, ["message: ", "totals: the contents of 1 rows differ"]),
        (DUMP, lambda dump: dump[: len(dump) // 2], ["Error: "]),
        (MANIFEST, without_digests, ["recorded no hashes"]),
        (MANIFEST, lambda manifest: manifest + b" " * (2 << 20), ["is too large"]),
    ],
    ids=["rows that are missing and others", "a dump cut off", "an older backup", "a manifest of two megabytes"],
)
def test_a_file_that_does_not_hold_what_was_there_is_refused(
    backed_up: tuple[Path, list[str], list[str]],
    tmp_path: Path,
    member: str,
    change: Callable[[bytes], bytes],
    messages: list[str],
) -> None:
    bad = altered(backed_up[0], tmp_path / "bad.backup", member, change)
    done = verified(bad)
    assert (done.exit_code, done.stderr.startswith("Error: "), "Traceback" in done.stderr) == (1, True, False)
    assert [text for text in messages if text not in done.stderr] == []
