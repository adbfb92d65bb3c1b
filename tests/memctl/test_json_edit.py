"""An entry in a JSON file of another program: in, changed and out again, with everything else byte for byte."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.json_edit import parsed, with_entry, without_entry

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


@pytest.mark.parametrize("text", ["{'a': 1}", "{a: 1}", "{} {}", "{", '{"a": /}', '{"a": 1,,}', '{"a"}', ""])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
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
