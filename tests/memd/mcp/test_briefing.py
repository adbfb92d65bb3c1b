"""The briefing that the tool wake answers: whole lines within its budget, and a count of the others (contract 7.1, 17.4)."""

import pytest

from memd.domain.text.token_estimate import estimate_tokens
from memd.mcp.content.base import NOTICE
from tests.support.mcp import call
from tests.support.service import TestUser

HOLDS = "This holds for everybody who works with us, and for tests, too."
RULES = (
    f"Never push to main directly. Open a pull request, and ask Priya to review it before it is merged, even on Fridays. {HOLDS}",
    f"Do not delete rows of customers by hand. Use the erasure job, since the audit log has to show who asked for it. {HOLDS}",
    f"Never mail passwords. Send a link of the vault instead, which can be opened a single time and ends after an hour. {HOLDS}",
    f"Answer Anna in German and everyone else in English, unless they write in another language; then answer in theirs. {HOLDS}",
    f"Run each migration on staging before production, and wait a day, since the nightly jobs find what tests do not. {HOLDS}",
)


@pytest.mark.rule("7.1 request", "7.1 briefing 1", "7.1 briefing 2", "7.1 briefing 7")
async def test_a_briefing_tells_rules_whole_or_counts_them(user: TestUser) -> None:
    for rule in RULES:
        await call(user.http, "capture", title=rule[:20], content=rule, category="rule")
    everything = (await call(user.http, "wake"))["structuredContent"]["briefing"]
    assert [rule for rule in RULES if rule not in everything] == []
    assert "Left out" not in everything
    for number, rule in enumerate(RULES):
        for category in ("goal", "decision"):
            content = f"Part {number} of the {category}: {rule}"
            await call(user.http, "capture", title=f"Part {number}", content=content, category=category)
        turn = {"userMessage": f"Let us talk about rule {number}. {rule}", "assistantMessage": f"Noted: {rule}"}
        await call(user.http, "log_turn", sessionKey="s", turnId=f"t{number}", **turn)
    found = (await call(user.http, "wake"))["structuredContent"]
    *lines, last = found["briefing"].splitlines()
    rules = [line.removeprefix("- [rule] ") for line in lines if line.startswith("- [rule] ")]
    assert 2 <= len(rules) < 5
    assert set(rules) <= set(RULES)
    assert f"{5 - len(rules)} guardrail" in last
    assert last.endswith("recall and search_messages find them.")
    assert not any(line.startswith("- ") and line.endswith("…") for line in lines)
    assert lines[0] == "Memory briefing: no channel, 15 memories"
    assert found["notice"] == NOTICE
    assert estimate_tokens(found["briefing"]) <= 560
