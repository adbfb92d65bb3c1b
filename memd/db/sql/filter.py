"""Rendering the filters of a request as a condition on the narrow rows of memories and chunks."""

from typing import Any

from memd.db.sql.metadata import metadata_condition, namespace_condition
from memd.db.sql.moment import NOW, Tables
from memd.domain.search.recall_modes import RowFilter


def filter_condition(row_filter: RowFilter, alias: str, params: dict[str, Any], stored: Tables = NOW) -> str:
    """The condition on the rows of `alias` (memory_index or memory_vector) that pass; its values go into `params`.

    Tags are in memory_index only; stored tags are lower case as those of the filter. `stored` has the FROM items with the
    tags, the namespace and the metadata: those of the moment, of the row's memory (`tables_at` with its id). Whether the
    row was archived is for the caller's own condition: of a past moment, chunks are found that have been archived since.
    """
    terms: list[str] = []
    if row_filter.stores is not None:
        params["stores"] = sorted(row_filter.stores)
        terms.append(f"{alias}.store = ANY(%(stores)s)")
    if row_filter.categories is not None:
        params["categories"] = sorted(row_filter.categories)
        terms.append(f"{alias}.category = ANY(%(categories)s)")
    if row_filter.project_id is not None:
        params["project"] = row_filter.project_id
        terms.append(f"({alias}.project_id IS NULL OR {alias}.project_id = %(project)s)")
    if row_filter.tags:
        params["tags"] = sorted(row_filter.tags)
        terms.append(
            f"""EXISTS (SELECT FROM {stored.index} tagged WHERE tagged.user_id = %(user)s
                AND tagged.memory_id = {alias}.memory_id AND tagged.tags @> %(tags)s)"""
        )
    if row_filter.namespace is not None or row_filter.where:
        named = namespace_condition(row_filter.namespace, "described", params)
        if row_filter.namespace is not None:
            named = f"NOT described.archived AND {named}"  # as the index of namespaces has it; chunks have none
        condition = metadata_condition(row_filter.where, "described", params)
        terms.append(
            f"""EXISTS (SELECT FROM {stored.memory} described WHERE described.user_id = %(user)s
                AND described.id = {alias}.memory_id AND {named} AND {condition})"""
        )
    return " AND ".join(terms) or "true"
