"""Paths with ids that callers choose."""

from urllib.parse import quote


def segment(text: str) -> str:
    """The text as one segment of a path: nothing in it separates, ends or shortens the path.

    Dots are escaped as well, because HTTP libraries resolve the segments `.` and `..`. Half a character is sent as it is
    encoded, for memd to refuse.
    """
    return quote(text, safe="", errors="surrogatepass").replace(".", "%2E")
