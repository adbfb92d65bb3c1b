"""BM25 over lexemes of Postgres, in the language of the texts."""

from collections.abc import Iterator

import psycopg
import pytest

from memd.db.embedded.server import EmbeddedPostgres
from tests.bench.eval.baselines import Bm25

ENGLISH = ["The cat was sleeping on the mat.", "A dog is running in the park.", "The dogs and the cat of the house."]
GERMAN = ["Die Katze schläft auf der Matte und träumt.", "Der Hund ist nicht in dem Haus, sondern im Garten."]
RUSSIAN = ["Кошка спит на ковре.", "Собаки бегают в парке."]
CHINESE = ["黑豹队的防守只丢了308分", "野马队赢得了超级碗"]


@pytest.fixture(scope="module")
def connection(embedded_postgres: EmbeddedPostgres) -> Iterator[psycopg.Connection]:
    with psycopg.connect(embedded_postgres.conninfo, autocommit=True) as opened:
        yield opened


@pytest.mark.parametrize(
    ("texts", "language"), [(ENGLISH, "english"), (GERMAN, "german"), (RUSSIAN, "russian")], ids=lambda value: value[0]
)
def test_the_language_is_read_from_the_texts(connection: psycopg.Connection, texts: list[str], language: str) -> None:
    assert Bm25(connection, texts).language == language


@pytest.mark.parametrize(
    ("texts", "query", "best"),
    [
        (ENGLISH, "where do dogs run?", [1, 2]),
        (GERMAN, "Hunde in den Häusern", [1]),
        (RUSSIAN, "где бегает собака", [1]),
        (CHINESE, "谁赢得超级碗", [1]),
        (ENGLISH, "zebra", []),
    ],
)
def test_texts_with_the_rarest_words_come_first(connection, texts: list[str], query: str, best: list[int]) -> None:
    assert Bm25(connection, texts).rank([query], 10) == [best]


def test_a_text_without_words_is_never_found(connection: psycopg.Connection) -> None:
    assert Bm25(connection, ["?!", "apple pie"]).rank(["apple", "!"], 10) == [[1], []]
