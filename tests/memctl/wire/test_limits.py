import pytest

from memctl.wire import limits


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CHUNKS_PER_REQUEST_MAX", 10_000),
        ("KB_QUERY_DEFAULT", 10),
        ("KB_QUERY_MAX", 50),
        ("KB_ENUMERATE_DEFAULT", 100),
        ("KB_ENUMERATE_MAX", 200),
        ("MESSAGE_SEARCH_DEFAULT", 10),
        ("MESSAGE_SEARCH_MAX", 100),
        ("MESSAGE_OFFSET_MAX", 10_000),
        ("EXPORT_PAGE_DEFAULT", 50),
        ("EXPORT_PAGE_MAX", 200),
        ("RECALL_LIMIT_DEFAULT", 12),
        ("RECALL_LIMIT_MAX", 20),
        ("PREVIEW_DEFAULT", 800),
        ("PREVIEW_MAX", 2_000),
        ("TITLE_MAX", 500),
        ("CONTENT_MAX", 50_000),
        ("CHUNK_CONTENT_MAX", 100_000),
        ("MESSAGE_CONTENT_MAX", 100_000),
        ("EMBEDDED_MAX", 8_000),
        ("DEDUPE_KEY_MAX", 500),
        ("TAGS_MAX", 32),
        ("TAG_MAX", 64),
        ("ACTION_TRIGGERS_MAX", 25),
        ("ACTION_TRIGGER_MAX", 128),
        ("KB_NAME_MAX", 200),
        ("KB_DESCRIPTION_MAX", 2_000),
        ("CHECKPOINT_LABEL_MAX", 200),
        ("CHECKPOINT_DESCRIPTION_MAX", 5_000),
        ("METADATA_MAX_BYTES", 16_000),
        ("SNAPSHOT_MESSAGES_MAX", 10_000),
        ("METRIC_PAYLOAD_MAX_BYTES", 32_000),
        ("RECALL_TEXT_MAX", 600),
        ("BODY_MAX_BYTES", 16 * 2**20),
        ("IMPORT_BODY_MAX_BYTES", 64 * 2**20),
    ],
)
def test_the_constants_of_the_contract(name, value):
    assert getattr(limits, name) == value
