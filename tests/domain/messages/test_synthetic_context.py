import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.messages.synthetic_context import SkipReason, UserText, strip_synthetic_context

OPEN, CLOSE = "<recalled_context>", "</recalled_context>"
ONLY = UserText("", SkipReason.SYNTHETIC_CONTEXT_ONLY)
MALFORMED = UserText("", SkipReason.MALFORMED_SYNTHETIC_CONTEXT)
WORDS = st.text(st.characters(exclude_characters="<"), max_size=20)
BLOCKS = st.recursive(
    WORDS.map(lambda text: f"{OPEN}{text}{CLOSE}"),
    lambda inner: st.builds(
        lambda blocks, text: f"{OPEN}{''.join(blocks)}{text}{CLOSE}", st.lists(inner, max_size=3), WORDS
    ),
    max_leaves=6,
)


@pytest.mark.parametrize(
    "text", ["Hello", "  Hello \n", "a < b", "", "I read <recalled_context> in the log", "<recalled_contexts>x"]
)
def test_a_text_without_a_leading_block_stays_as_it_is(text):
    assert strip_synthetic_context(text) == UserText(text)


@pytest.mark.rule("7.5.1")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{OPEN}old{CLOSE}\n\nHello ", "Hello "),
        (f" \n{OPEN}old{CLOSE}Hello", "Hello"),
        (f"{OPEN}a{CLOSE}\n{OPEN}b{CLOSE} Hello", "Hello"),
        (f"{OPEN}a {OPEN}b{CLOSE} c{CLOSE}Hello", "Hello"),
        (f'<recalled_context source="wake">a{CLOSE}Hello', "Hello"),
        (f"{OPEN}a{CLOSE}Hello {OPEN}mine{CLOSE}", f"Hello {OPEN}mine{CLOSE}"),
        (f"{OPEN}a{CLOSE}Hello {CLOSE}", f"Hello {CLOSE}"),
        (f"{OPEN}a{CLOSE}Hello {OPEN}", f"Hello {OPEN}"),
    ],
)
def test_leading_blocks_are_removed(text, words):
    assert strip_synthetic_context(text) == UserText(words)


@pytest.mark.rule("7.5.2")
@pytest.mark.parametrize(
    "text", [f"{OPEN}{CLOSE}", f" {OPEN}old{CLOSE}\n", f"{OPEN}a{CLOSE} {OPEN}{OPEN}b{CLOSE}{CLOSE}"]
)
def test_nothing_left_is_synthetic_only(text):
    assert strip_synthetic_context(text) == ONLY


@pytest.mark.rule("7.5.2")
@pytest.mark.parametrize(
    "text",
    [
        OPEN,
        f"{OPEN}old Hello",
        f"{OPEN}a {OPEN}b{CLOSE} Hello",
        f"{OPEN}a{CLOSE}{OPEN}b",
        f"{CLOSE}Hello",
        f"{OPEN}a{CLOSE} {CLOSE} Hello",
    ],
)
def test_an_unbalanced_block_is_malformed(text):
    assert strip_synthetic_context(text) == MALFORMED


@given(st.lists(BLOCKS, min_size=1, max_size=4), WORDS)
def test_whatever_the_blocks_hold_the_words_behind_them_stay(blocks, words):
    left = words.lstrip()
    assert strip_synthetic_context("\n".join(blocks) + words) == (UserText(left) if left else ONLY)


@given(BLOCKS, WORDS)
def test_a_block_without_its_last_tag_is_malformed(block, words):
    assert strip_synthetic_context(block.removesuffix(CLOSE) + words) == MALFORMED
