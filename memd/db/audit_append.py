"""The statement that appends an entry to the audit chain; a session runs it as the last one before it commits."""

from typing import Final

from memd.domain.accounts.audit_chain import AuditEntry, json_text

APPEND: Final = """
SELECT memd_audit_append(%(at)s, %(user_id)s, %(key_id)s, %(address)s, %(action)s, %(target)s, %(outcome)s,
                         %(before)s::json, %(after)s::json, %(request_id)s)
"""


def append(entry: AuditEntry) -> tuple[str, dict[str, object]]:
    """The statement and its parameters."""
    return APPEND, {
        "at": entry.at,
        "user_id": entry.user_id,
        "key_id": entry.key_id,
        "address": entry.address,
        "action": entry.action,
        "target": entry.target,
        "outcome": entry.outcome.value,
        "before": json_text(entry.before),
        "after": json_text(entry.after),
        "request_id": entry.request_id,
    }
