"""`memctl kb import` of files: encodings, and chunks that their files no longer hold."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

Run = Callable[..., Result]


def test_an_assumed_encoding_is_reported(memctl: Run, service: Any, home: Path) -> None:
    (home / "work" / "old.txt").write_bytes("Café".encode("latin-1"))
    done = memctl("kb", "import", "handbook", "old.txt", transport=service.transport)
    assert done.exit_code == 0
    assert "old.txt: not UTF-8; read as Windows-1252" in done.stderr


def test_a_renamed_heading_points_to_prune(memctl: Run, service: Any, home: Path) -> None:
    page, other = home / "work" / "a.md", home / "work" / "b.md"
    page.write_text("# Old\n\nText.")
    other.write_text("# Other\n\nMore.")
    import_ = ("kb", "import", "handbook", "a.md", "--json")
    memctl("kb", "import", "handbook", "a.md", "b.md", transport=service.transport)
    assert json.loads(memctl(*import_, transport=service.transport).stdout)["warnings"] == []
    page.write_text("# New\n\nText.")
    done = memctl(*import_, transport=service.transport)
    assert json.loads(done.stdout)["warnings"] == [
        "1 stored chunk of these files is no longer in them; --prune archives what is gone"
    ]
    memctl(*import_, "--prune", transport=service.transport)
    assert service.gone == ["a.md#Old"]
    assert json.loads(memctl(*import_, transport=service.transport).stdout)["warnings"] == []
