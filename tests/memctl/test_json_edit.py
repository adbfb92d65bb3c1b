"""An entry in a JSON file of another program: in, changed and out again, with everything else byte for byte."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.json_edit import UnknownSettingsError, parsed, rewritten

ENTRY = {"url": "http://memd.test/mcp", "headers": {"Authorization": "Bearer x"}}
TABLE = "mcpServers"

COMMENTED = """// Zed settings
{
  "theme": "One", // mine, "quoted": {
  /* servers: } */
  "mcpServers": {
    "other": { "args": ["a",  "b"], "big": 12345678901234567890, "f": 1.50 }, // keep
  },
  "emoji": "\\u00e9 } \\" , ",
}
"""
FILES = (
    COMMENTED,
    COMMENTED.replace("\n", "\r\n"),
    '{"a":1,"mcpServers":{"other":{"x":[1,2]}}}',
    '{\n\t"mcpServers": {\n\t\t"other": {"x": 1}\n\t}\n}',
    '{\n    "theme": "dark"  // last\n}\n',
    "{}",
    "{}\n",
    '{"a": {}}',
    '{\n  "a": [\n    {}\n  ],\n  "b": "}"\n}\n',
)
PLAIN: Any = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text()),
    lambda part: st.one_of(st.lists(part, max_size=3), st.dictionaries(st.text(), part, max_size=3)),
    max_leaves=8,
)


def with_entry(text: str, table: str, name: str, entry: dict[str, Any]) -> str:
    document = parsed(text)
    document.setdefault(table, {})[name] = entry
    return rewritten(text, document)


def without_entry(text: str, table: str, name: str) -> str:
    document = parsed(text)
    del document[table][name]
    if not document[table]:
        del document[table]
    return rewritten(text, document)


@pytest.mark.parametrize("before", FILES)
def test_what_was_added_can_be_taken_out_again(before: str) -> None:
    after = with_entry(before, TABLE, "memd", ENTRY)
    assert parsed(after)[TABLE]["memd"] == ENTRY
    assert without_entry(after, TABLE, "memd") == before


@pytest.mark.parametrize("before", FILES)
def test_no_line_of_others_changes(before: str) -> None:
    after = with_entry(before, TABLE, "memd", ENTRY)
    pieces = iter(after)
    assert all(character in pieces for character in before), "the old text is what remains without the new characters"
    assert ("\r\n" in after, after.count("\n") - after.count("\r\n") > 0) == (
        "\r\n" in before,
        "\r\n" not in before and "\n" in after,
    )


def test_an_entry_that_is_there_is_replaced_where_it_stands() -> None:
    before = with_entry(COMMENTED, TABLE, "other", ENTRY)
    assert parsed(before)[TABLE] == {"other": ENTRY}
    assert "// keep" in before
    assert with_entry(before, TABLE, "other", ENTRY) == before


def test_an_entry_between_others_is_taken_out_alone() -> None:
    before = '{\n  "mcpServers": {\n    "a": 1,\n    "memd": {"x": 1}, // ours\n    "b": 2\n  }\n}\n'
    assert without_entry(before, TABLE, "memd") == before.replace('\n    "memd": {"x": 1},', "")
    assert without_entry('{"mcpServers": {"memd": {}, "b": 2}}', TABLE, "memd") == '{"mcpServers": {"b": 2}}'


@pytest.mark.parametrize(
    "text", ["{'a': 1}", "{a: 1}", "{} {}", "{", '{"a": /}', '{"a": 1,,}', '{"a"}', '{"a": NaN}', "[" * 101 + "]" * 101]
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(UnknownSettingsError, match=r"."):
        parsed(text)


@given(
    st.dictionaries(st.text(), PLAIN, max_size=4),
    st.dictionaries(st.text().filter(lambda name: name != "memd"), PLAIN, min_size=1, max_size=3),
    st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_any_settings_survive(others: dict[str, Any], servers: dict[str, Any], indent: int | str | None) -> None:
    settings = {**others, TABLE: servers}
    before = json.dumps(settings, indent=indent)
    assert parsed(before) == settings
    after = with_entry(before, TABLE, "memd", ENTRY)
    assert json.loads(after) == {**settings, TABLE: {**servers, "memd": ENTRY}}
    assert without_entry(after, TABLE, "memd") == before


@given(
    st.dictionaries(st.text(max_size=3), PLAIN, max_size=4),
    st.dictionaries(st.text(max_size=3), PLAIN, max_size=4),
    st.sampled_from([None, 2, "\t"]),
)
def test_any_object_becomes_any_other(old: dict[str, Any], new: dict[str, Any], indent: int | str | None) -> None:
    after = rewritten(json.dumps(old, indent=indent), new)
    assert json.dumps(json.loads(after), sort_keys=True) == json.dumps(new, sort_keys=True)


LISTED = """{
  "hooks": [
    // the first
    {"command": "a"}, // of mine
    {
      "command": "b", "timeout": 1e400,
    },
    {"command": "c"}
  ]
}
"""


def changed(hooks: list[Any]) -> str:
    return rewritten(LISTED, {"hooks": hooks})


def test_of_a_list_only_what_differs_is_written() -> None:
    a, b, c = parsed(LISTED)["hooks"]
    assert changed([a, b, c]) == LISTED
    assert changed([a, {**b, "command": "new"}, c]) == LISTED.replace('"b"', '"new"')
    assert changed([a, b]) == LISTED.replace(',\n    {"command": "c"}', "")
    assert changed([b, c]) == LISTED.replace('\n    {"command": "a"},', "")
    assert changed([a, b, 1, c]) == LISTED.replace('{"command": "c"}', '1,\n    {"command": "c"}')
    assert changed([a, b, c, {"d": 1}]) == LISTED.replace('c"}', 'c"},\n    {\n      "d": 1\n    }')


@pytest.mark.parametrize(
    ("text", "new", "after"),
    [
        ('{\n  "a": 1, // of a\n  "b": 2}', {"a": 1}, '{\n  "a": 1 // of a\n}'),
        ('{\n  // of b\n  "b": 2}\n', {"c": 3}, '{\n  // of b\n  "c": 3\n}\n'),
        ('{\n  "a": 1, // of a\n  "b": 2\n  , "c": 3}', {"a": 1, "c": 3}, '{\n  "a": 1, // of a\n "c": 3}'),
        ('{ "a": 1, // of a\n}', {"a": 1, "c": 3}, '{ "a": 1, "c": 3, // of a\n}'),
    ],
)
def test_a_comment_never_takes_in_what_follows_a_change(text: str, new: dict[str, Any], after: str) -> None:
    assert rewritten(text, new) == after


def test_an_object_with_a_name_twice_is_refused_if_that_is_what_changes() -> None:
    text = '{"a": 1, "b": 2, "a": 3}'
    assert rewritten(text, {"a": 4, "b": 2}) == '{"a": 1, "b": 2, "a": 4}'
    with pytest.raises(UnknownSettingsError, match="a name twice"):
        rewritten(text, {"b": 2})


def test_an_error_names_the_place_in_the_file() -> None:
    with pytest.raises(UnknownSettingsError, match="line 4 column 3"):
        parsed('{\n  // one, two\n  "a": 1\n  "b": 2\n}')
