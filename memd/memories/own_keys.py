"""The caller's own keys in a text: what looks like a key is looked up by its hash, so digests raise no false alarm."""

import re
from collections.abc import Sequence
from typing import Final

from memd.accounts import service as accounts
from memd.accounts.new_keys import hash_key
from memd.context import Context
from memd.domain.content_policy import Block
from memd.domain.types import BlockReason

KEY_FORM: Final = re.compile("(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])")
OWN_KEY: Final = Block(BlockReason.PERSONAL_INFO_EXPOSURE, "secret_api_token")


async def holding_own_key(context: Context, texts: Sequence[str]) -> list[bool]:
    """Whether each text holds a live key of the caller; the database is asked only for texts with the form of one."""
    shapes = [{hash_key(shape) for shape in KEY_FORM.findall(text)} for text in texts]
    wanted = set[str]().union(*shapes)
    if not wanted:
        return [False] * len(texts)
    live = await accounts.live_key_hashes(context, wanted)
    return [not found.isdisjoint(live) for found in shapes]
