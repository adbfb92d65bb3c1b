"""`python -m memctl`, and the entry point of the command `memctl`."""

import os
import sys

from memctl.streams import read_utf8, write_any_text


def main() -> None:
    """Run the command line; a hook, which an agent waits for, without the libraries of the other commands."""
    read_utf8()
    if sys.argv[1:3] == ["hooks", "run"] and "--help" not in sys.argv:
        from memctl.hooks.running import main as run_hook

        run_hook(sys.argv[3:])
    # httpx's own command line, which nothing here calls, would load rich and pygments: a tenth of a second of every start.
    sys.modules.setdefault("httpx._main", None)  # pyrefly: ignore[no-matching-overload] - None keeps a module out
    try:
        from memctl.main import cli
    except ModuleNotFoundError as missing:
        if missing.name != "click":
            raise
        sys.exit("memctl: the command line is an extra of the client: pip install 'memd-client[cli]'")
    write_any_text()
    if os.environ.get("_MEMCTL_COMPLETE", "").startswith("bash"):
        from click.shell_completion import add_completion_class

        from memctl.bash_completion import Bash

        add_completion_class(Bash)
    cli(prog_name="memctl")


if __name__ == "__main__":
    main()
