"""Draws docs/pictures/terminal.svg: two minutes of real commands and their output, animated; `python docs/terminal_picture.py`.

Each scene is a command on an empty screen. Its words appear as if they were typed, then its output, and after some
seconds the next scene takes its place. The picture is plain SVG with CSS: no script, nothing to fetch.
"""

import os
import pty
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

from demo import BIN, wait_for
from rich.style import Style
from rich.text import Text

PICTURE = Path(__file__).parent / "pictures" / "terminal.svg"
COLUMNS, ROWS = 100, 26
CELL, LINE, MARGIN, BAR = 8.4, 19, 16, 34
TYPED_S, READ_S, LINE_S = 0.045, 3.0, 0.28
"""Seconds for a typed character, for reading any scene, and for each line of output on top."""
FOREGROUND, BACKGROUND, ACCENT, DIM = "#d6dbe5", "#10131a", "#7fe3c4", "#7a8394"
NAMED = ("#3b4252", "#f07178", "#8bd49c", "#f6c177", "#6cb6ff", "#c792ea", "#7fe3c4", "#d6dbe5")
SCENES = (
    "memctl capture 'API freeze' 'The API freezes on the 1st of every month.' --category rule",
    "memctl capture 'Database choice' 'We decided on Postgres: one dialect serves all.' --category decision",
    "memctl capture 'Mill' 'The mill is owned by Ben.' --created-at 2026-02-01",
    "memctl capture 'Mill' 'The mill is now owned by Cleo.' --created-at 2026-08-01",
    "memctl recall 'on which day does the API freeze?' -n 1 --explain",
    "memctl recall 'who owns the mill?' -n 2",
    "memctl recall 'who owns the mill?' -n 1 --as-of 2026-03-15",
    "memctl conflicts list",
    "memctl list",
    "memctl log user 'Can we move the release to Friday?' --channel slack:ops --session monday",
    "memctl log assistant 'Friday needs an exception to the release rule.' --channel slack:ops --session monday",
    "memctl search 'release on friday' --channel slack:ops",
    "memctl sessions show monday",
    "memctl profile mill",
    "memctl wake --channel slack:ops",
    "memctl stats",
)


@dataclass(frozen=True, slots=True)
class Scene:
    """A command and the lines that it wrote."""

    command: str
    lines: Sequence[Text]

    @property
    def seconds(self) -> float:
        """How long it is shown."""
        return len(self.command) * TYPED_S + READ_S + len(self.lines) * LINE_S


def output_of(command: str, environment: dict[str, str]) -> str:
    """What the command writes to a terminal of this size."""
    reader, writer = pty.openpty()
    os.set_blocking(reader, True)
    process = subprocess.Popen(
        [str(BIN / "memctl"), *shlex.split(command)[1:]], stdin=writer, stdout=writer, stderr=writer, env=environment
    )
    os.close(writer)
    said = b""
    while True:
        try:
            part = os.read(reader, 65_536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(reader)
    if process.wait():
        raise SystemExit(f"{command} failed: {said.decode(errors='replace')}")
    return said.decode().replace("\r\n", "\n")


def scenes(data_dir: Path) -> Iterator[Scene]:
    """Run the commands one after the other."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
    environment = inherited | {
        "MEMD_DATA_DIR": str(data_dir),
        "COLUMNS": str(COLUMNS),
        "LINES": str(ROWS),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PAGER": "cat",
        "XDG_CONFIG_HOME": str(data_dir / "none"),
    }
    for command in SCENES:
        said = output_of(command, environment)
        subprocess.run([str(BIN / "memctl"), "wait"], env=environment, check=True, capture_output=True)
        lines = Text.from_ansi(said.rstrip("\n")).split("\n")
        for line in lines:
            line.truncate(COLUMNS)
        yield Scene(command, list(lines[: ROWS - 2]))


def _color(style: Style) -> str:
    if style.color is None:
        return DIM if style.dim else FOREGROUND
    if style.color.triplet is not None:
        return style.color.triplet.hex
    number = style.color.number
    return NAMED[number % 8] if number is not None and number < 16 else style.color.get_truecolor().hex


def _line(line: Text, y: float) -> str:
    """One line of output; each run of one style is placed at its column."""
    parts: list[str] = []
    at = 0
    for start, end, style in _runs(line):
        text = line.plain[start:end]
        at = start
        if text.strip():
            weight = ' font-weight="bold"' if style.bold else ""
            x = MARGIN + at * CELL
            parts.append(f'<tspan x="{x:.1f}" fill="{_color(style)}"{weight}>{escape(text)}</tspan>')
    return f'<text y="{y:.0f}" xml:space="preserve">{"".join(parts)}</text>'


def _runs(line: Text) -> Iterator[tuple[int, int, Style]]:
    cuts = sorted({0, len(line.plain), *(edge for span in line.spans for edge in (span.start, span.end))})
    for start, end in pairwise(cuts):
        style = Style()
        for span in line.spans:
            if span.start <= start < span.end:
                style += span.style if isinstance(span.style, Style) else Style.parse(span.style)
        yield start, end, style


def draw(shown: Sequence[Scene]) -> str:
    """The picture, which begins again when it has ended."""
    total = sum(scene.seconds for scene in shown)
    width, height = MARGIN * 2 + COLUMNS * CELL, BAR + MARGIN + (ROWS + 1) * LINE
    body: list[str] = []
    begin = 0.0
    for number, scene in enumerate(shown):
        y = BAR + LINE
        typed = len(scene.command) * TYPED_S
        first, after, end = (100 * at / total for at in (begin, begin + typed, begin + scene.seconds))
        cover = f"c{number}"
        command = f'<tspan fill="{ACCENT}">$ </tspan><tspan fill="{FOREGROUND}">{escape(scene.command)}</tspan>'
        lines = "".join(_line(line, y + (row + 1) * LINE) for row, line in enumerate(scene.lines))
        body.append(
            f"<style>.s{number}{{animation:s{number} {total:.1f}s step-end infinite}}"
            f"@keyframes s{number}{{0%{{opacity:{int(number == 0)}}}{first:.3f}%{{opacity:1}}{end:.3f}%{{opacity:0}}100%{{opacity:0}}}}"
            f".o{number}{{animation:o{number} {total:.1f}s step-end infinite}}"
            f"@keyframes o{number}{{0%{{opacity:0}}{after:.3f}%{{opacity:1}}{end:.3f}%{{opacity:0}}100%{{opacity:0}}}}"
            f".{cover}{{animation:{cover} {total:.1f}s infinite}}"
            f"@keyframes {cover}{{0%,{first:.3f}%{{transform:translateX(0);animation-timing-function:steps({len(scene.command)})}}"
            f"{after:.3f}%,100%{{transform:translateX({(len(scene.command) + 3) * CELL:.0f}px)}}}}</style>"
            f'<g class="s{number}"><text x="{MARGIN}" y="{y}">{command}</text>'
            f'<rect class="{cover}" x="{MARGIN + 2 * CELL:.0f}" y="{y - LINE + 5}" width="{width}" height="{LINE}" fill="{BACKGROUND}"/>'
            f'<g class="o{number}">{lines}</g></g>'
        )
        begin += scene.seconds
    dots = "".join(
        f'<circle cx="{20 + at * 18}" cy="17" r="5.5" fill="{color}"/>'
        for at, color in enumerate((NAMED[1], NAMED[3], NAMED[2]))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" font-size="14" '
        f"font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\">"
        "<style>text,tspan{white-space:pre}</style>"
        f'<clipPath id="w"><rect width="{width:.0f}" height="{height:.0f}" rx="8"/></clipPath>'
        f'<g clip-path="url(#w)"><rect width="{width:.0f}" height="{height:.0f}" fill="{BACKGROUND}"/>'
        f'<rect width="{width:.0f}" height="{BAR - 4}" fill="#1a1f2a"/>{dots}'
        f'<text x="{width / 2:.0f}" y="22" fill="{DIM}" text-anchor="middle">memctl</text>{"".join(body)}</g></svg>\n'
    )


def main() -> None:
    """Start memd, run the commands, draw, stop memd."""
    base = Path(tempfile.mkdtemp(prefix="memd-terminal-", dir="/tmp"))
    base.chmod(0o711)
    daemon = subprocess.Popen(
        [str(BIN / "memd"), "serve", "--port", "0", "--data-dir", str(base / "data")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        wait_for(daemon)
        PICTURE.write_text(draw(list(scenes(base / "data"))), encoding="utf-8")
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(30)
        shutil.rmtree(base)


if __name__ == "__main__":
    sys.exit(main())
