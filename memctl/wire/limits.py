"""The numbers that bound requests and rows (contract 2.3), named once for the wire and for the daemon behind it.

Text lengths count Unicode code points; a name that ends in `_BYTES` counts bytes. What a tier allows is not here: that is
the capacity policy's.
"""

from typing import Final

NO_LIMIT: Final = 999_999
"""Stands for "no limit" in replies."""

# Memories.
TITLE_MAX: Final = 500
CONTENT_MAX: Final = 50_000
TAGS_MAX: Final = 32
TAG_MAX: Final = 64
ACTION_TRIGGERS_MAX: Final = 25
ACTION_TRIGGER_MAX: Final = 128
METADATA_MAX_BYTES: Final = 16_000
RECALL_TEXT_MAX: Final = 600
CAPTURE_BATCH_MAX: Final = 500
NAMESPACE_MAX: Final = 200
KEY_MAX: Final = 200
KEYED_SEARCH_DEFAULT: Final = 10
KEYED_SEARCH_MAX: Final = 100
KEYED_OFFSET_MAX: Final = 10_000
EXPORT_PAGE_DEFAULT: Final = 50
EXPORT_PAGE_MAX: Final = 200

# Recall. The default limit is a setting of the deployment within 1..RECALL_LIMIT_MAX.
RECALL_LIMIT_DEFAULT: Final = 12
RECALL_LIMIT_MAX: Final = 20
PREVIEW_DEFAULT: Final = 800
PREVIEW_MAX: Final = 2_000

# What is used of any query: its head.
QUERY_USED: Final = 2_000
FILTER_USED: Final = 200

# Messages. Longer content is cut and the reply says so.
MESSAGE_CONTENT_MAX: Final = 100_000
MESSAGE_READ_MAX: Final = 4 * MESSAGE_CONTENT_MAX
"""The characters of a message that are read at all, invisible ones included."""
MESSAGE_PAGE_MAX: Final = 200
MESSAGE_SEARCH_DEFAULT: Final = 10
MESSAGE_SEARCH_MAX: Final = 100
MESSAGE_OFFSET_MAX: Final = 10_000

# What is embedded of any text: its head.
EMBEDDED_MAX: Final = 8_000

# Keys.
ADDRESSES_MAX: Final = 50
DEVICE_KEY_DAYS_MAX: Final = 3_650

# Knowledge bases.
KB_NAME_MAX: Final = 200
KB_DESCRIPTION_MAX: Final = 2_000
KB_QUERY_DEFAULT: Final = 10
KB_QUERY_MAX: Final = 50
KB_ENUMERATE_DEFAULT: Final = 100
KB_ENUMERATE_MAX: Final = 200
CHUNKS_PER_REQUEST_MAX: Final = 10_000
CHUNK_CONTENT_MAX: Final = 100_000
DEDUPE_KEY_MAX: Final = 500

# Sessions.
CHECKPOINT_LABEL_MAX: Final = 200
CHECKPOINT_DESCRIPTION_MAX: Final = 5_000
SNAPSHOT_MESSAGES_MAX: Final = 10_000

# Metrics and bodies. The body limits are defaults of settings.
METRIC_PAYLOAD_MAX_BYTES: Final = 32_000
BODY_MAX_BYTES: Final = 16 * 1024 * 1024
IMPORT_BODY_MAX_BYTES: Final = 64 * 1024 * 1024

ACTIVITY_DAYS_MAX: Final = 371
"""Fifty-three weeks."""
