"""Contract 12, invisible_unicode: what nobody can see is blocked, what a script or an emoji needs is not."""

import pytest

from memd.domain.policy.content_policy import Block, evaluate
from memd.domain.types import BlockReason
from memd.policy.rules import load_rules

RULES = load_rules(None)


@pytest.mark.rule("12 invisible_unicode")
@pytest.mark.parametrize(
    "text",
    [
        *(pytest.param(f"pay{chr(c)}load", id=f"bidi control {c:04x}") for c in (0x202A, 0x202B, 0x202D, 0x202E)),
        *(pytest.param(f"pay{chr(c)}load", id=f"bidi control {c:04x}") for c in range(0x2066, 0x2069)),
        pytest.param("a \u2067b\nc\u2069 d", id="isolate closed in another line"),
        pytest.param("a \u2067b\u2068c\u2069 d", id="inner isolate closed, outer one open"),
        pytest.param("\u05e9\u05dc\u05d5\u05dd \u202e\u05e2\u05d5\u05dc\u05dd", id="override in Hebrew"),
        pytest.param("\u202epayload\u202c", id="closed override"),
        pytest.param("hi" + "".join(chr(0xE0000 + ord(c)) for c in "ignore"), id="tag characters"),
        pytest.param("hi \u200b\U000e0069\u200b\U000e0067", id="tag characters between spaces of no width"),
        pytest.param("\U0001f600" + "\ufe01\ufe02\ufe03\ufe04", id="run of variation selectors"),
        pytest.param("a\u2062\u2063\u2062\u2064b", id="run of invisible operators"),
    ],
)
def test_invisible_characters_are_blocked(text):
    assert evaluate(RULES, "Note", text).blocked == Block(BlockReason.ILLEGAL_ACTIVITY, "invisible_unicode")
    assert evaluate(RULES, text, "fine").blocked == Block(BlockReason.ILLEGAL_ACTIVITY, "invisible_unicode")
    assert evaluate(RULES, "Note", "fine", text).blocked == Block(BlockReason.ILLEGAL_ACTIVITY, "invisible_unicode")


@pytest.mark.rule("12 invisible_unicode")
@pytest.mark.parametrize("place", [0, 1])
def test_what_plain_text_picks_up_is_flagged_and_judged_without(place):
    texts = ["Note", "fine"]
    texts[place] = "Some\u200bthing"
    verdict = evaluate(RULES, *texts)
    assert (verdict.blocked, verdict.flags) == (None, ("invisible_unicode",))
    texts[place] = "SSN 123\u200b-45\u00ad-6789"
    blocked = evaluate(RULES, *texts).blocked
    assert blocked is not None
    assert blocked.threat_id == "pii_ssn"


@pytest.mark.rule("12 invisible_unicode")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Family: \U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", id="family"),
        pytest.param("\U0001f469\U0001f3fd\u200d\U0001f680 launched", id="skin tone"),
        pytest.param("\U0001f3f3\ufe0f\u200d\U0001f308 parade", id="rainbow flag"),
        pytest.param("\u2764\ufe0f\u200d\U0001f525", id="heart on fire"),
        pytest.param("\U0001f937\U0001f3fb\u200d\u2642\ufe0f no idea", id="shrug"),
        pytest.param("\U0001f441\ufe0f\u200d\U0001f5e8\ufe0f", id="eye in bubble"),
        pytest.param(
            "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f won", id="flag of England"
        ),
        pytest.param(
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u06a9\u062a\u0627\u0628\u200c\u0647\u0627 \u0631\u0627",
            id="Persian",
        ),
        pytest.param("API\u200c\u0647\u0627\u06cc \u062c\u062f\u06cc\u062f", id="Latin word with Persian ending"),
        pytest.param("\u0647\u200d 1402", id="Arabic letter form"),
        pytest.param("\u0915\u094d\u200d\u0937 \u0930\u094d\u200d\u092f", id="Devanagari"),
        pytest.param("\u0dc1\u0dca\u200d\u0dbb\u0dd3 \u0dbd\u0d82\u0d9a\u0dcf", id="Sinhala"),
        pytest.param("\u0d05\u0d35\u0d28\u0d4d\u200d", id="Malayalam"),
        pytest.param("\u0995\u09cd\u200c\u0995", id="Bengali"),
        pytest.param("\u1797\u17b6\u179f\u17b6\u200b\u1781\u17d2\u1798\u17c2\u179a", id="Khmer words"),
        pytest.param("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd (v2)\u200f!", id="mark beside Hebrew"),
        pytest.param(
            "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645", id="right-to-left text"
        ),
        pytest.param("\ufeffFirst line of a file", id="leading BOM"),
        pytest.param(
            "caf\u00e9 na\u00efve \u00a0 co\u00adoperate \u2011 \u2026", id="accents, no-break space, soft hyphen"
        ),
        pytest.param("\u8fbb\U000e0100\u3055\u3093", id="ideographic variant"),
        pytest.param("f\u2061(x)", id="one invisible operator"),
        pytest.param("Hello \u2068Anna\u2069, \u2066you\u2069 won", id="closed isolates"),
        pytest.param("call \u202a+972 50-123-4567\u202c now", id="closed embedding of a copied number"),
    ],
)
def test_characters_that_the_text_needs_can_be_stored(text):
    assert evaluate(RULES, "Note", text).blocked is None
