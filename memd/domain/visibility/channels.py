"""The shape of a channel string (contract 10.1): its prefix and suffix, and the names for the forms it can have.

The only place that parses channels. Channels are compared byte for byte; only the word `group`
is case-blind. Which prefixes belong to peers is a setting: `memd.domain.visibility.rules`.
"""


def present(text: str | None) -> str | None:
    """`text`, or None when it is blank: a blank name counts as absent (contract 1.1 rule 7)."""
    return text if text is not None and text.strip() else None


def prefix_of(channel: str) -> str:
    """The text before the first `:`; the whole string when it has none."""
    return channel.partition(":")[0]


def suffix_of(channel: str) -> str | None:
    """The text after the last `:`; None when the string has no `:`."""
    _, colon, suffix = channel.rpartition(":")
    return suffix if colon else None


def is_dangling(channel: str) -> bool:
    """Whether the string ends in `:`, peer-capable or not."""
    return channel.endswith(":")


def is_group(channel: str) -> bool:
    """Whether a segment after the first equals `group`, case-blind (`discord:group:1`)."""
    return any(segment.lower() == "group" for segment in channel.split(":")[1:])


def is_main(channel: str) -> bool:
    """Whether the suffix is `main` or begins with `main-`."""
    suffix = suffix_of(channel)
    return suffix is not None and (suffix == "main" or suffix.startswith("main-"))


def main_agent_of(channel: str) -> str | None:
    """The agent x of a channel that ends in `:main-x`; None for every other channel."""
    suffix = suffix_of(channel)
    if suffix is None or not suffix.startswith("main-"):
        return None
    return suffix.removeprefix("main-") or None


def main_scope_of(channel: str) -> str | None:
    """The scope `S:main` that `S:main` and `S:main-<agentId>` share; None for every other channel."""
    head, colon, suffix = channel.rpartition(":")
    shares = bool(colon) and (suffix == "main" or main_agent_of(channel) is not None)
    return f"{head}:main" if shares else None


def is_same_main(scope: str, channel: str) -> bool:
    """Whether `scope` is `S:main` and `channel` is `S:main` or `S:main-<agentId>` with the same S."""
    return main_scope_of(channel) == scope
