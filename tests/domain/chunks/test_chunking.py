import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.chunks.chunking import split

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
PIECES = st.sampled_from(
    [
        *(
            "a",
            "word",
            "Sentence.",
            "Why?",
            "“Quoted.”",
            "3.14",
            "漢字",
            "仮名。",
            FAMILY,
            "e\u0301",
            "x" * 30,
            "```",
            "---",
        ),
        *(" ", " ", " ", "\n", "\n\n", "\r\n", "\r\n\r\n", " \n \n", "\n# ", "\n## ", "\t", "\u00a0", "\n\n\n"),
    ]
)
TEXT = st.one_of(st.lists(PIECES, max_size=120).map("".join), st.text(max_size=400))
SIZE = st.integers(1, 120)


def spans(text, parts):
    """Where the parts are in the text, each found behind the one before."""
    found = []
    offset = 0
    for part in parts:
        offset = text.index(part, offset)
        found.append((offset, offset + len(part)))
        offset += len(part)
    return found


@given(TEXT, SIZE)
def test_nothing_but_white_space_around_cuts_is_lost(text, size):
    found = spans(text, split(text, chunk_size=size))
    edges = [0, *(edge for span in found for edge in span), len(text)]
    assert not "".join(text[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2)).strip()


@given(TEXT, SIZE, st.integers(0, 60), st.sampled_from([None, "\n", "---", "a"]))
def test_parts_are_trimmed_not_empty_and_never_over_the_size(text, size, overlap, delimiter):
    parts = split(text, chunk_size=size, overlap=min(overlap, size // 2), delimiter=delimiter)
    assert all(part == part.strip() and 0 < len(part) <= size for part in parts)


@pytest.mark.rule("8.4 raw split")
@given(TEXT, SIZE)
def test_parts_are_filled_so_that_no_two_neighbours_would_fit_into_one(text, size):
    assert all(right[1] - left[0] > size for left, right in pairwise(spans(text, split(text, chunk_size=size))))


@given(TEXT, SIZE)
def test_words_that_fit_are_not_cut(text, size):
    longest = max(map(len, text.split()), default=0)
    if longest <= size // 8 and not re.search(r"[。]", text):
        assert [word for part in split(text, chunk_size=size) for word in part.split()] == text.split()


@given(TEXT, SIZE)
def test_the_same_text_gives_the_same_parts(text, size):
    assert split(text, chunk_size=size) == split(str(text), chunk_size=size)


@pytest.mark.parametrize("text", ["", " \n\t", "\n\n\n"])
def test_a_blank_text_has_no_parts(text):
    assert split(text) == []


def test_a_text_within_the_size_is_one_part():
    text = "# A\n\none\n\n# B\n\ntwo"
    assert split(f"\n{text}\n") == [text]


def test_a_text_of_exactly_the_size_is_one_part():
    assert split("word " * 239 + "words") == ["word " * 239 + "words"]


def test_the_size_counts_code_points():
    assert split("é" * 200 + "\U0001f600" * 200, chunk_size=200) == ["é" * 200, "\U0001f600" * 200]


SECTION = "# Head\n\nOne line.\nTwo lines.\n\nAnother paragraph here."


@pytest.mark.rule("8.4 raw split")
def test_sections_that_fit_begin_at_their_headings():
    assert split(f"{SECTION}\n\n{SECTION}\n\n{SECTION}", chunk_size=80) == [SECTION] * 3


@pytest.mark.rule("8.4 raw split")
def test_sections_are_joined_while_they_fit():
    assert split(f"{SECTION}\n\n{SECTION}\n\n{SECTION}", chunk_size=120) == [f"{SECTION}\n\n{SECTION}", SECTION]


@pytest.mark.rule("8.4 raw split")
def test_a_heading_beats_a_blank_line_that_would_fill_more():
    text = "# A\n\none paragraph\n\n# B\n\nsecond paragraph here\n\nthird paragraph, longer"
    assert split(text, chunk_size=40) == [
        "# A\n\none paragraph",
        "# B\n\nsecond paragraph here",
        "third paragraph, longer",
    ]


def test_a_comment_in_code_is_no_heading():
    text = f"intro text\n\n```\nfirst = 1\n# comment\nsecond = 2\n```\n\n{'closing words. ' * 3}"
    assert split(text, chunk_size=60)[0] == "intro text\n\n```\nfirst = 1\n# comment\nsecond = 2\n```"


def test_a_heading_is_not_left_without_its_text():
    text = "## A\n\n" + "words of the first line\n" * 10
    assert split(text, chunk_size=60)[0] == "## A\n\nwords of the first line\nwords of the first line"


@pytest.mark.rule("8.4 raw split")
@pytest.mark.parametrize("blank", ["\n\n", "\r\n\r\n", "\n \t\n", "\n\n\n"])
def test_blank_lines_come_before_line_ends(blank):
    text = f"first line\nsecond line{blank}third line\nfourth line\nfifth line"
    assert split(text, chunk_size=40) == [
        "first line\nsecond line",
        "third line\nfourth line\nfifth line",
    ]


@pytest.mark.rule("8.4 raw split")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_come_before_sentence_ends(end):
    text = f"One. Two. Three.{end}Four. Five. Six. Seven."
    assert split(text, chunk_size=30) == ["One. Two. Three.", "Four. Five. Six. Seven."]


@pytest.mark.rule("8.4 raw split")
@pytest.mark.parametrize("stop", [".", "!", "?", "…", ".”", '."', ".)"])
def test_sentence_ends_come_before_words(stop):
    assert split(f"One two three{stop} Four five six seven", chunk_size=30) == [
        f"One two three{stop}",
        "Four five six seven",
    ]


@pytest.mark.parametrize("stop", ["。", "！", "？", "。」"])
def test_sentence_ends_without_blanks(stop):
    assert split(f"漢字仮名{stop}漢字仮名漢字", chunk_size=10) == [f"漢字仮名{stop}", "漢字仮名漢字"]


@pytest.mark.parametrize("inner", ["e.g. four", "3.14 four", "a.b four"])
def test_a_full_stop_inside_a_sentence_does_not_end_it(inner):
    text = f"One two three {inner} five. Six seven"
    assert split(text, chunk_size=len(text) - 2)[0] == f"One two three {inner} five."


@pytest.mark.rule("8.4 raw split")
def test_then_words():
    assert split("one two three four five", chunk_size=10) == ["one two", "three four", "five"]


def test_a_boundary_right_at_the_size_counts():
    assert split(f"{'a' * 30}\n\n{'b' * 30}\n\n{'c' * 30}", chunk_size=30) == ["a" * 30, "b" * 30, "c" * 30]


def test_a_long_word_stays_whole_where_it_can():
    assert split(f"see {'x' * 30} there", chunk_size=30) == ["see", "x" * 30, "there"]


def test_a_run_without_boundaries_is_cut_at_the_size():
    assert split("x" * 70, chunk_size=30) == ["x" * 30, "x" * 30, "x" * 10]


@pytest.mark.parametrize("whole", [FAMILY, "e\u0301", "\U0001f1e9\U0001f1ea", "\U0001f44d\U0001f3fd"])
def test_what_a_reader_sees_as_one_character_is_not_cut(whole):
    parts = split(whole * 40, chunk_size=21)
    assert "".join(parts) == whole * 40
    assert all(len(part) % len(whole) == 0 for part in parts)


@pytest.mark.parametrize(
    "unit",
    [
        "x",
        FAMILY,
        "e\u0301",
        "漢字仮名",
        "a\n",
        "a. ",
        "word ",
        "- item\n",
        "# h\n",
        "[",
        "`",
        "\n",
        "a" + " " * 999,
        "```\n",
    ],
)
@pytest.mark.parametrize(("size", "overlap"), [(1200, 0), (1200, 600)])
@pytest.mark.long_form
def test_a_megabyte_of_anything_is_split(unit, size, overlap, of_size):
    text = unit * (of_size(200_000, 1_000_000) // len(unit))
    parts = split(text, chunk_size=size, overlap=overlap)
    assert all(len(part) <= size for part in parts)
    kept = sum(len(part) - part.count(" ") - part.count("\n") for part in parts)
    assert kept >= len("".join(text.split()))


WORDS = st.lists(st.sampled_from([" ", " ", " ", "\n", "\n\n", ". ", "\n\n# "]), min_size=1, max_size=150)


@given(WORDS, st.integers(20, 90), st.integers(0, 45))
def test_neighbours_share_at_most_the_overlap_in_whole_words(separators, size, overlap):
    overlap = min(overlap, size // 2)
    text = "".join(f"w{number:03}{separator}" for number, separator in enumerate(separators)).rstrip("# \n")
    ranges = [
        [int(word) for word in re.findall(r"w(\d{3})", part)] for part in split(text, chunk_size=size, overlap=overlap)
    ]
    assert all(numbers == list(range(numbers[0], numbers[-1] + 1)) for numbers in ranges)
    assert sorted({number for numbers in ranges for number in numbers}) == list(range(len(separators)))
    for left, right in pairwise(ranges):
        shared = text.find(f"w{left[-1]:03}") + 4 - text.find(f"w{right[0]:03}")
        assert left[0] <= right[0] <= left[-1] + 1
        assert left[-1] < right[-1]
        assert shared <= overlap


def test_the_overlap_is_the_end_of_the_part_before():
    assert split("one two three four five six", chunk_size=14, overlap=6) == [
        "one two three",
        "three four",
        "four five six",
    ]


def test_an_unbroken_run_overlaps_by_characters():
    text = "".join(chr(ord("a") + number % 26) for number in range(50))
    assert split(text, chunk_size=20, overlap=5) == [text[0:20], text[15:35], text[30:50]]


def test_an_overlap_leaves_a_single_part_alone():
    assert split("one two", chunk_size=200, overlap=100) == ["one two"]


@pytest.mark.rule("8.4 delimiter")
def test_a_delimiter_cuts_at_each_of_its_places():
    assert split("a\n---\nb\n---\nc", delimiter="\n---\n") == ["a", "b", "c"]


@pytest.mark.rule("8.4 delimiter")
def test_parts_of_a_delimiter_are_not_joined_and_blank_ones_are_left_out():
    assert split("||a|| ||b c||", delimiter="||") == ["a", "b c"]


@pytest.mark.rule("8.4 delimiter")
def test_only_a_part_over_the_size_is_split_further():
    text = f"short;{'one two three four'};end. Of it"
    assert split(text, chunk_size=10, delimiter=";") == ["short", "one two", "three four", "end. Of it"]


def test_the_delimiter_is_no_pattern():
    assert split("a.b.c", delimiter=".") == ["a", "b", "c"]


def test_a_delimiter_that_is_not_there_leaves_the_usual_split():
    assert split(SECTION, chunk_size=30, delimiter="@@") == split(SECTION, chunk_size=30)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="|"), max_size=40), max_size=12), SIZE)
def test_each_piece_between_delimiters_is_split_for_itself(pieces, size):
    expected = [part for piece in pieces for part in split(piece, chunk_size=size)]
    assert split("|".join(pieces), chunk_size=size, delimiter="|") == expected
