"""Contract 12: long texts that forbid copying are blocked; short ones, licences and talk about copyright are not."""

import pytest

from memd.domain.policy.content_policy import Block, evaluate
from memd.domain.types import BlockReason
from memd.policy.rules import load_rules
from tests.support.policy_cases import cases

RULES = load_rules(None)
STORY = "The rain had stopped before dawn, and the harbour lay still under a low grey sky. " * 30
ISBN = "978-3-16-148410-0"

HITS = {
    "copyright_notice_text": [
        f"© 2019 A. Writer. All rights reserved.\n{STORY}",
        f"{STORY}\nCopyright (c) 2021 by the publisher. No part of this book may be reproduced in any form.",
        f"{STORY}\nCopyright © 2020. Unauthorized copying of this text is strictly prohibited.",
        f"(C) 2018 House of Books. This work may not be copied.\n{STORY}",
        ("© 2020 X. ALL RIGHTS RESERVED. " + STORY)[:2000],
    ],
    "copyright_isbn_text": [
        f"ISBN {ISBN}\nCopyright 2001 by A. Writer\n{STORY}",
        f"© A. Writer 1999\nISBN-10: 0-306-40615-2\n{STORY}",
        f"{STORY}\nFirst published 2011. Copyright © A. Writer, 2011. ISBN: 9780306406157",
        f"{STORY} (c) 1987 A. Writer, {ISBN}",
        (f"(c) 1987 A. Writer, {ISBN}\n" + STORY)[:2000],
    ],
}

NEAR_MISSES = {
    "copyright_notice_text": [
        "© 2019 A. Writer. All rights reserved. The rain had stopped before dawn.",
        ("© 2020 X. ALL RIGHTS RESERVED. " + STORY)[:1999],
        f"{STORY}\n© 2019 A. Writer",
        f"{STORY}\nThe hotel told us that all rights reserved for members had lapsed.",
        f"# Copyright (c) 2020, A. Coder. All rights reserved.\n# Redistribution and use in source and binary forms are permitted.\n{STORY}",
        STORY,
    ],
    "copyright_isbn_text": [
        f"ISBN {ISBN}. Copyright 2001 by A. Writer.",
        (f"(c) 1987 A. Writer, {ISBN}\n" + STORY)[:1999],
        f"{STORY}\nReading list: ISBN {ISBN}",
        f"{STORY}\nCopyright 2001 by A. Writer. ISBN 978-3-16-148410-1",
        f"{STORY}\nThe lecture on copyright named the book with the ISBN {ISBN}.",
        f"{STORY}\nCopyright 2001. Order 1234567890.",
    ],
}

SHOWS = {
    "copyright_notice_text": pytest.mark.rule("12 copyright_notice_text"),
    "copyright_isbn_text": pytest.mark.rule("12 copyright_isbn_text"),
}


@pytest.mark.parametrize(("threat", "text"), cases(HITS, SHOWS))
def test_a_long_protected_text_is_blocked(threat, text):
    assert evaluate(RULES, "Chapter one", text).blocked == Block(BlockReason.COPYRIGHT_VIOLATION, threat)


@pytest.mark.parametrize(("threat", "text"), cases(NEAR_MISSES, SHOWS))
def test_a_short_or_free_text_can_be_stored(threat, text):
    assert evaluate(RULES, "Chapter one", text).blocked is None
