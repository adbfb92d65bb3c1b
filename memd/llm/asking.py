"""Asking the model on behalf of a user, within the user's budget."""

from collections.abc import Callable
from typing import Final, TypeVar
from uuid import UUID

from memd.access.authentication.principal import Account, Principal
from memd.context import Context
from memd.domain.accounts.credits import is_unmetered
from memd.llm.prompts import GRAPH, Prompt

TIMEOUT_S: Final = 20.0
T = TypeVar("T")


async def ask(
    context: Context, prompt: Prompt, read: Callable[[object], T | None], timeout_s: float = TIMEOUT_S
) -> T | None:
    """The answer as parsed by `read`; None without a model, or when the call failed (contract 2.1, 11.10)."""
    model = context.services.llm
    if model is None:
        return None
    return await model.ask(prompt, read, _budgets(context, prompt), timeout_s)


def _budgets(context: Context, prompt: Prompt) -> list[tuple[UUID, int | None]]:
    """Questions of this kind that the user, and for an end user its account, may ask in an hour; None for any number."""
    payers = [payer for payer in (context.principal, context.principal.account) if payer is not None]
    return [(payer.user_id, _budget(context, prompt, payer)) for payer in payers]


def _budget(context: Context, prompt: Prompt, payer: Principal | Account) -> int | None:
    if is_unmetered(payer.policy):
        return None
    if prompt.name == GRAPH:
        return payer.allowance.graph_enrichments_per_hour
    return context.services.settings.llm_calls_per_hour
