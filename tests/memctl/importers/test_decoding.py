"""The encodings that pages declare."""

from pathlib import Path

import pytest

from memctl.importers.decoding import decoded, html_of, lines_of


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "unicode_escape", "raw-unicode-escape", "utf-7", "undefined", "zlib"]
)
def test_a_codec_that_no_page_is_written_in_is_not_used(charset: str, tmp_path: Path) -> None:
    assert decoded(b"a-" + b"b" * 100, charset) is None
    page = tmp_path / "page.html"
    page.write_bytes(f'<meta charset="{charset}"><p>caf\\u00e9-'.encode())
    assert html_of(page) == page.read_text("ascii")


@pytest.mark.parametrize(("charset", "content"), [("koi8-r", b"\xc4\xc1"), ("utf-8", "да".encode())])
def test_an_encoding_of_pages_is_used(charset: str, content: bytes) -> None:
    assert decoded(content, charset) == "да"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_json_lines_are_read_as_powershell_writes_them(encoding: str, tmp_path: Path) -> None:
    lines = ['{"content": "Grüße, 你好"}\n', '{"content": "second"}\n']
    file = tmp_path / "rows.jsonl"
    file.write_bytes("".join(lines).encode(encoding))
    assert [*lines_of(file)] == lines
