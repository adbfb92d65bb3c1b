"""`python -m memctl`, and the entry point of the command `memctl`."""

import sys

try:
    from memctl.main import cli
except ModuleNotFoundError as missing:
    if missing.name != "click":
        raise
    sys.exit("memctl: the command line is an extra of the client: pip install 'memd-client[cli]'")


def main() -> None:
    """Run the command line."""
    # httpx's own command line, which nothing here calls, would load rich and pygments: a tenth of a second of every start.
    sys.modules.setdefault("httpx._main", None)  # pyright: ignore[reportArgumentType] - None keeps a module out
    cli(prog_name="memctl")


if __name__ == "__main__":
    main()
