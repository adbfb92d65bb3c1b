import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.text.sentences import cut_words, is_code, is_question, sentences

TEXT = st.text(alphabet=st.sampled_from("ab A.!?\n`<>-*1…é。 "), max_size=120)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We went home. It rained!", ["We went home.", "It rained!"]),
        ("Dr. Osei called. She was late.", ["Dr. Osei called.", "She was late."]),
        ("It costs 3.50 euros. Fine.", ["It costs 3.50 euros.", "Fine."]),
        ("Version 2.1.4 is out. Update now.", ["Version 2.1.4 is out.", "Update now."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("Wait... and then it worked. Good.", ["Wait... and then it worked.", "Good."]),
        ("J. Smith agreed. So did we.", ["J. Smith agreed.", "So did we."]),
        ("今日は雨です。明日は晴れです。", ["今日は雨です。", "明日は晴れです。"]),
        ("no end at all", ["no end at all"]),
        ("i live in graz. my dog is dr. woof. it rains", ["i live in graz.", "my dog is dr. woof.", "it rains"]),
        ("wait... and then it worked. great", ["wait... and then it worked.", "great"]),
        ("i use e.g. vim. He said so. ok", ["i use e.g. vim.", "He said so. ok"]),
        ("ich hab am 4. dezember um 9 frei. bin im 4. stock", ["ich hab am 4. dezember um 9 frei.", "bin im 4. stock"]),
        ("termin am 4.12. ist auf den 9.12. verschoben", ["termin am 4.12. ist auf den 9.12. verschoben"]),
        ("termin ist am 9.12. ich komme um 8", ["termin ist am 9.12.", "ich komme um 8"]),
        ("I bike to work. what should i eat?", ["I bike to work.", "what should i eat?"]),
        ("Works in U.S. and e.g. in Graz. Fine.", ["Works in U.S. and e.g. in Graz.", "Fine."]),
        ("", []),
        ("...\n\n!!!", []),
    ],
)
def test_prose_is_cut_at_sentence_ends(text, expected):
    assert sentences(text) == expected


def test_list_items_are_sentences_without_their_marker():
    assert sentences("- Buy milk\n* Call Ann\n2. Send the bill") == ["Buy milk", "Call Ann", "Send the bill"]


def test_a_dash_inside_a_sentence_is_kept():
    assert sentences("It was great - we stayed.") == ["It was great - we stayed."]


def test_a_wrapped_line_is_joined():
    assert sentences("We moved the tables\nto another room. Done.") == ["We moved the tables to another room.", "Done."]


@pytest.mark.parametrize(
    "code",
    [
        "```python\nprint('hello. World.')\n```",
        "~~~\nraw text here.\n~~~",
        "```\nnever closed. Still code.",
        "<recalled_context>An old memory. Another.</recalled_context>",
        "> quoted reply. Not mine.",
        "$ make test",
        "import numpy as np",
        "def main():",
        "Traceback (most recent call last):",
        "ValueError: not a number",
        "2026-01-01 10:00:00 ERROR it broke.",
        "for (i = 0; i < n; i++) { total += x[i]; }",
        "SELECT id FROM memory WHERE x = 1",
        "| a | b |",
    ],
)
def test_code_logs_and_quotations_are_left_out(code):
    assert sentences(f"Before it.\n\n{code}\n") == ["Before it."]


@pytest.mark.parametrize(
    "prose",
    [
        "From March we import the data ourselves.",
        "The class meets on Monday.",
        "Run `make release` first.",
        "I love R&D (really).",
    ],
)
def test_prose_with_words_of_code_is_prose(prose):
    assert not is_code(prose)


@pytest.mark.parametrize("question", ["Really?", 'Is it "true?"', "What now?! 😀", "Why??", "本当？"])
def test_questions_end_with_a_question_mark(question):
    assert is_question(question)


@pytest.mark.parametrize("statement", ["Yes.", "Ask me (why?) later.", "No"])
def test_statements_are_no_questions(statement):
    assert not is_question(statement)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("mark", ["?", "？", "? ", "?!", "!", "_"])
def test_a_long_run_of_marks_before_a_word_is_read_in_linear_time(mark: str) -> None:
    assert not is_question(f"We ask{mark * 200_000}now")
    assert is_question(f"Who asks?{mark * 200_000}")


@given(TEXT)
def test_every_sentence_stands_word_for_word_in_the_text(text):
    folded = " ".join(text.split())
    for sentence in sentences(text):
        assert all(part in folded for part in sentence.split(" "))
        assert any(char.isalpha() for char in sentence)


@given(st.text(max_size=80), st.integers(1, 40))
def test_cut_words_keeps_the_limit_and_the_beginning(text, limit):
    cut = cut_words(text, limit)
    assert len(cut) <= limit
    assert text.startswith(cut.removesuffix("…"))


def test_cut_words_ends_at_a_word():
    assert cut_words("alpha beta gamma", 12) == "alpha beta…"
