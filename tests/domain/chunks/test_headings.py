import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.chunks.headings import heading_offsets


def headings(text):
    return [text[offset:].lstrip().split("\n")[0].rstrip() for offset in heading_offsets(text)]


@pytest.mark.parametrize("marks", ["#", "##", "######", "   #"])
def test_a_line_with_up_to_six_number_signs_is_a_heading(marks):
    assert headings(f"intro\n{marks} Title\ntext") == [f"{marks} Title".lstrip()]


@pytest.mark.parametrize("line", ["#Title", "####### Title", "    # Title", "a # b", "#", "\\# Title"])
def test_other_number_signs_are_not(line):
    assert headings(f"intro\n{line}\ntext") == []


@pytest.mark.parametrize("under", ["===", "-----", "=== ", "===\r"])
def test_an_underlined_line_is_a_heading(under):
    assert headings(f"intro\n\nTitle\n{under}\ntext") == ["Title"]


@pytest.mark.parametrize("text", ["\n---\ntext", "| a |\n|---|\n", "Title\n--", "- item\n---\n", "Title\n\n==="])
def test_rules_and_tables_are_not(text):
    assert headings(text) == []


def test_the_first_line_may_be_one():
    assert list(heading_offsets("# A\n\n## B\n")) == [0, 5]


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "  ```"])
def test_comments_in_fenced_code_are_not(fence):
    assert headings(f"{fence}sh\n# comment\n{fence}\n# Title") == ["# Title"]


def test_a_fence_is_closed_by_one_of_its_kind_and_length_only():
    text = "````\n```\n# a\n~~~~\n# b\n```` x\n# c\n`````\n# Title"
    assert headings(text) == ["# Title"]


def test_a_line_with_inline_code_opens_no_fence():
    assert headings("```x``` is code\n# Title") == ["# Title"]


def test_an_unclosed_fence_reaches_to_the_end():
    assert headings("# A\n```\n# b\n# c") == ["# A"]


@given(st.text("#`~=-\n \rab", max_size=200))
def test_a_heading_begins_a_line(text):
    offsets = list(heading_offsets(text))
    assert offsets == sorted(set(offsets))
    assert all(offset == 0 or text[offset - 1] == "\n" for offset in offsets)
