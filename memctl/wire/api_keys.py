"""API keys as clients are given them (contract 1.6.1)."""


class MalformedKeyError(ValueError):
    """The text is no API key; the message does not show it."""


def trimmed_key(text: str) -> str:
    """The key without blanks around it, such as the line break of its file; `MalformedKeyError` for what is no single word."""
    key = text.strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise MalformedKeyError("an API key is one word of ASCII characters")
    return key
