"""`make docs`: the pages of docs/ and of the top folder as a website in build/docs/site, readable without a network.

Run by the Python that has zensical; needs no server, and reads nothing outside the repository.
"""

import shutil
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parent
TOP = DOCS.parent
BUILD = TOP / "build" / "docs"
PAGES = BUILD / "pages"
FROM_TOP = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
    "CHANGELOG.md": "CHANGELOG.md",
}


def collect() -> None:
    """Copy the pages into one folder, with the links between docs/ and the top folder changed to match."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("*.py", "*.toml", "__pycache__"))
    shutil.copy(DOCS / "zensical.toml", BUILD)
    for page in PAGES.rglob("*.md"):
        text = page.read_text()
        for name, target in FROM_TOP.items():
            text = text.replace(f"](../{name}", f"]({target}").replace(f"](../../{name}", f"](../{target}")
        page.write_text(text)
    for name, target in FROM_TOP.items():
        text = (TOP / name).read_text().replace("](docs/", "](").replace('src="docs/', 'src="')
        (PAGES / target).write_text(text.replace("](README.md", "](index.md"))


if __name__ == "__main__":
    collect()
    built = subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=BUILD, check=False)
    print(f"{BUILD.relative_to(TOP)}/site/index.html" if built.returncode == 0 else "the site was not built")
    sys.exit(built.returncode)
