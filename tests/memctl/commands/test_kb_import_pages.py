"""`memctl kb import` of web pages: a real HTTP server, the content of the page, pruning, and pages that cannot be had."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from memctl.importers import download
from tests.support.loopback import LoopbackHandler, LoopbackServer, answering

Run = Callable[..., Result]


class Site(LoopbackServer):
    """Answers by path with a media type and bytes; everything else is not found."""

    def __init__(self) -> None:
        super().__init__(Page)
        self.pages: dict[str, tuple[str, bytes]] = {}
        self.closing = threading.Event()


class Page(LoopbackHandler):
    server: Site  # pyrefly: ignore[bad-override-mutable-attribute]

    def answer(self) -> None:
        if self.path == "/moved":
            self.reply(302, Location="/faq")
            return
        if self.path == "/endless":
            self._drip()
            return
        kind, content = self.server.pages.get(self.path, ("", b""))
        self.reply(200 if kind else 404, content, Content_Type=kind)

    def _drip(self) -> None:
        """A byte now and then until the client has gone or the server ends."""
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            while not self.server.closing.wait(0.02):
                self.wfile.write(b".")


@pytest.fixture
def site() -> Iterator[Site]:
    with answering(Site()) as server:
        yield server
        server.closing.set()


FAQ = "<html><body><nav>Menu</nav><main><h1>Café</h1><p>Opens at nine.</p><h2>Pets</h2><p>Dogs only.</p></main></body></html>"


def test_a_page_is_imported_under_its_address(memctl: Run, service: Any, site: Site) -> None:
    site.pages["/faq"] = ("text/html; charset=iso-8859-1", FAQ.encode("latin-1"))
    done = memctl("kb", "import", "handbook", f"{site.address}/moved#pets", transport=service.transport)
    assert done.exit_code == 0, done.output
    chunks = {key: chunk["content"] for key, chunk in service.chunks.items()}
    assert chunks == {f"{site.address}/moved#Café": "Opens at nine.", f"{site.address}/moved#Café/Pets": "Dogs only."}
    again = memctl("kb", "import", "handbook", f"{site.address}/moved", transport=service.transport)
    assert "0 new, 0 updated, 2 unchanged" in again.stdout


def test_what_a_page_says_no_more_is_pruned(memctl: Run, service: Any, site: Site) -> None:
    site.pages["/faq"] = ("text/html", FAQ.encode())
    memctl("kb", "import", "handbook", f"{site.address}/faq", transport=service.transport)
    site.pages["/faq"] = ("text/html", FAQ.replace("Pets", "Dogs").encode())
    done = memctl("kb", "import", "handbook", f"{site.address}/faq", "--prune", transport=service.transport)
    assert (done.exit_code, service.gone) == (0, [f"{site.address}/faq#Café/Pets"])


def test_pruning_a_page_keeps_the_pages_below_its_address(memctl: Run, service: Any, site: Site) -> None:
    site.pages |= {"/docs": ("text/html", FAQ.encode()), "/docs/more": ("text/html", FAQ.encode())}
    for page in ("/docs/more", "/docs"):
        done = memctl("kb", "import", "handbook", f"{site.address}{page}", "--prune", transport=service.transport)
        assert (done.exit_code, "removed" in done.stdout) == (0, False), done.output


def test_pruning_a_folder_keeps_web_pages(memctl: Run, service: Any, site: Site, tmp_path: Path) -> None:
    site.pages["/faq"] = ("text/html", FAQ.encode())
    memctl("kb", "import", "handbook", f"{site.address}/faq", transport=service.transport)
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nText.")
    options = ("--base-dir", str(folder), "--prune")
    done = memctl("kb", "import", "handbook", str(folder), *options, transport=service.transport)
    assert (done.exit_code, "removed" in done.stdout) == (0, False), done.output


def test_the_password_of_an_address_is_neither_stored_nor_printed(memctl: Run, service: Any, site: Site) -> None:
    site.pages["/faq"] = ("text/html", FAQ.encode())
    for page in ("/faq", "/none"):
        address = f"{site.address}{page}".replace("//", "//reader:hidden@")
        done = memctl("kb", "import", "handbook", address, transport=service.transport)
        assert "hidden" not in done.output
    assert set(service.chunks) == {f"{site.address}/faq#Café", f"{site.address}/faq#Café/Pets"}


def test_a_broken_address_is_refused(memctl: Run, service: Any) -> None:
    done = memctl("kb", "import", "handbook", "http://[broken/faq", transport=service.transport)
    assert (done.exit_code, service.chunks) == (2, {})
    assert "the address of a page cannot be read" in done.stderr


@pytest.mark.parametrize(
    ("path", "kind", "key"), [("/a.md", "text/plain", "#A"), ("/a", "text/markdown", "#A"), ("/a", "text/plain", "#1")]
)
def test_the_format_is_that_of_the_media_type_or_the_address(
    memctl: Run, service: Any, site: Site, path: str, kind: str, key: str
) -> None:
    site.pages[path] = (kind, b"# A\n\nText.")
    memctl("kb", "import", "handbook", f"{site.address}{path}", transport=service.transport)
    assert list(service.chunks) == [f"{site.address}{path}{key}"]


def test_a_page_that_cannot_be_had_stops_the_import(memctl: Run, service: Any, site: Site) -> None:
    missing = memctl("kb", "import", "handbook", f"{site.address}/none", transport=service.transport)
    assert (missing.exit_code, service.chunks) == (1, {})
    assert f"{site.address}/none: HTTP 404" in missing.stderr
    site.server_close()
    away = memctl("kb", "import", "handbook", f"{site.address}/faq", transport=service.transport)
    assert away.exit_code == 3
    assert "Traceback" not in away.output


def test_a_page_cannot_be_watched(memctl: Run, service: Any, site: Site) -> None:
    done = memctl("kb", "import", "handbook", f"{site.address}/faq", "--watch", transport=service.transport)
    assert done.exit_code == 2
    assert "--watch takes files or folders" in done.stderr


@pytest.mark.parametrize("charset", ["hex", "rot13", "undefined", "no-such-charset"])
def test_an_encoding_that_is_none_is_ignored(memctl: Run, service: Any, site: Site, charset: str) -> None:
    site.pages["/a"] = (f"text/html; charset={charset}", "<h1>Café</h1><p>Nine.</p>".encode())
    done = memctl("kb", "import", "handbook", f"{site.address}/a", transport=service.transport)
    assert (done.exit_code, list(service.chunks)) == (0, [f"{site.address}/a#Café"]), done.output


@pytest.mark.parametrize(
    ("header", "meta", "encoding"),
    [
        ("", '<meta charset="windows-1251">', "cp1251"),
        ("", "<meta http-equiv='Content-Type' content='text/html; charset=Shift_JIS'>", "shift_jis"),
        ("", "<meta charset=iso-2022-jp>", "iso2022_jp"),
        ("", "<!-- <meta charset=koi8-r> --><meta charset=gb18030>", "gb18030"),
        ("; charset=euc-jp", "<meta charset=utf-8>", "euc_jp"),
        ("; charset=utf-16le", "", "utf-16-le"),
        ("", "<meta charset=iso-8859-1>", "utf-8"),
        ("", "<meta charset=utf-16>", "utf-8"),
        ("", "<meta charset=hex>", "utf-8"),
    ],
)
def test_a_page_is_read_in_the_encoding_it_declares(
    memctl: Run, service: Any, site: Site, header: str, meta: str, encoding: str
) -> None:
    text = "会議は九時" if encoding != "cp1251" else "Собрание в девять"
    page = f"<html><head>{meta}</head><body><h1>A</h1><p>{text}</p></body></html>".encode(encoding)
    site.pages["/a"] = (f"text/html{header}", page)
    done = memctl("kb", "import", "handbook", f"{site.address}/a", transport=service.transport)
    assert ([chunk["content"] for chunk in service.chunks.values()], done.exit_code) == ([text], 0)


def test_a_page_that_never_ends_is_given_up(
    memctl: Run, service: Any, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "TOTAL_TIMEOUT", 0.3)
    done = memctl("kb", "import", "handbook", f"{site.address}/endless", transport=service.transport)
    assert (done.exit_code, service.chunks) == (3, {}), done.output
    assert "/endless: not complete after" in done.stderr
