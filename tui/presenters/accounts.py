"""API keys as rows."""

from memctl.text import moment
from memctl.wire.accounts import AuthReply, KeyRow

from .cells import TableRow, ago, cell


def key_row(key: KeyRow, now: int) -> TableRow:
    """Label, scopes, state, last use, creation, end."""
    state = cell("this one", "mark") if key.current else cell("active", "ok") if key.active else cell("ended", "dim")
    style = "" if key.active else "dim"
    return TableRow(
        key.id,
        (
            cell(key.label or "–", style or "bold"),
            cell(", ".join(key.scopes), style),
            state,
            cell("never" if key.last_used_at is None else ago(key.last_used_at, now), style),
            cell(moment(key.created_at), "dim"),
            cell("–" if key.expires_at is None else moment(key.expires_at), "dim"),
        ),
    )


def who_line(auth: AuthReply) -> str:
    """Whose key this is and what it may do."""
    admin = ", administrator" if auth.admin else ""
    return f"{auth.user_id}{admin} · {auth.tier} ({auth.policy}) · this key may {', '.join(auth.scopes)}"
