"""When the system clock is trusted, and for how long jobs that delete by age wait otherwise."""

from dataclasses import dataclass, field

import pytest

from memd.domain.dates.time_window import DAY_MS
from memd.domain.schedule.clock_jump import (
    COUNTED_MS,
    HOUR_MS,
    MINUTE_MS,
    OFF_GRACE_MS,
    SET_GRACE_MS,
    TOLERANCE_MS,
    ClockState,
    Uptime,
    next_state,
)

START = 1_800_000_000_000


@dataclass(slots=True)
class Machine:
    """Two clocks, and what memd knows of them."""

    now: int = START
    uptime: Uptime = field(default_factory=lambda: Uptime("first", 5_000))
    state: ClockState = field(default_factory=lambda: ClockState(START, "first", 5_000))

    def check(self) -> ClockState:
        self.state = next_state(self.state, self.now, self.uptime)
        return self.state

    def set_by(self, ms: int) -> ClockState:
        self.now += ms
        return self.check()

    def waits(self, ms: int) -> ClockState:
        """Time passes without a check."""
        self.now += ms
        self.uptime = self.uptime._replace(ms=self.uptime.ms + ms)
        return self.check()

    def runs(self, ms: int) -> ClockState:
        """Time passes with a check every minute."""
        for _ in range(ms // COUNTED_MS):
            self.waits(COUNTED_MS)
        return self.state

    def is_off(self, ms: int) -> ClockState:
        self.now += ms
        self.uptime = Uptime(f"after {self.uptime.boot}", 3_000)
        return self.check()


def test_the_first_check_trusts_the_clock() -> None:
    assert next_state(None, START, Uptime("first", 1)) == ClockState(START, "first", 1)


@pytest.mark.parametrize("passed", [1, HOUR_MS, 40 * DAY_MS])
def test_time_that_passes_is_no_jump_even_while_memd_is_stopped(passed: int) -> None:
    assert Machine().waits(passed).ahead_ms == 0


@pytest.mark.parametrize("ms", [-TOLERANCE_MS + 1, -1, 1, TOLERANCE_MS - 1])
def test_a_correction_is_no_jump(ms: int) -> None:
    assert Machine().set_by(ms).ahead_ms == 0


@pytest.mark.parametrize("ms", [2 * TOLERANCE_MS, DAY_MS, 400 * DAY_MS])
def test_a_clock_that_is_set_ahead_holds_deletion_until_it_is_right_again(ms: int) -> None:
    machine = Machine()
    assert (machine.set_by(ms).ahead_ms, machine.state.holds_deletion) == (ms, True)
    assert machine.runs(10 * HOUR_MS).ahead_ms == ms
    assert (machine.set_by(MINUTE_MS - ms).ahead_ms, machine.state.holds_deletion) == (0, False)
    assert (machine.set_by(ms).ahead_ms, machine.state.ran_ms) == (ms, 0)


def test_a_clock_that_is_set_ahead_is_trusted_after_a_day_of_running_time() -> None:
    machine = Machine()
    machine.set_by(DAY_MS)
    assert machine.runs(SET_GRACE_MS - MINUTE_MS).holds_deletion
    assert not machine.runs(MINUTE_MS).holds_deletion
    assert not machine.runs(HOUR_MS).holds_deletion


def test_only_running_time_counts() -> None:
    machine = Machine()
    machine.set_by(DAY_MS)
    assert machine.waits(10 * DAY_MS).ran_ms == COUNTED_MS
    assert machine.state.ahead_ms == DAY_MS


def test_a_restart_of_the_machine_does_not_end_the_hold() -> None:
    machine = Machine()
    machine.set_by(DAY_MS)
    machine.runs(HOUR_MS)
    assert machine.is_off(2 * MINUTE_MS).ahead_ms == DAY_MS
    assert machine.state.ran_ms == HOUR_MS
    assert machine.set_by(-DAY_MS).ahead_ms == 0


def test_a_quick_restart_of_the_machine_is_no_jump() -> None:
    assert Machine().is_off(TOLERANCE_MS - 1).ahead_ms == 0


def test_after_a_week_without_power_deletion_waits_for_an_hour_of_running_time() -> None:
    machine = Machine()
    assert machine.is_off(7 * DAY_MS).holds_deletion
    assert machine.runs(OFF_GRACE_MS - MINUTE_MS).holds_deletion
    assert not machine.runs(MINUTE_MS).holds_deletion


def test_a_machine_that_is_switched_on_every_morning_gets_to_delete() -> None:
    machine = Machine()
    for _ in range(5):
        assert machine.is_off(16 * HOUR_MS).holds_deletion
        assert not machine.runs(8 * HOUR_MS).holds_deletion


def test_a_machine_whose_clock_is_set_every_morning_gets_to_delete_within_days() -> None:
    machine = Machine()
    held: list[bool] = []
    for _ in range(4):
        machine.is_off(0)
        machine.set_by(16 * HOUR_MS)
        held.append(machine.runs(8 * HOUR_MS).holds_deletion)
    assert held == [True, True, False, True]


def test_a_clock_that_is_set_while_a_week_without_power_is_in_doubt_gets_the_longer_grace() -> None:
    machine = Machine()
    machine.is_off(7 * DAY_MS)
    machine.runs(OFF_GRACE_MS - MINUTE_MS)
    assert machine.set_by(DAY_MS).ahead_ms == 8 * DAY_MS
    assert machine.runs(SET_GRACE_MS - OFF_GRACE_MS).holds_deletion


def test_a_clock_that_is_set_back_holds_nothing_and_may_return() -> None:
    machine = Machine()
    assert (machine.set_by(-DAY_MS).ahead_ms, machine.state.holds_deletion) == (-DAY_MS, False)
    machine.runs(HOUR_MS)
    assert machine.set_by(DAY_MS) == ClockState(machine.now, *machine.uptime)


def test_a_clock_that_has_been_behind_for_long_holds_deletion_when_it_is_set_right() -> None:
    machine = Machine()
    machine.set_by(-DAY_MS)
    assert machine.runs(SET_GRACE_MS).ahead_ms == 0
    assert machine.set_by(DAY_MS).holds_deletion


def test_a_battery_that_is_empty_puts_the_clock_back() -> None:
    machine = Machine()
    assert machine.is_off(-9_000 * DAY_MS).ahead_ms == -9_000 * DAY_MS
    assert not machine.set_by(9_000 * DAY_MS).holds_deletion


def test_the_state_is_one_sentence() -> None:
    machine = Machine()
    assert machine.state.text is None
    held = "nothing is deleted by age for 24 h of running time, or until the clock is corrected"
    assert machine.set_by(DAY_MS).text == f"set ahead by 24 h; {held}"
    machine.set_by(-2 * DAY_MS)
    assert machine.state.text == "set back by 24 h; new rows get its timestamps until it is corrected"
    off = Machine().is_off(90 * MINUTE_MS).text
    assert off is not None
    assert off.startswith("90 min ahead of when memd last ran (the machine was off, or the clock was set); ")
    assert "for 60 min of running time" in off
