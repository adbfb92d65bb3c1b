"""Wire to rows: what the tables and panes say, as plain functions."""

import pytest
from rich.markdown import Markdown
from rich.text import Text

from memctl.client import errors
from memctl.wire.enums import Category, HistoryAction, MessageRole, Store
from memctl.wire.errors import ErrorBody
from memctl.wire.history import MemoryVersion, VersionFields
from memctl.wire.jobs import JobsReply
from memctl.wire.messages import MessageRow
from memctl.wire.recall import Diagnostics, RankingSignals, RecalledMemory
from tests.support.calls import calls_of
from tui.presenters import jobs, stats
from tui.presenters.cells import Cell, cell, number
from tui.presenters.failures import explain
from tui.presenters.history import changed_fields, comparison, lines_changed
from tui.presenters.markdown import rendered
from tui.presenters.messages import ConversationKey, ConversationList, message_row
from tui.presenters.recall import explanation, moved
from tui.presenters.timeline import KEPT, PAGE, Probe, Timeline
from tui.score_log import MEMORIES, SCORES, ScoreLog
from tui.selection import tag_request, tags_of

NOW = 1_780_000_000_000
HOUR = 3_600_000


@pytest.mark.parametrize(
    ("given", "width", "fitted"),
    [
        (Cell("abc"), 5, "abc  "),
        (Cell("abc", right=True), 5, "  abc"),
        (Cell("abcdef"), 4, "abc…"),
        (Cell("日本語"), 5, "日本…"),
        (Cell("日本語"), 4, "日 …"),
        (Cell("日本語"), 6, "日本語"),
        (Cell("abc"), 1, "…"),
    ],
)
def test_a_cell_fills_its_width_exactly(given: Cell, width: int, fitted: str) -> None:
    assert given.fitted(width) == fitted


def test_stored_text_in_a_cell_cannot_command_the_terminal() -> None:
    assert cell("a\x1b[2Jb\r\nc\u202ed").text == "a\ufffd[2Jb c\ufffdd"


def test_numbers_are_grouped_or_rounded() -> None:
    assert (number(1_234_567).text, number(0.456).text) == ("1,234,567", "0.46")


def test_tags_are_added_and_removed() -> None:
    assert tags_of(" Beta, #wide ops,,") == ["beta", "wide", "ops"]
    request = tag_request("mem_01h00000000000000000000000", ["-draft", "+New", "#two", "ops"])
    assert request.tags_after(["ops", "draft"]) == ["ops", "new", "two"]


def version(number: int, **fields: object) -> MemoryVersion:
    values = {"title": "Freeze", "content": "one\ntwo", "store": Store.SEMANTIC, "category": Category.RULE}
    numbers = {"strength": 0.8, "confidence": 0.9, "valence": 0.0, "arousal": 0.3, "archived": False}
    version_fields = VersionFields.model_validate(values | numbers | fields, by_name=True)
    return MemoryVersion(version=number, changed_at=NOW, action=HistoryAction.UPDATE, fields=version_fields)


def test_a_comparison_sets_off_the_words_that_changed() -> None:
    before, after = version(1), version(2, content="one\ntwo and a half", tags=["ops"])
    assert changed_fields(before, after) == ["content", "tags"]
    text = comparison(before, after)
    assert [line for line in text.plain.splitlines() if line[:2] in ("− ", "+ ", "  ")] == [
        "  one",
        "− two",
        "+ two and a half",
    ]
    assert "diff.added.word" in {str(span.style) for span in text.spans}
    assert "No differences." in comparison(before, version(2)).plain


TWO_LISTS = "\n".join(f"item {n}" for n in range(2_500)), "\n".join(f"{n}. item" for n in range(2_500))
REPEATED = "\n".join("a" * 150), "\n".join("ab" * 150)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one\ntwo\nthree", "one\n2\n3\nthree"),
        ("a\nb", "b"),
        ("a", "a\nb"),
        ("x", "a"),
        ("a\na\na", "a\na"),
        TWO_LISTS,
        REPEATED,
    ],
)
def test_a_comparison_shows_every_line_of_both_texts(old: str, new: str) -> None:
    lines = lines_changed(f"top\n{old}\nend", f"top\n{new}\nend").plain.splitlines()
    assert lines[0] == "  top"
    assert lines[-1] == "  end"
    assert [line[2:] for line in lines if line[0] in " −"] == ["top", *old.splitlines(), "end"]
    assert [line[2:] for line in lines if line[0] in " +"] == ["top", *new.splitlines(), "end"]


@pytest.mark.parametrize("sign", ["\n", " "])
def test_a_comparison_of_texts_that_repeat_themselves_ends(sign: str) -> None:
    old, new = f"a{sign}" * 150, f"a{sign}b{sign}" * 150
    assert calls_of(lambda text: lines_changed(old, text), new) < 100_000


def test_a_text_is_markdown_when_it_has_its_signs() -> None:
    assert isinstance(rendered("# Title\n\n- a", dark=True), Markdown)
    for text in ("plain words", "a * b", "1,000 items", "snake_case_name"):
        assert isinstance(rendered(text, dark=True), Text), text
    assert isinstance(rendered("# Title", dark=True, raw=True), Text)
    assert "\x1b" not in str(vars(rendered("\x1b]0;owned\x07 **x**", dark=True)))


def message(at: int, message_id: str | None = None, **fields: object) -> MessageRow:
    values = {"id": message_id or f"msg_{at}", "role": MessageRole.USER, "content": f"line {at}", "timestamp": at}
    return MessageRow.model_validate(values | fields)


def test_places_are_channels_with_their_sessions_below() -> None:
    conversations = ConversationList()
    assert conversations.learn([message(1, channel="b", session_key="s"), message(2, channel="a"), message(3)])
    assert not conversations.learn([message(4, channel="a")])
    assert conversations.in_order() == [
        ConversationKey(),
        ConversationKey("a"),
        ConversationKey("b"),
        ConversationKey("b", "s"),
    ]


def test_the_messages_of_a_turn_are_bracketed() -> None:
    marks = [message_row(message(at, turn_id="t", turn_message_index=at)).cells[2].text for at in (0, 1)]
    assert marks == ["┌", "└"]


def test_a_timeline_keeps_a_window_and_knows_its_ends() -> None:
    timeline = Timeline()
    timeline.begin([message(at) for at in range(900, 900 + PAGE)], full=True)
    assert (timeline.at_start, timeline.at_end) == (False, True)
    for top in (800, 700, 600):
        assert timeline.extend_back([message(at) for at in range(top, top + PAGE + 1)], full=True) == PAGE
    assert len(timeline.rows) == KEPT
    assert (timeline.before(), timeline.after(), timeline.at_end) == (600, 899, False)
    assert timeline.extend_forward([message(at) for at in range(899, 950)], at_end=False) == 50
    assert (timeline.before(), timeline.at_start) == (650, False)


@pytest.mark.parametrize("span", [1, 50, 5_000, 10_000_000])
@pytest.mark.parametrize("gap", [1, 700, 90_000])
def test_a_probe_reads_everything_forward_in_order(span: int, gap: int) -> None:
    history = [message(at * gap, f"msg_{at}") for at in range(350)]
    now = history[-1].timestamp + 10
    timeline = Timeline(rows=[history[0]])
    asked = 0
    while not timeline.at_end:
        probe = Probe(timeline.after() or 0, now, span)
        known = {row.id for row in timeline.rows}
        while True:
            asked += 1
            assert asked < 5_000
            start, end = probe.window
            inside = [row for row in history if start <= row.timestamp and (end is None or row.timestamp <= end)][
                -PAGE:
            ]
            if probe.accept(len(inside), sum(row.id not in known for row in inside)):
                timeline.extend_forward(inside, at_end=probe.at_end)
                break
        last = int(timeline.rows[-1].id.removeprefix("msg_"))
        expected = [row.id for row in history[max(0, last + 1 - len(timeline.rows)) : last + 1]]
        assert [row.id for row in timeline.rows] == expected
    assert timeline.rows[-1].id == "msg_349"


@pytest.mark.parametrize(
    ("used", "limit", "text", "style"),
    [(5, 999_999, "5", None), (50, 100, "50 of 100", "ok"), (95, 100, "95 of 100", "warn"), (100, 100, "", "bad")],
)
def test_what_is_used_of_a_limit_warns_from_ninety_percent(used: int, limit: int, text: str, style: str | None) -> None:
    shown = stats.used_of(used, limit)
    assert shown.plain.startswith(text)
    assert [span.style for span in shown.spans] == ([style] if style else [])


def test_jobs_tell_schedule_last_run_outcome_and_next_run() -> None:
    scheduled = [
        {"name": "decay", "at": "03:00", "lastStartedAt": NOW - HOUR, "lastEndedAt": NOW - HOUR, "lastOk": True},
        {"name": "reap", "everySeconds": 30, "lastStartedAt": NOW - 5, "nextRunAt": NOW + 2 * HOUR},
        {
            "name": "graph",
            "everySeconds": 7200,
            "lastStartedAt": 1,
            "lastEndedAt": 2,
            "lastOk": False,
            "lastError": "x",
        },
    ]
    reply = JobsReply.model_validate({"queue": {"depth": 2, "oldestAgeMs": HOUR}, "scheduled": scheduled})
    shown = [[each.text for each in row.cells] for row in jobs.schedule_rows(reply, NOW)]
    assert shown[0] == ["decay", "daily at 03:00 UTC", "1 h ago", "ok", "–"]
    assert shown[1] == ["reap", "every 30 s", "now", "running", "in 2 h"]
    assert shown[2][1:4:2] == ["every 2 h", "x"]
    assert jobs.queue_line(reply.queue) == "2 waiting, the oldest for 1 h"


@pytest.mark.parametrize(
    ("rank", "other", "mark"),
    [(1, None, ""), (1, ["a", "m"], "▲1"), (3, ["m"], "▼2"), (1, ["m"], "="), (1, ["a"], "new")],
)
def test_a_rank_is_compared_with_the_other_setting(rank: int, other: list[str] | None, mark: str) -> None:
    assert moved(rank, "m", other).text == mark


def test_an_explanation_adds_up_to_the_relevance() -> None:
    signals = RankingSignals(
        vector_score=0.5,
        strength_score=0.8,
        freshness_score=1.0,
        access_score=0.0,
        text_match_score=0.4,
        base_score=0.635,
        evidence_score=0.65,
        word_score=0.8,
        graph_boost=0.05,
    )
    memory = RecalledMemory(
        id="mem_1",
        title="Freeze",
        content="No deploys",
        store=Store.SEMANTIC,
        category=Category.RULE,
        relevance=0.657,
        created_at=NOW - HOUR,
        tags=[],
        strength=0.8,
        confidence=0.9,
        recall_text="No deploys",
        last_accessed_at=NOW,
        ranking_signals=signals,
    )
    lines = explanation(memory, Diagnostics(recall_intent="general"), NOW, 80).plain.splitlines()
    outer = [line for line in lines[3:13] if not line.startswith(" ")]
    assert sum(float(line.split()[-1]) for line in outer) == pytest.approx(0.657)
    assert lines[12].split() == ["graph", "+0.010"]
    narrow = explanation(memory, Diagnostics(recall_intent="general"), NOW, 38).plain.splitlines()
    assert max(map(len, narrow[2:13])) <= 38


def test_scores_of_a_session_are_bounded() -> None:
    log = ScoreLog()
    for at in range(SCORES + 5):
        log.note(at, "q", [("mem_1", at / 100)])
    assert [score.at for score in log.of("mem_1")] == [*range(5, SCORES + 5)]
    log.note(99, "q", ((f"mem_{at}", 0.5) for at in range(2, MEMORIES + 2)))
    assert log.of("mem_1") == ()
    assert len(log.of("mem_2")) == 1


def body(error: str, **fields: object) -> ErrorBody:
    return ErrorBody.model_validate({"error": error, **fields})


@pytest.mark.parametrize(
    ("error", "text", "advice", "offline"),
    [
        (
            errors.NotReachable("http://[::1]:1", "refused"),
            "memd does not answer at http://[::1]:1",
            "memd serve",
            True,
        ),
        (
            errors.NotReachable("http://[::1]:1", "", "/d d/memd.sock"),
            "memd does",
            "memd serve --data-dir '/d d' (",
            True,
        ),
        (errors.NotReachable("https://h", "refused"), "memd does not answer", "is it running there", True),
        (errors.NotReachable("https://h", "WRONG_VERSION_NUMBER"), "try http://h", "reconnects by itself", True),
        (errors.NoAnswer("http://h:1", 35), "within 35 seconds", "r retries", True),
        (errors.api_error(401, body("Unauthorized"), None), "Unauthorized", "--api-key", False),
        (errors.api_error(403, body("Forbidden"), None), "Forbidden", "scope", False),
        (errors.api_error(403, body("Storage limit reached", limit=500, resource="memories"), None), "", "500", False),
        (errors.api_error(404, body("Memory not found"), None), "Memory not found", "no longer exists", False),
        (errors.api_error(409, body("Duplicate memory", existingMemoryId="mem_9"), None), "", "mem_9", False),
        (errors.api_error(429, body("Rate limit exceeded", retryAfterMs=4000), None), "", "try again in 4 s", False),
        (errors.api_error(500, body("Internal server error"), "req_7"), "Internal", "req_7", False),
        (errors.api_error(503, body("Server busy", retryAfterMs=2000), None), "busy", "2 s", False),
        (errors.ProtocolError("not JSON"), "not JSON", "another program", False),
    ],
)
def test_every_failure_says_what_to_do(error: Exception, text: str, advice: str, offline: bool) -> None:
    failure = explain(error)
    assert text in failure.text
    assert advice in failure.advice
    assert failure.offline is offline
    assert "\n" not in str(failure)
