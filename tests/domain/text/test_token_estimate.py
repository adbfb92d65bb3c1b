"""Token estimates: texts are cut at sentences and words, and texts that share a budget never exceed it."""

from hypothesis import given
from hypothesis import strategies as st

from memd.domain.text.token_estimate import estimate_tokens, fit_lines, truncate_to_tokens
from tests.support.calls import calls_of

PROSE = "The deployment is done on Mondays. Anna keeps the invoices in the second drawer. Nothing else is known."


def test_an_empty_text_costs_nothing_and_more_text_costs_more() -> None:
    assert estimate_tokens("") == 0
    assert 0 < estimate_tokens("short") <= estimate_tokens("short and longer")


def test_an_identifier_costs_more_than_a_word_of_its_length() -> None:
    assert estimate_tokens("mem_01m7yw9thmezt8dazqksafd50e") > 2 * estimate_tokens("internationalisationprocedures")


@given(st.text(), st.integers(1, 60))
def test_a_truncated_text_keeps_to_its_budget_and_begins_like_the_text(text: str, most: int) -> None:
    short = truncate_to_tokens(text, most)
    assert estimate_tokens(short) <= max(most, 2 * estimate_tokens("…"))
    assert short == text or text.startswith(short.removesuffix("…"))


def test_a_text_ends_at_a_sentence_or_else_at_a_word() -> None:
    assert truncate_to_tokens(PROSE, estimate_tokens(PROSE) - 1).endswith("in the second drawer.…")
    assert truncate_to_tokens(PROSE, 14) == "The deployment is done on Mondays.…"
    assert truncate_to_tokens("one two three four five six", 5) == "one two three…"


@given(st.lists(st.text(), max_size=12), st.integers(20, 400))
def test_texts_share_a_budget(texts: list[str], budget: int) -> None:
    fitted = fit_lines(texts, budget)
    assert len(fitted) == len(texts)
    ellipses = sum(2 * estimate_tokens("…") for short, text in zip(fitted, texts, strict=True) if short != text)
    assert sum(map(estimate_tokens, fitted)) <= budget + ellipses


def test_short_texts_stay_whole_and_long_ones_share_what_is_left() -> None:
    short, *long = fit_lines(["Anna.", PROSE * 20, PROSE * 20], 100)
    assert short == "Anna."
    assert all(40 < estimate_tokens(text) <= 50 for text in long)


def test_texts_are_read_no_further_than_they_may_be_shown() -> None:
    """A hundred messages of 94 KB, of which a tool shows a line each, stopped all requests for two seconds."""

    def fit(text: str) -> object:
        return fit_lines([text] * 20, 400), truncate_to_tokens(text, 20)

    short, long = PROSE * 20, PROSE * 1_000
    assert fit(long) == fit(short)
    assert calls_of(fit, long) <= calls_of(fit, short) + 50
