"""The caller's own keys in a text: what looks like a key is looked up by its hash, so digests raise no false alarm."""

import asyncio
import re
from collections.abc import Sequence
from typing import Final

from memd.accounts import service as accounts
from memd.accounts.new_keys import hash_key
from memd.context import Context
from memd.domain.content_policy import Block
from memd.domain.types import BlockReason

KEY_FORM: Final = re.compile("(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])")
LONG: Final = 200_000
"""Characters from which on texts are read off the event loop: an import of 60 MB takes two seconds."""
OWN_KEY: Final = Block(BlockReason.PERSONAL_INFO_EXPOSURE, "secret_api_token")


async def holding_own_key(context: Context, texts: Sequence[str]) -> list[bool]:
    """Whether each text holds a live key of the caller; the database is asked only for texts with the form of one."""
    is_long = sum(map(len, texts)) > LONG
    shapes = await asyncio.to_thread(_shapes, texts) if is_long else _shapes(texts)
    wanted = set[str]().union(*shapes)
    if not wanted:
        return [False] * len(texts)
    live = await accounts.live_key_hashes(context, wanted)
    return [not found.isdisjoint(live) for found in shapes]


def _shapes(texts: Sequence[str]) -> list[set[str]]:
    """The hashes of what has the form of a key, for each text."""
    return [{hash_key(shape) for shape in KEY_FORM.findall(text)} for text in texts]
