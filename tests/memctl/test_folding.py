"""Long lines at a terminal: no line is wider than its cells, in scripts with and without blanks between the words."""

import sys

import pytest
from rich.cells import cell_len

from memctl import output
from memctl.folding import fold
from tests.memctl.test_output import Screen

CHINESE = "数据库每天凌晨两点备份。恢复演练每季度一次。（退款申请）需要「经理」批准。"
JAPANESE = "デプロイは毎週木曜日に行います。承認が二つ必要です。"
TEXTS = [CHINESE, f"{JAPANESE} (2409)", f"Rule 7: {CHINESE} {JAPANESE}", "نص عربي طويل " * 9, "🚀 Release 🎉 day " * 9]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("room", [30, 41, 80])
def test_no_line_is_wider_than_the_room(text: str, room: int) -> None:
    lines = fold(f"    {text}", room, "    ").split("\n")
    assert max(map(cell_len, lines)) <= room
    assert all(line.startswith("    ") for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_line_is_filled_and_punctuation_stays_with_its_character() -> None:
    assert fold("数据库备份。（恢复）演练", 10, "") == "数据库备\n份。（恢\n复）演练"


def test_words_with_blanks_between_them_stay_whole() -> None:
    assert fold("a long-word https://example.com/a/b end", 12, "  ") == (
        "a long-word\n  https://example.com/a/b\n  end"
    )


def test_what_a_terminal_shows_is_folded_by_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stdout", screen)
    output.say(f"      {CHINESE}")
    lines = screen.text.splitlines()
    assert len(lines) > 1
    assert max(map(cell_len, lines)) <= 40
    assert all(line.startswith("      ") for line in lines)
