"""Web pages and files among the PATH arguments of an import."""

import asyncio
import codecs
from pathlib import Path, PurePosixPath
from urllib.parse import urldefrag, urlsplit

import httpx

from memctl.diagnostics import CommandError, ExitCode, note
from memctl.importers.decoding import decoded
from memctl.importers.documents import FORMATS

SIZE_MAX = 32 * 2**20
TIMEOUT = 30.0
"""Seconds to wait for a connection, and for each next part of the answer."""
TOTAL_TIMEOUT = 300.0
"""Seconds for a whole page with its redirects: a server that sends a byte now and then does not hold up an import."""
SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/jsonl": ".jsonl",
    "application/x-ndjson": ".jsonl",
}
"""The suffix of a file by its media type; for other types the address decides."""


def is_url(text: str) -> bool:
    """Whether an argument is the address of a page and not a path."""
    return text.startswith(("http://", "https://"))


def name_of_url(url: str) -> str:
    """The name that the keys of a page begin with: its address without the fragment, user name and password."""
    parts = urlsplit(urldefrag(url).url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def download(url: str, folder: Path) -> Path:
    """Save a page or file in `folder`, with the suffix of its format. CommandError when it cannot be downloaded."""
    try:
        name = name_of_url(url)
    except ValueError as error:
        raise CommandError(f"the address of a page cannot be read: {error}", ExitCode.USAGE) from error
    note(f"downloading {name}")
    try:
        response, content = asyncio.run(_fetch(url, name))
    except TimeoutError as error:
        raise CommandError(f"{name}: not complete after {TOTAL_TIMEOUT:.0f} s", ExitCode.NOT_REACHABLE) from error
    except (httpx.HTTPError, httpx.InvalidURL, ImportError, ValueError) as error:  # the last two: a proxy is unusable
        raise CommandError(f"{name}: {error or type(error).__name__}", ExitCode.NOT_REACHABLE) from error
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    path = folder / f"{len(list(folder.iterdir()))}{_suffix(url, media_type)}"
    charset = response.charset_encoding if media_type.startswith("text/") or media_type.endswith("+xml") else None
    text = decoded(content, charset) if charset else None
    path.write_bytes(content if text is None else codecs.BOM_UTF8 + text.removeprefix("\ufeff").encode())
    return path


async def _fetch(url: str, name: str) -> tuple[httpx.Response, bytes]:
    async with (
        asyncio.timeout(TOTAL_TIMEOUT),
        httpx.AsyncClient(follow_redirects=True, max_redirects=5, timeout=TIMEOUT) as client,
        client.stream("GET", url, headers={"accept": "text/markdown, text/html;q=0.9, */*;q=0.5"}) as response,
    ):
        if not response.is_success:
            raise CommandError(f"{name}: HTTP {response.status_code}", ExitCode.UNEXPECTED)
        return response, await _body(name, response)


async def _body(name: str, response: httpx.Response) -> bytes:
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > SIZE_MAX:
            raise CommandError(f"{name}: larger than {SIZE_MAX // 2**20} MiB", ExitCode.UNEXPECTED)
    return bytes(content)


def _suffix(url: str, media_type: str) -> str:
    if media_type in SUFFIXES:
        return SUFFIXES[media_type]
    suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
    return suffix if suffix in FORMATS.keys() | SUFFIXES.values() else ".txt"
