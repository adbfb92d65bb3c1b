import pytest

from memd.domain.ranking.message_wording import asks, asks_when, is_question, names_speaker, search_phrase


@pytest.mark.rule("11.4 candidates", "11.4 rank")
@pytest.mark.parametrize(
    ("query", "phrase"),
    [
        ("where is the boat", "where is the boat"),
        ('  "where is  the boat" ', "where is the boat"),
        ("'red boat'", "red boat"),
        ("“red boat”", "red boat"),
        ("«red boat»", "red boat"),
        ("\"'red boat'\"", "'red boat'"),
        ('"red boat', '"red boat'),
        ("boat", None),
        ('"boat"', None),
        ('"', None),
        ("", None),
    ],
)
def test_the_phrase_is_the_query_without_one_pair_of_outer_quotes(query, phrase):
    assert search_phrase(query) == phrase


@pytest.mark.rule("11.4 rank")
@pytest.mark.parametrize(
    ("query", "speaker", "named"),
    [
        ("when did Caroline go", "Caroline", True),
        ("what is caroline's plan", "Caroline", True),
        ("what did ann lee say", "Ann Lee", True),
        ("what did Lee say", "Ann Lee", True),
        ("where is the boat", "The Boss", False),
        ("will he come", "Will Smith", False),
        ("caroline-like", "Carol", False),
        ("when did he go", "Caroline", False),
        ("who spoke", None, False),
        ("who spoke", "?", False),
    ],
)
def test_a_query_names_the_speaker_by_full_name_or_by_a_part_with_its_capital(query, speaker, named):
    assert names_speaker(query, speaker) is named


@pytest.mark.rule("11.4 rank")
@pytest.mark.parametrize(
    ("content", "question"),
    [("why?", True), ("why? \n", True), ("为什么？", True), ("لماذا؟", True), ("why? no", False), ("", False)],
)
def test_a_question_ends_with_a_question_mark(content, question):
    assert asks(content) is question


@pytest.mark.parametrize(
    ("query", "question"),
    [("Who rowed", True), ("is it open", True), ("куда?", True), ("whoever rowed", False), ("the boat of Ann", False)],
)
def test_a_query_asks_by_its_mark_or_by_its_first_word(query, question):
    assert is_question(query) is question


@pytest.mark.parametrize(
    ("query", "when"),
    [
        ("When did she go?", True),
        ("since when is it open", True),
        ("How long did it take", True),
        ("in which year was it", True),
        ("what time is it", True),
        ("what did he say when she left", False),
        ("whenever", False),
        ("how far is it", False),
    ],
)
def test_a_query_asks_for_a_time_when_it_begins_so(query, when):
    assert asks_when(query) is when
