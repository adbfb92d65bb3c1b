"""Detects the caller's own API keys in texts; candidates are looked up by hash, so digests raise no false alarm."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Final

from memd.accounts import service as accounts
from memd.accounts.new_keys import hash_key
from memd.context import Context
from memd.domain.policy.content_policy import Block
from memd.domain.types import BlockReason
from memd.off_loop import in_thread_if_any_long

KEY_FORM: Final = re.compile("(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])")
OWN_KEY: Final = Block(BlockReason.PERSONAL_INFO_EXPOSURE, "secret_api_token")


async def detect_own_keys(context: Context, texts: Sequence[str]) -> list[bool]:
    """Whether each text holds a live key of the caller; the database is asked only about candidates."""
    candidates = await in_thread_if_any_long(partial(_candidate_hashes, texts), texts)
    hashes = set[str]().union(*candidates)
    if not hashes:
        return [False] * len(texts)
    live = await accounts.live_key_hashes(context, hashes)
    return [not found.isdisjoint(live) for found in candidates]


def _candidate_hashes(texts: Sequence[str]) -> list[set[str]]:
    """For each text the hashes of what has the form of a key."""
    return [{hash_key(candidate) for candidate in KEY_FORM.findall(text)} for text in texts]
