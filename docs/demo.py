"""`make demo`: a tour of memd on a throw-away data directory; it types the commands that a user would type."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

BIN = Path(sys.executable).parent
PAUSE_S = float(os.environ.get("DEMO_PAUSE", "1"))
HANDBOOK = {
    "releases.md": """
        # Releases

        ## When
        We release on Thursdays. Nothing is released in the last week of a quarter.

        ## Who approves
        A release needs the approval of the engineer on call and of one maintainer.
        """,
    "incidents.md": """
        # Incidents

        ## First five minutes
        Say in the channel that you are on it, then stop the roll-out. Find the cause later.

        ## Afterwards
        Write down what happened within two days; the text never names a culprit.
        """,
}
TOUR = (
    (
        "Things worth remembering",
        "memctl capture 'API freeze' 'The API freezes on the 1st of every month.' --category rule",
    ),
    (
        "",
        "memctl capture 'Database choice' 'We decided on Postgres: one dialect serves all.' --category decision",
    ),
    ("", "memctl capture 'Ada and the pump' 'Ada repaired the pump in hall 3 last Tuesday.' --category event"),
    (
        "Recall by meaning, with the parts of each score",
        "memctl recall 'which days are bad for changing the interface?' --explain",
    ),
    ("A folder becomes a knowledge base; a second import changes nothing", "memctl kb create Handbook"),
    ("", "memctl kb import Handbook {folder}"),
    ("", "memctl kb import Handbook {folder}"),
    ("", "memctl kb query Handbook 'whose permission do I need to ship?' --limit 2"),
    (
        "Raw talk is kept as messages and can be searched",
        "memctl log user 'Can we move the release to Friday?' --channel slack:ops --session monday",
    ),
    (
        "",
        "memctl log assistant 'Friday needs an exception to the release rule.' --channel slack:ops --session monday",
    ),
    ("", "memctl search 'release on friday' --channel slack:ops"),
    ("Where things stand", "memctl stats"),
)


def main() -> int:
    """Run the tour; 0 when every command succeeded."""
    base = Path(tempfile.mkdtemp(prefix="memd-demo-", dir="/tmp"))
    base.chmod(0o711)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MEMD_", "MEMCTL_"))}
    log = (base / "memd.log").open("w")
    started = time.monotonic()
    daemon = subprocess.Popen(
        [str(BIN / "memd"), "serve", "--port", "0", "--data-dir", str(base / "data")],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env={**environment, "PYTHONUNBUFFERED": "1"},
    )
    try:
        url = wait_for(daemon)
        say(f"memd started in {time.monotonic() - started:.1f} s on a throw-away directory")
        key = (base / "data" / "local.key").read_text().strip()
        folder = write_handbook(base)
        environment |= {"MEMCTL_URL": url, "MEMCTL_API_KEY": key, "XDG_STATE_HOME": str(base / "state")}
        return tour(folder, environment)
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(30)
        log.close()
        shutil.rmtree(base)


def wait_for(daemon: subprocess.Popen[str]) -> str:
    """The address that memd tells once it is ready."""
    assert daemon.stdout is not None
    url = ""
    for line in daemon.stdout:
        if line.startswith("memd is ready at "):
            url = line.split()[-1]
        if line.rstrip().endswith(" stats"):
            return url
    raise SystemExit("memd did not start; see `memd serve`")


def write_handbook(base: Path) -> Path:
    """A small folder of Markdown to import."""
    folder = base / "handbook"
    folder.mkdir()
    for name, text in HANDBOOK.items():
        (folder / name).write_text(textwrap.dedent(text).lstrip())
    return folder


def tour(folder: Path, environment: dict[str, str]) -> int:
    """Type the commands one by one."""
    for heading, line in TOUR:
        if heading:
            say(heading)
        command = line.format(folder=folder)
        print(f"\033[1m$ {command}\033[0m" if sys.stdout.isatty() else f"$ {command}", flush=True)
        words = shlex.split(command)
        code = subprocess.run([str(BIN / words[0]), *words[1:]], env=environment, check=False).returncode
        if code:
            return code
        time.sleep(PAUSE_S if sys.stdout.isatty() else 0)
    say("That was it. Start your own with: make up")
    return 0


def say(text: str) -> None:
    """A heading of the tour."""
    print(f"\n-- {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
