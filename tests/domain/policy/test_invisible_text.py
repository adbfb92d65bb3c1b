"""Contract 12, invisible_unicode: what is taken out before storing, and what stays because the text needs it."""

import sys
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.wire.invisible import open_bidi, without_invisible

REMOVED = [0x00AD, 0x061C, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0x206A, 0x206F, 0xFEFF]
NEEDED = {
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "heart on fire": "\u2764\ufe0f\u200d\U0001f525",
    "flag of England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Latin word with Persian ending": "API\u200c\u0647\u0627\u06cc",
    "Devanagari": "\u0915\u094d\u200d\u0937 \u0930\u094d\u200d\u092f",
    "Sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "Malayalam": "\u0d05\u0d35\u0d28\u0d4d\u200d",
    "Khmer words": "\u1797\u17b6\u179f\u17b6\u200b\u1781\u17d2\u1798\u17c2\u179a",
    "mark beside Hebrew": "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd (v2)\u200f!",
    "ideographic variant": "\u8fbb\U000e0100\u3055\u3093",
    "closed isolate": "Hello \u2068Anna\u2069",
    "closed embedding": "call \u202a+972 50\u202c now",
}


@pytest.mark.rule("12 invisible_unicode")
@pytest.mark.parametrize("code", REMOVED, ids=lambda code: f"{code:04x}")
@pytest.mark.parametrize(
    "form", ["pay{}load", "{}payload", "payload{}", "pay {} load", "pay{0}{0}{0}load", "\u00e9{}\U0001f600"]
)
def test_what_plain_text_picks_up_goes(code: int, form: str) -> None:
    assert without_invisible(form.format(chr(code))) == form.replace("{0}", "").format("")


@pytest.mark.rule("12 invisible_unicode")
@pytest.mark.parametrize("text", NEEDED.values(), ids=NEEDED.keys())
def test_what_a_text_needs_stays(text: str) -> None:
    assert without_invisible(text) == text


def test_one_of_a_run_stays_where_the_script_needs_one() -> None:
    assert without_invisible("\u0645\u06cc\u200c\u200c\u200b\u200c\u0631") == "\u0645\u06cc\u200c\u0631"


def calls_for(text: str) -> int:
    """The Python functions that are called to clean a text which is clean already."""
    calls = 0

    def count(_frame: FrameType, event: str, _value: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        shown = without_invisible(text)
    finally:
        sys.setprofile(None)
    assert shown == text
    return calls


def test_a_text_with_a_zero_width_space_after_every_word_is_read_by_the_pattern_alone() -> None:
    word = "\u0e04\u0e33\u200b"
    assert calls_for(word * 1000) == calls_for(word)


@pytest.mark.parametrize("mark", ["\u200e", "\u200f", "\u061c", "\u200b", "\u200d"])
def test_a_long_run_of_invisible_characters_is_read_in_linear_time(mark: str) -> None:
    assert without_invisible(f"a{mark * 200_000}b") == "ab"


@pytest.mark.parametrize("mark", ["\u200e", "\u200f", "\u061c"])
def test_one_mark_of_a_run_stays_near_right_to_left_letters(mark: str) -> None:
    assert without_invisible(f"\u05d0 (v2){mark * 40}!") == f"\u05d0 (v2){mark}!"
    assert without_invisible(f"{'a' * 16}{mark * 40}{'b' * 16}\u05d0") == f"{'a' * 16}{'b' * 16}\u05d0"


def test_a_joiner_after_an_emoji_goes_where_no_emoji_follows() -> None:
    assert without_invisible("\U0001f600\u200dhello") == "\U0001f600hello"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\u2069b", "ab"), ("a\u202cb", "ab"), ("\u2069\u202c", ""), ("a\u2066b\u2069\u2069", "a\u2066b\u2069")],
)
def test_what_closes_nothing_goes(text: str, shown: str) -> None:
    assert without_invisible(text) == shown


def test_open_isolates_are_found_by_line() -> None:
    assert open_bidi("a\u2066b\u2069 \u2067c\nd\u2069") == {5}
    assert open_bidi("\u202a\u2066\u202c\u2069") == {0}
    assert open_bidi("plain") == set()


@given(
    st.text(
        st.sampled_from(
            "ab \n\u00e9\u0645\u0e01\u05d0\U0001f600\ufe0f" + "".join(map(chr, REMOVED)) + "\u202a\u202c\u2066\u2069"
        )
    )
)
def test_twice_is_once_and_visible_characters_stay(text: str) -> None:
    once = without_invisible(text)
    assert without_invisible(once) == once
    gone = "".join(map(chr, REMOVED)) + "\u202c\u2069"
    assert [char for char in once if char not in gone] == [char for char in text if char not in gone]
