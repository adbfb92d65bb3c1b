"""The messages that a scope shows, read from its fields; memd itself renders them to SQL."""

from memd.domain.visibility.scoping import MessageScope


def shows(scope: MessageScope, channel: str | None, session_key: str | None) -> bool:
    """Whether a message of this channel and session is visible."""
    return scope.admits(channel) and scope.session_key in {None, session_key}
