"""Chats of several voices in a message: `Bob: I live in Oslo`, a line for each turn."""

import re
from collections.abc import Sequence
from typing import Final

_TURN: Final = re.compile(r"\s*(?:[-*>] )?\**(?:\[[^\]]{1,20}\] )?(?P<voice>[^\W\d_][\w .'’-]{0,24}?)\**\s*:\**\s+\S")
_VOICES: Final = (
    "user human assistant ai bot chatbot system agent customer client support me you kunde nutzer assistent"
)
_ROLES: Final = frozenset(_VOICES.split())


def without_chat(lines: Sequence[str]) -> list[str]:
    """The lines without the turns of a chat: two voices of which one speaks twice, or both are known roles."""
    turns = {index: turn["voice"].casefold() for index, line in enumerate(lines) if (turn := _TURN.match(line))}
    voices = set(turns.values())
    roles = {voice for voice in voices if voice.split()[-1] in _ROLES}
    is_chat = len(voices) > 1 and (len(roles) > 1 or len(turns) > len(voices))
    return [line for index, line in enumerate(lines) if not (is_chat and index in turns)]
