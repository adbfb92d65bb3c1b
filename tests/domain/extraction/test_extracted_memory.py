from typing import Any

import pytest

from memd.domain.extraction.extracted_memory import extracted
from memd.domain.types import Category, Store

FIELDS: dict[str, Any] = {
    "title": "Keep Postgres",
    "content": "We keep Postgres.",
    "category": Category.DECISION,
    "tags": ["db"],
    "importance": 0.7,
    "source_indexes": [0],
}


def made(**fields):
    return extracted(**{**FIELDS, **fields})


def test_the_store_is_that_of_the_category():
    assert made().store is Store.EPISODIC
    assert made(category=Category.SKILL).store is Store.PROCEDURAL


def test_conversation_is_no_category_of_extraction():
    with pytest.raises(KeyError):
        made(category=Category.CONVERSATION)


@pytest.mark.rule("11.6 output")
def test_title_is_one_line_of_at_most_200_characters():
    assert made(title=" two\n lines ").title == "two lines"
    assert made(title="x" * 200).title == "x" * 200
    assert len(made(title="x" * 201).title) == 200
    assert made(title="word " * 60).title.endswith("word…")


@pytest.mark.rule("11.6 output")
def test_content_has_at_most_4000_characters():
    assert made(content="x" * 4_000).content == "x" * 4_000
    assert len(made(content="x" * 4_001).content) == 4_000


@pytest.mark.rule("11.6 row")
@pytest.mark.parametrize(("given", "kept"), [(0.1, 0.5), (0.5, 0.5), (0.66, 0.66), (0.9, 0.9), (7, 0.9)])
def test_importance_lies_between_a_half_and_nine_tenths(given, kept):
    assert made(importance=given).importance == kept


def test_tags_are_trimmed_lower_case_distinct_and_marked():
    assert made(tags=["  DB ", "db", "", "Big  Data"]).tags == ("auto-extracted", "db", "big data")


@pytest.mark.rule("11.6 output")
def test_there_are_at_most_twelve_tags_of_64_characters():
    assert len(made(tags=[f"tag{number}" for number in range(40)]).tags) == 12
    assert made(tags=["x" * 64, "y" * 65]).tags == ("auto-extracted", "x" * 64)


def test_sources_are_distinct_and_keep_their_order():
    assert made(source_indexes=[4, 1, 4]).source_indexes == (4, 1)
