"""The use cases of erasures: asking for one, and looking at its receipt."""

from uuid import UUID

from memctl.wire.erasure import EraseMessagesRequest, EraseSessionRequest
from memd.context import Context
from memd.domain.types import KeyScope
from memd.erasure import store
from memd.erasure.messages import service as messages
from memd.erasure.store import Receipt
from memd.erasure.users import service as users
from memd.errors import NotFound


async def erase_user(context: Context, user_id: UUID) -> UUID:
    """Erase a user and everything that belongs to the user; returns the id of the erasure.

    From the answer on, no key of the user works. `NotFound` for an unknown user, `LastAdminKey` when no administrator
    would be left.
    """
    receipt = await users.begin(context, user_id)
    if receipt is None:
        raise NotFound
    await context.services.principals.wait_ttl()
    return receipt.id


async def erase_end_user(context: Context, name: str) -> UUID:
    """Erase an end user of the caller's application, by the application's name for it; returns the id of the erasure.

    `NotFound` when the caller has no such end user. The next request that names it makes another one, without a past.
    """
    receipt = await users.begin_end_user(context, name)
    await context.services.principals.wait_ttl()
    return receipt.id


async def erase_message(context: Context, message_id: UUID, request: EraseMessagesRequest) -> UUID:
    """Erase one message that the request sees, with what was derived from it; returns the id of the erasure."""
    return (await messages.begin_message(context, message_id, request)).id


async def erase_session(context: Context, request: EraseSessionRequest) -> UUID:
    """Erase what the request sees of a session, with what was derived from it; returns the id of the erasure."""
    return (await messages.begin_session(context, request)).id


async def show(context: Context, erasure_id: UUID) -> Receipt:
    """The receipt, for who asked for it and for keys that may administrate; `NotFound` for everybody else."""
    async with context.database.system() as session:
        receipt = await store.find(session, erasure_id)
    if receipt is None or not (context.principal.may(KeyScope.ADMIN) or receipt.requested_by == context.user_id):
        raise NotFound
    return receipt
