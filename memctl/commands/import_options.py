"""Options and texts of `memctl import` and `memctl kb import`."""

import click

INCOMPLETE = "the import is not complete; run the same command again to continue where it stopped"

wait_option = click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait at the start for a memd that does not answer.",
)
