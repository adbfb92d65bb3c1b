"""Rendering a set of channels as a condition: the one bridge between visibility and SQL."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memd.domain.visibility.rules import ChannelScope
from memd.domain.visibility.scoping import ChunkScope, MemoryScope


def channel_condition(scope: ChannelScope, column: str, params: dict[str, Any], name: str = "scope") -> str:
    """The condition on `column` that holds exactly for the channels in `scope`; its values go into `params`.

    `name` keeps the parameters of several scopes in one statement apart.
    """
    if scope.everything:
        return "true"
    terms: list[str] = []
    if scope.absent:
        terms.append(f"{column} IS NULL")
    if len(scope.exact) == 1:
        terms.append(f"{column} = %({name}_exact)s")
        params[f"{name}_exact"] = scope.exact[0]
    elif scope.exact:
        terms.append(f"{column} = ANY(%({name}_exact)s)")
        params[f"{name}_exact"] = list(scope.exact)
    if scope.all_but is not None:
        terms.append(f"{column} !~ %({name}_all_but)s")
        params[f"{name}_all_but"] = scope.all_but
    return f"({' OR '.join(terms)})" if terms else "false"


def memory_condition(
    scope: MemoryScope, chunks: Sequence[tuple[UUID, ChunkScope]], alias: str, params: dict[str, Any]
) -> str:
    """The condition on rows of `alias` that shows the visible ordinary memories and the chunks that are let through.

    `chunks` holds the visible knowledge bases, each with its scope; its values go into `params`.
    """
    terms = [f"({alias}.knowledge_base_id IS NULL AND {channel_condition(scope, f'{alias}.channel', params)})"]
    for number, (base_id, kept) in enumerate(chunks):
        params[f"base_{number}"] = base_id
        condition = channel_condition(kept, f"{alias}.channel", params, name=f"chunks_{number}")
        terms.append(f"({alias}.knowledge_base_id = %(base_{number})s AND {condition})")
    return f"({' OR '.join(terms)})"
