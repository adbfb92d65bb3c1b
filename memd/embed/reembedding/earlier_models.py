"""Deleting the vectors of earlier models, after `memd reembed` has made another one current."""

from typing import Final
from uuid import UUID

from memd.db.session import Database
from memd.embed.reembedding import store
from memd.errors import Unauthorized

PAGE: Final = 2_000


async def retire_earlier_models(database: Database, model: int) -> None:
    """Delete the vectors of models before `model`, page by page, and enqueue the rows that have no vector of `model`.

    Does nothing when `model` is no longer current. A memd that still runs with an earlier model, perhaps on another host,
    keeps storing its vectors, so the earlier models themselves are deleted only when no vector of theirs is left.
    """
    async with database.system() as session:
        if not await store.has_earlier(session, model):
            return
        users = await store.users_of_earlier(session, model)
        if not users:
            await store.forget_earlier(session, model)
    for user_id in users:
        await _retire(database, user_id, model)


async def _retire(database: Database, user_id: UUID, model: int) -> None:
    kinds: tuple[store.Kind, ...] = ("memory", "message")
    for kind in kinds:
        deleted = PAGE
        while deleted >= PAGE:
            try:
                async with database.write(user_id) as session:
                    deleted = await store.replace_earlier_vectors(session, kind, model, PAGE)
            except Unauthorized:  # the user is being erased, with the vectors
                return
