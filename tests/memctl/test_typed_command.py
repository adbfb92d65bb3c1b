"""The command that a message repeats for its reader holds no key and no password."""

import click
import pytest

from memctl.options import _META, typed_command  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["kb", "import", "a", "--api-key", "memd_1"], "memctl kb import a --api-key …"),
        (["--api-key=memd_1", "list"], "memctl --api-key=… list"),
        (["--url", "https://anna:secret@memd.example.com/x", "list"], "memctl --url https://…@memd.example.com/x list"),
        (["kb", "import", "a", "https://example.com/@b"], "memctl kb import a https://example.com/@b"),
    ],
)
def test_secrets_are_not_repeated(words: list[str], shown: str) -> None:
    context = click.Context(click.Command("list"))
    context.meta[f"{_META}typed"] = words
    assert typed_command(context) == shown
