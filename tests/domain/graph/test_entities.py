import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.graph.entities import canonical_key, entity, find_entities, key_phrase, settled_type, slug
from memd.domain.types import NodeType


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Billing Service", "billing-service"),
        ("memd_worker", "memd-worker"),
        ("@dana", "dana"),
        ("Łódź office", "łódź-office"),
        ("ＡＢＣ", "abc"),
        ("a  --  b", "a-b"),
        ("…", ""),
    ],
)
def test_a_slug_joins_letters_and_digits(label, expected):
    assert slug(label) == expected


@pytest.mark.rule("11.10 nodes")
def test_the_canonical_key_is_type_and_slug():
    assert canonical_key(NodeType.PERSON, "Dana Whitfield") == "person:dana-whitfield"


@pytest.mark.rule("11.10 entities")
@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Dana Whitfield owns the ledger.", ["person:dana-whitfield"]),
        ("Ask @priya in #payments.", ["person:priya", "channel:payments"]),
        ("The job memory_sweeper calls `rebuildIndex`.", ["resource:rebuildindex", "resource:memory-sweeper"]),
        (
            "See docs/setup.md and https://example.org/a?b=1.",
            ["resource:https-example-org-a-b-1", "resource:docs-setup-md"],
        ),
        ('She reads "The Blue Door" at night.', ["concept:the-blue-door"]),
        ("We moved from MySQL to Postgres.", ["tool:mysql", "tool:postgres"]),
        ("They met at the Lisbon Conference.", ["event:lisbon-conference"]),
        ("Caroline (8 May 2023): it was fun.", ["person:caroline"]),
        ("Hey Joanna! The weather is fine.", ["person:joanna"]),
        ("The API and the Service failed.", []),
        ("nothing to see", []),
        ("", []),
    ],
)
def test_names_handles_identifiers_and_quoted_terms_are_entities(text, keys):
    assert [found.key for found in find_entities(text)] == keys


def test_an_entity_is_found_once():
    assert [found.label for found in find_entities("Redis holds it. We like Redis, and redis_cache too.")] == [
        "redis_cache",
        "Redis",
    ]


@pytest.mark.parametrize("phrase", ["the", "", "  ", "…", "it is", "of the", "x"])
def test_a_phrase_without_a_telling_word_is_no_entity(phrase):
    assert entity(phrase) is None


def test_a_version_is_no_part_of_a_tool():
    found = entity("Redis 7.2")
    assert found is not None
    assert found.key == "tool:redis"


@pytest.mark.rule("11.10 entities")
@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Checkout latency budget", "Checkout latency budget"),
        ("The plan for the winter garden", "winter garden"),
        ("Ok", None),
        ("We went to the sea and it was lovely.", None),
        ("One two three four five six seven eight nine", None),
    ],
)
def test_the_key_phrase_of_a_headline_is_its_longest_run_of_telling_words(title, label):
    found = key_phrase(title)
    assert (found.label if found else None) == label


@pytest.mark.parametrize(
    ("found", "known", "settled"),
    [
        (NodeType.CONCEPT, [], NodeType.CONCEPT),
        (NodeType.CONCEPT, [NodeType.PERSON], NodeType.PERSON),
        (NodeType.CONCEPT, [NodeType.CONCEPT], NodeType.CONCEPT),
        (NodeType.TOOL, [NodeType.PROJECT], NodeType.TOOL),
    ],
)
def test_a_vague_entity_joins_the_definite_node_of_its_slug(found, known, settled):
    assert settled_type(found, known) is settled


@given(st.text(max_size=200))
def test_entities_have_a_key_and_a_bounded_label(text):
    for found in find_entities(text):
        assert slug(found.label)
        assert len(found.label) <= 80
        assert found.key.startswith(f"{found.node_type.value}:")
