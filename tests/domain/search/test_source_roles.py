from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.search.source_roles import (
    FanOut,
    KnowledgeSource,
    RecallIntent,
    classify_intent,
    fan_out,
    priority,
    role_of,
    role_value,
    sources_to_search,
)
from memd.domain.search.text_match import query_terms
from memd.domain.types import SourceRole

# Contract 11.3: intent → canonical, client, voice, persona, messages, project, preference, unknown.
TABLE = {
    "factual_framework": (1, 0.05, -0.6, -0.45, -0.12, 0.32, 0.2, 0.42),
    "voice_style": (0.28, 0.18, 1, 0.66, 0.18, 0.12, 0.45, 0.2),
    "message_history": (0.22, 0.74, 0.08, 0.1, 1, 0.2, 0.42, 0.2),
    "coding_project": (0.24, 0.12, 0.06, 0.08, 0.34, 1, 0.48, 0.3),
    "client_specific": (0.62, 1, 0.14, 0.18, 0.76, 0.1, 0.34, 0.28),
    "general": (0.72, 0.58, 0.22, 0.24, 0.4, 0.54, 0.48, 0.38),
}
ROLES = (
    "canonical_reference",
    "client_context",
    "voice_style",
    "persona_guardrail",
    "message_history",
    "project_context",
    "user_preference",
    "unknown",
)
SHOWS = {
    "factual_framework": pytest.mark.rule("11.3 factual_framework"),
    "voice_style": pytest.mark.rule("11.3 voice_style"),
    "message_history": pytest.mark.rule("11.3 message_history"),
    "coding_project": pytest.mark.rule("11.3 coding_project"),
    "client_specific": pytest.mark.rule("11.3 client_specific"),
    "general": pytest.mark.rule("11.3 general"),
}
CELLS = [
    pytest.param(intent, role, value, marks=SHOWS[intent])
    for intent, row in TABLE.items()
    for role, value in zip(ROLES, row, strict=True)
]

# Contract 11.3: the cue words of each intent.
CUES = {
    "message_history": ("said", "told", "asked", "last time", "chat"),
    "voice_style": ("tone", "voice", "style", "wording", "phrase"),
    "coding_project": ("code", "repo", "bug", "deploy", "branch", "test", "main.py", "docs/setup.md", "Makefile"),
    "client_specific": ("client", "customer", "account"),
    "factual_framework": (
        "what is",
        "define",
        "framework",
        "principle",
        "policy",
        "standard",
        "how does",
    ),
}
CUE_CASES = [(intent, cue) for intent, cues in CUES.items() for cue in cues]


def kb(number, name="", role=None, tags=()):
    return KnowledgeSource(UUID(int=number), name, role, tuple(tags))


def test_the_table_covers_every_intent_and_role():
    assert set(TABLE) == set(RecallIntent)
    assert set(ROLES) == set(SourceRole)


@pytest.mark.parametrize(("intent", "role", "value"), CELLS)
def test_role_value_table(intent, role, value):
    assert role_value(RecallIntent(intent), SourceRole(role)) == value


@pytest.mark.rule("11.3 cue words")
@pytest.mark.parametrize(("intent", "cue"), CUE_CASES)
def test_a_cue_word_tells_the_intent(intent, cue):
    assert classify_intent(f"Gamma {cue} delta") == intent
    assert classify_intent(f"GAMMA {cue.upper()}, delta") == intent


@pytest.mark.rule("11.3 intent")
@pytest.mark.parametrize(
    "query", ["", "hello there", "unsaid things", "monotone", "contest", "decode it", "version 3.5"]
)
def test_no_cue_word_is_general(query):
    assert classify_intent(query) is RecallIntent.GENERAL


@pytest.mark.rule("11.3 intent")
@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("what is the bug in this repo", "coding_project"),
        ("what is our policy for the client", "factual_framework"),
        ("the customer account and its repo", "client_specific"),
        ("the tone and voice of the chat", "voice_style"),
    ],
)
def test_most_cue_words_decide(query, intent):
    assert classify_intent(query) == intent


@pytest.mark.rule("11.3 intent")
def test_the_same_cue_word_counts_once():
    assert classify_intent("bug bug bug: the customer account") is RecallIntent.CLIENT_SPECIFIC


@pytest.mark.rule("11.3 intent")
@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("message_history", "voice_style"),
        ("voice_style", "coding_project"),
        ("coding_project", "client_specific"),
        ("client_specific", "factual_framework"),
    ],
)
def test_ties_go_to_the_earlier_intent(earlier, later):
    assert classify_intent(f"{CUES[later][0]} {CUES[earlier][0]}") == earlier


@pytest.mark.parametrize("cue", ["clients", "customers", "accounts"])
def test_plurals_are_cue_words_too(cue):
    assert classify_intent(f"our {cue}") is RecallIntent.CLIENT_SPECIFIC


@pytest.mark.rule("11.3 role")
@pytest.mark.parametrize("role", list(SourceRole))
def test_a_set_source_role_wins_over_the_name(role):
    assert role_of(kb(1, "Client handbook", role)) is role


@pytest.mark.rule("11.3 role")
@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Security handbook", "canonical_reference"),
        ("API Reference", "canonical_reference"),
        ("Client: Acme", "client_context"),
        ("Brand voice", "voice_style"),
        ("Style guide", "voice_style"),
        ("Persona rules", "persona_guardrail"),
        ("chat_transcripts", "message_history"),
        ("Projects", "project_context"),
        ("user-preferences", "user_preference"),
        ("Miscellaneous", "unknown"),
        ("", "unknown"),
    ],
)
def test_else_words_in_the_name_tell_the_role(name, role):
    assert role_of(kb(1, name)) == role


@pytest.mark.rule("11.3 role")
def test_else_words_in_the_tags_tell_the_role():
    assert role_of(kb(1, "Acme", tags=["customer", "2026"])) is SourceRole.CLIENT_CONTEXT


@pytest.mark.rule("11.1.11")
def test_priority_is_role_value_plus_twenty_times_the_match_of_the_name():
    source = kb(1, "Acme handbook", SourceRole.CANONICAL_REFERENCE)
    terms = query_terms("who runs acme handbook printing")
    assert priority(source, RecallIntent.GENERAL, terms) == pytest.approx(0.72 + 20 * 2 / 5)


def test_a_name_in_the_query_beats_every_role():
    terms = query_terms("tell me about zebra")
    named, canonical = kb(1, "Zebra", SourceRole.VOICE_STYLE), kb(2, "Other", SourceRole.CANONICAL_REFERENCE)
    assert sources_to_search([canonical, named], RecallIntent.FACTUAL_FRAMEWORK, terms) == [named, canonical]


@pytest.mark.rule("11.1.11")
@pytest.mark.parametrize("intent", list(RecallIntent))
def test_fan_out_is_eight_by_three_and_twelve_by_six_for_a_factual_intent(intent):
    assert fan_out(intent) == (FanOut(12, 6) if intent == "factual_framework" else FanOut(8, 3))


@pytest.mark.rule("11.1.11")
@pytest.mark.parametrize("intent", list(RecallIntent))
def test_only_as_many_knowledge_bases_as_the_fan_out_are_asked(intent):
    searched = sources_to_search([kb(number) for number in range(30)], intent, query_terms("anything"))
    assert len(searched) == fan_out(intent).knowledge_bases


@given(
    order=st.permutations(range(14)),
    intent=st.sampled_from(list(RecallIntent)),
    roles=st.lists(st.none() | st.sampled_from(list(SourceRole)), min_size=14, max_size=14),
)
def test_the_order_does_not_depend_on_the_order_of_the_input(order, intent, roles):
    sources = [kb(number, f"Base {number}", role) for number, role in enumerate(roles)]
    terms = query_terms("base 3")
    chosen = sources_to_search(sources, intent, terms)
    assert sources_to_search([sources[index] for index in order], intent, terms) == chosen
    values = [priority(source, intent, terms) for source in chosen]
    assert values == sorted(values, reverse=True)
