"""Ranked rows become one text within a token budget (contract 17.3)."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from memd.domain.prompts.context_packing import NOTHING_FITS, NOTHING_RELEVANT, ContextRow, Group, by_fit, pack
from memd.domain.text.token_estimate import estimate_tokens

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=120)


@st.composite
def rankings(draw: st.DrawFn) -> list[list[ContextRow]]:
    made: list[list[ContextRow]] = []
    for index in range(draw(st.integers(0, 3))):
        group = draw(st.sampled_from(Group))
        rows: list[ContextRow] = []
        for number in range(draw(st.integers(0, 12))):
            text = draw(TEXTS)
            fit = draw(st.floats(0, 1))
            row_id = UUID(int=index * 100 + number)
            rows.append(
                ContextRow(
                    row_id,
                    group,
                    f"{group.name}:",
                    f"- {text} [{row_id}]",
                    f"- {text[:9]} [{row_id}]",
                    fit,
                    fit,
                    number,
                )
            )
        made.append(rows)
    return made


@given(rankings(), st.integers(50, 600))
def test_the_budget_holds_and_each_row_is_in_one_list(ranked: list[list[ContextRow]], budget: int) -> None:
    packed = pack(ranked, budget, estimate_tokens)
    assert packed.tokens == estimate_tokens(packed.text) <= budget
    everything = sorted(row.id for rows in ranked for row in rows)
    assert sorted([entry.row.id for entry in packed.included] + [row.id for row in packed.left_out]) == everything
    assert all(entry.row.line in packed.text for entry in packed.included)
    assert packed == pack(ranked, budget, estimate_tokens)


@given(rankings())
def test_the_merged_ranking_keeps_the_order_of_each(ranked: list[list[ContextRow]]) -> None:
    merged = [row.id for row in by_fit(ranked)]
    for rows in ranked:
        ids = {row.id for row in rows}
        assert [row_id for row_id in merged if row_id in ids] == [row.id for row in rows]


@given(rankings())
def test_rows_are_in_full_when_all_of_them_fit(ranked: list[list[ContextRow]]) -> None:
    packed = pack(ranked, 100_000, estimate_tokens)
    assert [entry.row for entry in packed.included] == by_fit(ranked)


def test_an_empty_text_says_whether_anything_was_relevant() -> None:
    row = ContextRow(UUID(int=1), Group.MEMORIES, "Memories:", "- word " * 80, "- word " * 60, 1.0, 1.0, 0)
    assert pack([[row]], 50, estimate_tokens).text.endswith(NOTHING_FITS)
    assert pack([[]], 50, estimate_tokens).text.endswith(NOTHING_RELEVANT)
    assert estimate_tokens(pack([[row]], 50, estimate_tokens).text) <= 50
