"""Texts that a rule of the content policy is tried on, as the parameters of one test."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest


def cases(texts: Mapping[str, Iterable[str]], marks: Mapping[str, pytest.MarkDecorator]) -> list[Any]:
    """(id of the threat, text) for each text, with the mark that says which rule of the contract it covers."""
    return [
        pytest.param(threat, text, id=f"{threat}-{number}", marks=marks[threat])
        for threat, of_threat in texts.items()
        for number, text in enumerate(of_threat)
    ]
