"""The message about a failure to connect, and the command that it names."""

import pytest

from memctl.client import MemdClient
from memctl.client.errors import NotReachable


@pytest.mark.parametrize(
    ("url", "socket", "command"),
    [
        ("http://127.0.0.1:1", None, "; start it with: memd serve --port 1"),
        ("https://localhost:1", None, "; start it with: memd serve"),
        (
            "http://127.0.0.1:1",
            "/nowhere/my data/memd.sock",
            "; start it with: memd serve --data-dir '/nowhere/my data'",
        ),
        ("http://memory.invalid", None, "; is it running there, and is the address right?"),
    ],
)
async def test_the_command_that_starts_memd_is_one_of_this_machine(url: str, socket: str | None, command: str) -> None:
    async with MemdClient(url, None, socket=socket) as client:
        with pytest.raises(NotReachable) as caught:
            await client.health.alive()
    text = str(caught.value)
    assert text.startswith(f"memd does not answer at {url} (")
    assert text.endswith(command)
    assert "Errno" not in text


def test_what_cannot_be_a_key_is_refused_and_not_shown() -> None:
    with pytest.raises(ValueError, match="one word of ASCII characters") as refused:
        MemdClient("http://memd.test", "secret\nsecret")
    assert "secret" not in str(refused.value)
