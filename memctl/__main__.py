"""`python -m memctl`, and the entry point of the command `memctl`."""

from memctl.main import cli


def main() -> None:
    """Run the command line."""
    cli(prog_name="memctl")


if __name__ == "__main__":
    main()
