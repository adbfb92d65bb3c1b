"""How many values a body may hold (contract 1.1.3): counted outside of strings, before anything is parsed."""

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.access.request import json_size
from memd.access.request.json_size import MAX_VALUES, has_too_many_values
from tests.support.service import TestUser

VALUES = st.recursive(
    st.none() | st.integers() | st.text(alphabet='ab\\",[{é', max_size=12),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(alphabet='a\\",[{', max_size=4), inner, max_size=5)
    ),
    max_leaves=30,
)


def bound(value: Any) -> int:
    """Values in containers; an empty container counts as if it had one."""
    if isinstance(value, dict):
        value = list(value.values())
    return max(1, len(value)) + sum(map(bound, value)) if isinstance(value, list) else 0


@given(st.lists(VALUES, max_size=5), st.booleans(), st.integers(1, 40))
def test_values_are_counted_outside_of_strings(value: list[Any], is_ascii: bool, block: int) -> None:
    raw = json.dumps(value, ensure_ascii=is_ascii).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_size, "_BLOCK", block)
        assert not has_too_many_values(raw, bound(value))
        assert has_too_many_values(raw, bound(value) - 1)


def test_a_long_text_is_one_value() -> None:
    assert not has_too_many_values(json.dumps({"text": 'a[1], "b" {\\}\n' * MAX_VALUES}).encode())


@pytest.mark.parametrize("path", ["/api/mcp/capture", "/api/mcp/capture-batch", "/mcp"])
async def test_a_body_of_too_many_values_is_refused(user: TestUser, path: str) -> None:
    body = b'{"title":"t","content":"c","x":[' + b"[]," * MAX_VALUES + b"[]]}"
    refused = await user.http.post(path, content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == 400
    assert "more than 100,000 values" in refused.text


@pytest.mark.parametrize("path", ["/api/mcp/log", "/mcp"])
@pytest.mark.parametrize("sign", ["", "-"])
async def test_an_integer_beyond_a_double_is_refused_before_it_is_read(user: TestUser, path: str, sign: str) -> None:
    """4,000 of them, 4,299 digits each, stopped all requests for most of a second; decimals were refused already."""
    body = b'{"role":"user","content":"c","metadata":{"x":[%b%b]}}' % (sign.encode(), b"9" * 309)
    refused = await user.http.post(path, content=body)
    assert refused.status_code == 400
    assert "a number is beyond the range of a double" in refused.text


async def test_the_largest_integer_of_a_double_comes_back_as_it_was_sent(user: TestUser) -> None:
    largest = int(sys.float_info.max)
    sent = {"title": "t", "content": "The mill counts.", "metadata": {"x": largest}}
    stored = (await user.http.post("/api/mcp/capture", json=sent)).json()
    shown = (await user.http.post("/api/mcp/memory", json={"memoryId": stored["id"]})).json()
    assert shown["memory"]["metadata"] == {"x": largest}
