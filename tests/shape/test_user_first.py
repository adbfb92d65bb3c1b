"""Every table of a user is keyed by the user first, so that tables can be spread by user."""

import pytest
from sqlalchemy import Table

from memd.db.schema.catalogue import METADATA

OF_USERS = [table for table in METADATA.sorted_tables if "user_id" in table.primary_key.columns]
LOOKED_UP_WITHOUT_USER = {
    "ux_api_key_hash",
    "ux_api_key_previous_hash",
    "ux_app_user_external",
    "ix_erasure_waiting",
    "ux_erasure_id",
    "ix_memory_associated",
    "ix_memory_id",
    "ix_message_block_times",
    "ix_metric_row_block_times",
    "ix_recall_activity_block_times",
    "ix_standing_question_due",
    "ix_memory_index_text",
    "ix_memory_version_index_text",
    "ix_message_index_text",
}


@pytest.mark.parametrize("table", OF_USERS, ids=lambda table: table.name)
def test_primary_key_leads_with_the_user(table: Table) -> None:
    assert next(iter(table.primary_key.columns)).name == "user_id"


@pytest.mark.parametrize("table", OF_USERS, ids=lambda table: table.name)
def test_every_index_leads_with_the_user(table: Table) -> None:
    strays = [
        index.name
        for index in table.indexes
        if index.name not in LOOKED_UP_WITHOUT_USER and next(iter(index.expressions)).name != "user_id"  # pyrefly: ignore[missing-attribute]
    ]
    assert strays == []


def test_the_rest_belongs_to_the_whole_service() -> None:
    assert {table.name for table in METADATA.sorted_tables} - {table.name for table in OF_USERS} == {
        "audit_entry",
        "audit_head",
        "device_request",
        "device_session",
        "embedding_model",
        "schedule_run",
        "service_fact",
    }
