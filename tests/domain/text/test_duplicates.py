import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.text.duplicates import content_hash, message_hash, near_duplicate_key

TITLE = "Eight ch"
LONG = "x" * 160
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def test_content_hash_is_sha256_hex_of_the_content():
    assert content_hash("a memory") == hashlib.sha256(b"a memory").hexdigest()


@pytest.mark.parametrize("other", ["a\r\nb", "  a\nb", "a\nb\n", "\r\na\r\nb\r\n", "\ta\nb  "])
def test_content_hash_ignores_cr_lf_and_outer_blanks(other):
    assert content_hash(other) == content_hash("a\nb")


@pytest.mark.parametrize("other", ["A\nb", "a\n\nb", "a \nb", "a\rb", "á\nb"])
def test_content_hash_is_byte_for_byte_otherwise(other):
    assert content_hash(other) != content_hash("a\nb")


@pytest.mark.rule("7.5.3")
@pytest.mark.parametrize("other", ["hello\r\nworld", " hello\nworld "])
def test_message_hash_normalises_the_content(other):
    assert message_hash("user", other) == message_hash("user", "hello\nworld")


@pytest.mark.rule("7.5.3")
def test_message_hash_tells_roles_apart():
    assert message_hash("user", "hello") != message_hash("assistant", "hello")


@pytest.mark.rule("11.1.8")
def test_near_duplicates_share_title_and_first_160_characters():
    assert near_duplicate_key(TITLE, LONG + "one") == near_duplicate_key(TITLE, LONG + "two") is not None


@pytest.mark.rule("11.1.8")
@pytest.mark.parametrize(
    ("title", "content"),
    [("Eight cg", LONG), (TITLE, "y" + LONG[1:]), (TITLE, LONG[:159] + "y")],
)
def test_another_title_or_beginning_is_no_near_duplicate(title, content):
    assert near_duplicate_key(title, content) != near_duplicate_key(TITLE, LONG)


@pytest.mark.rule("11.1.8")
@pytest.mark.parametrize(("title", "content"), [("Seven c", LONG), (TITLE, "x" * 159), ("", "")])
def test_a_short_title_or_content_is_a_near_duplicate_of_nothing(title, content):
    assert near_duplicate_key(title, content) is None


@given(TEXT)
def test_content_hash_of_a_trimmed_content_is_the_same(content):
    assert content_hash(f"\n {content}\t ") == content_hash(content)
