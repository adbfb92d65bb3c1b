import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.wire.limits import NO_LIMIT
from memd.domain.accounts.credits import (
    CreditWindow,
    allowance_for,
    debit,
    effective_policy,
    import_cost,
    is_unmetered,
    remaining,
    reset_seconds,
    retry_after_ms,
    retry_after_seconds,
    running_window,
    warning_percent,
    wire_number,
)
from memd.domain.types import Policy, Tier

START = 1_700_000_000_000

# Contract 2.1: the columns free, starter, pro, ultra, unlimited; None is "none".
TIER_ROWS = {
    "credits_per_minute": (100, 250, 500, 2000, None),
    "concurrent_requests": (2, 5, 10, 50, None),
    "embeddings_per_day": (50, 200, 500, 5000, None),
    "memories": (500, 25_000, 25_000, None, None),
    "messages": (500, 25_000, 25_000, None, None),
    "message_ttl_days": (7, 30, 30, 90, 365),
    "checkpoints": (1, 5, 5, 10, 20),
    "memories_per_checkpoint": (50, 200, 200, 500, 1000),
    "graph_enrichments_per_hour": (0, 25, 25, 50, None),
}
CELLS = [(row, tier, value) for row, values in TIER_ROWS.items() for tier, value in zip(Tier, values, strict=True)]


@pytest.mark.parametrize(("row", "tier", "value"), CELLS)
def test_tier_table(row, tier, value):
    assert getattr(allowance_for(effective_policy(tier, None)), row) == value


@pytest.mark.parametrize(
    ("tier", "policy"),
    [
        (Tier.FREE, Policy.MANAGED_FREE),
        (Tier.STARTER, Policy.MANAGED_STARTER),
        (Tier.PRO, Policy.MANAGED_PRO),
        (Tier.ULTRA, Policy.MANAGED_ULTRA),
        (Tier.UNLIMITED, Policy.MANAGED_UNLIMITED),
    ],
)
def test_without_an_explicit_policy_the_tier_decides(tier, policy):
    assert effective_policy(tier, None) is policy


@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize("tier", list(Tier))
def test_an_explicit_policy_beats_every_tier(tier, policy):
    assert effective_policy(tier, policy) is policy


@pytest.mark.parametrize("policy", list(Policy))
def test_only_unlimited_and_self_hosted_are_unmetered(policy):
    assert is_unmetered(policy) == (policy in {Policy.MANAGED_UNLIMITED, Policy.SELF_HOSTED_UNMETERED})


@pytest.mark.parametrize(
    "quota",
    [
        "credits_per_minute",
        "concurrent_requests",
        "embeddings_per_day",
        "memories",
        "messages",
        "checkpoints",
        "graph_enrichments_per_hour",
    ],
)
def test_no_product_quota_holds_for_self_hosted(quota):
    assert getattr(allowance_for(Policy.SELF_HOSTED_UNMETERED), quota) is None


@pytest.mark.parametrize("policy", list(Policy))
def test_the_message_ttl_setting_touches_unmetered_policies_only(policy):
    plain, changed = allowance_for(policy), allowance_for(policy, unmetered_message_ttl_days=10)
    assert changed.message_ttl_days == (10 if is_unmetered(policy) else plain.message_ttl_days)


def test_none_is_written_999999_where_a_number_is_needed():
    assert NO_LIMIT == 999_999
    assert wire_number(None) == 999_999
    assert wire_number(0) == 0
    assert wire_number(250) == 250


@pytest.mark.parametrize(
    ("chunks", "cost"),
    [(1, 5), (99, 5), (100, 5), (101, 10), (200, 10), (201, 15), (1_000, 50), (10_000, 500)],
)
def test_import_costs_five_credits_for_every_hundred_chunks_begun(chunks, cost):
    assert import_cost(chunks, 2000) == cost
    assert import_cost(chunks, None) == cost


@pytest.mark.parametrize("chunks", [None, 0, 10_001, 1_000_000])
def test_an_import_that_cannot_be_counted_or_is_too_large_costs_five(chunks):
    assert import_cost(chunks, 100) == 5


@pytest.mark.parametrize(("per_minute", "cost"), [(100, 100), (250, 250), (500, 500), (3, 5)])
def test_an_import_costs_at_most_the_minute_of_the_tier_and_at_least_five(per_minute, cost):
    assert import_cost(10_000, per_minute) == cost


@given(chunks=st.none() | st.integers(-5, 20_000), per_minute=st.none() | st.integers(1, 5_000))
def test_import_cost_is_between_five_and_five_hundred(chunks, per_minute):
    assert 5 <= import_cost(chunks, per_minute) <= 500


def test_the_window_begins_with_the_first_request():
    taken = debit(None, 5, 100, START)
    assert taken.allowed
    assert taken.window == CreditWindow(start=START, used=5)


def test_the_window_is_fixed_for_sixty_seconds():
    window = CreditWindow(START, used=7)
    assert running_window(window, START + 59_999) == window
    assert running_window(window, START + 60_000) == CreditWindow(START + 60_000)


def test_a_window_of_a_clock_that_was_ahead_does_not_hold():
    used_up = CreditWindow(START + 86_400_000, used=100)
    taken = debit(used_up, 5, 100, START)
    assert taken.allowed
    assert taken.window == CreditWindow(START, used=5)


def test_a_cost_above_the_remainder_is_refused_and_debits_nothing():
    window = CreditWindow(START, used=95)
    refused = debit(window, 10, 100, START + 20_000)
    assert not refused.allowed
    assert refused.window == window
    assert refused.retry_after_ms == 40_000


def test_a_cost_equal_to_the_remainder_is_taken():
    taken = debit(CreditWindow(START, used=95), 5, 100, START + 1)
    assert taken.allowed
    assert remaining(taken.window, 100) == 0


@pytest.mark.parametrize(("cost", "calls"), [(1, 100), (5, 20), (10, 10)])
def test_a_hundred_per_minute_are_a_hundred_calls_of_one_twenty_of_five_or_ten_of_ten(cost, calls):
    window, allowed = None, 0
    for _ in range(calls + 1):
        answer = debit(window, cost, 100, START)
        window, allowed = answer.window, allowed + answer.allowed
    assert allowed == calls


def test_an_unmetered_user_is_never_refused():
    assert debit(CreditWindow(START, used=10**9), 500, None, START).allowed


def test_a_change_of_tier_keeps_what_is_used_of_the_window():
    window = CreditWindow(START, used=180)
    assert remaining(window, 250) == 70
    assert remaining(window, 100) == 0


@pytest.mark.parametrize(("start", "second"), [(0, 60), (1, 61), (999, 61), (1000, 61)])
def test_reset_is_the_unix_second_at_which_the_window_has_ended(start, second):
    assert reset_seconds(CreditWindow(start)) == second


@pytest.mark.parametrize(("wait_ms", "seconds"), [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (59_999, 60)])
def test_retry_after_is_whole_seconds_rounded_up_and_at_least_one(wait_ms, seconds):
    assert retry_after_seconds(wait_ms) == seconds


def test_retry_after_ms_is_the_time_to_the_end_of_the_window():
    assert retry_after_ms(CreditWindow(START), START + 1) == 59_999


@pytest.mark.parametrize(
    ("used", "limit", "percent"),
    [
        (89, 100, None),
        (90, 100, 90),
        (100, 100, 100),
        (224, 250, None),
        (225, 250, 90),
        (249, 250, 99),
        (1799, 2000, None),
        (1800, 2000, 90),
        (5_000, None, None),
    ],
)
def test_the_warning_is_the_percentage_used_from_ninety_on(used, limit, percent):
    assert warning_percent(used, limit) == percent


@given(
    limit=st.integers(1, 300),
    steps=st.lists(st.tuples(st.sampled_from([0, 1, 5, 10, 50]), st.integers(0, 30_000)), max_size=60),
)
def test_a_window_never_holds_more_than_the_limit(limit, steps):
    window, now = None, START
    for cost, wait in steps:
        now += wait
        answer = debit(window, cost, limit, now)
        window = answer.window
        assert window.start <= now < window.end
        assert 0 <= window.used <= limit
        assert answer.allowed == (answer.retry_after_ms is None)
        assert answer.retry_after_ms is None or 1 <= answer.retry_after_ms <= 60_000
