"""Numbers, identifiers and unsegmented scripts as parts of a text (contract 11.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.text_analysis.tokens import MAX_CHARACTERS, number_forms, parts, tokens


def parts_of(text):
    """Words and numbers in order; forms of one position are joined by a bar."""
    return [part.word or "|".join(part.forms) for token in tokens(text) for part in parts(token)]


@pytest.mark.rule("11.2 words")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4040", ["4040"]),
        ("-4040", ["4040"]),
        ("#4040", ["4040"]),
        ("ERR-4040", ["err", "4040"]),
        ("err4040", ["err", "4040"]),
        ("Err 4040", ["err", "4040"]),
        ("v3.0.1", ["3.0.1"]),
        ("3.0.1", ["3.0.1"]),
        ("V3.0.1-beta2", ["3.0.1", "beta", "2"]),
        ("node14", ["node", "14"]),
        ("node 14", ["node", "14"]),
        ("E-318", ["e", "318"]),
        ("E318", ["e", "318"]),
        ("UTF-8", ["utf", "8"]),
        ("5kg", ["5", "kg"]),
        ("gpt4.5", ["gpt", "4.5"]),
        ("8th", ["8th|8"]),
        ("41d4", ["41d4"]),
        ("a3f9c2", ["a3f9c2"]),
        ("2023-05-08", ["2023", "05", "08"]),
        ("192.168.0.1", ["192.168.0.1"]),
    ],
)
def test_an_identifier_has_the_parts_of_its_other_spellings(text, expected):
    assert parts_of(text) == expected


@pytest.mark.rule("11.2 words")
@pytest.mark.parametrize(
    ("number", "forms"),
    [
        ("15", {"15"}),
        ("1.5", {"1.5"}),
        ("1,5", {"1.5"}),
        ("1,500", {"1500", "1.500"}),
        ("1.500", {"1500", "1.500"}),
        ("1,234,567", {"1234567"}),
        ("1.234.567", {"1234567"}),
        ("1,234.56", {"1234.56"}),
        ("1.234,56", {"1234.56"}),
        ("3.0.1", {"3.0.1"}),
        ("10.000.1", {"10.000.1"}),
    ],
)
def test_a_number_has_the_forms_of_the_ways_to_write_it(number, forms):
    assert set(number_forms(number)) == forms


def test_different_numbers_share_no_form():
    numbers = ["12", "17", "1.5", "15", "150", "0.15", "4040", "4041", "1,500", "1,501"]
    forms = [form for number in numbers for form in number_forms(number)]
    assert len(forms) == len(set(forms))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foo_bar.baz", ["foo", "bar", "baz"]),
        ("well-known", ["well", "known"]),
        ("https://www.example.com/a/b.html", ["https", "www", "example", "com", "a", "b", "html"]),
        ("bob@example.com", ["bob", "example", "com"]),
        ("l'eau d’orange", ["l", "eau", "d", "orange"]),
        ("sagt—man “Größe”", ["sagt", "man", "größe"]),
        ("Café, 5 €", ["café", "5"]),
        ("", []),
        ("— … !", []),
    ],
)
def test_punctuation_separates(text, expected):
    assert parts_of(text) == expected


@pytest.mark.rule("11.2 lexemes in any language")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("使用 Postgres 18 的", ["使用", "postgres", "18", "的"]),
        ("使用Postgres18的", ["使用", "postgres", "18", "的"]),
        ("黑豹队的防守", ["黑豹", "豹队", "队的", "的防", "防守"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("กรุงเทพ", ["กรุ", "รุง", "งเ", "เท", "ทพ"]),
        ("ລາວ", ["ລາ", "າວ"]),
        ("မြန်မာ", ["မြန်", "န်မာ"]),
        ("한국어", ["한국", "국어"]),
        ("茶", ["茶"]),
    ],
)
def test_scripts_without_blanks_become_overlapping_pairs(text, expected):
    assert parts_of(text) == expected


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("ＡＢＣ１２", "abc12"),
        ("٤٠٤٠", "4040"),
        ("४०४०", "4040"),
        ("co\u00adoperate", "cooperate"),
        ("كـــتاب", "كتاب"),
        ("می\u200cخواهم", "میخواهم"),
        ("Straße", "straße"),
        ("Cafe\u0301", "café"),
    ],
)
def test_width_digits_and_invisible_characters_make_no_difference(text, same):
    assert parts_of(text) == parts_of(same)


def test_hindi_vowel_signs_belong_to_their_word():
    assert parts_of("भारत की राजधानी") == ["भारत", "की", "राजधानी"]


def test_long_runs_are_cut_and_cost_no_more_than_their_length():
    assert parts_of("x" * 100_000) == ["x" * MAX_CHARACTERS]
    assert parts_of("a_" * 50_000) == ["a"] * 50_000
    assert parts_of("1." * 50_000) == [("1." * MAX_CHARACTERS)[:MAX_CHARACTERS]]
    assert len(parts_of("a1" * 50_000)) == 1


@given(st.text())
def test_any_text_has_parts_that_are_neither_empty_nor_too_long(text):
    for token in tokens(text):
        for part in parts(token):
            for form in part.forms if part.word is None else (part.word,):
                assert 0 < len(form) <= MAX_CHARACTERS
                assert not set("\0 :") & set(form)


@given(st.text(alphabet="abc019.,-_ '", max_size=40))
def test_ascii_is_read_as_any_other_text_is(text):
    assert parts_of(text) == parts_of(text + " é")[:-1]
