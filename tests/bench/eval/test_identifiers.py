"""The generated sets are the same for everybody, and every question has one answer."""

from collections import Counter

import pytest

from tests.bench.eval.identifiers import Family, families

FAMILIES = families()


def test_equal_seeds_give_equal_sets_and_others_give_others() -> None:
    assert families() == FAMILIES
    assert families(seed=8) != FAMILIES


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_question_names_one_text(family: Family) -> None:
    ids = Counter(text.id for text in family.texts)
    assert set(ids.values()) == {1}
    assert all(len(question.evidence) == 1 and question.evidence <= ids.keys() for question in family.questions)
    assert len({question.text for question in family.questions}) == len(family.questions) >= 30
    assert len({text.content for text in family.texts}) == len(family.texts)
