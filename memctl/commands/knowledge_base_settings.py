"""The options of `kb create` and `kb set` that mean the same in both."""

import click

from memctl.commands.metadata import json_object
from memctl.wire.enums import PeerScopePolicy, SourceRole

policy_option = click.option(
    "--policy",
    "peer_scope_policy",
    type=click.Choice(PeerScopePolicy, case_sensitive=False),
    help="strict: only peers of its scope see it; permissive: other peers do too, but not each other's chunks. A new one is strict.",
)
role_option = click.option(
    "--role",
    "source_role",
    type=click.Choice(SourceRole, case_sensitive=False),
    metavar="ROLE",
    help=f"Its role in ranking. One of {', '.join(SourceRole)}.",
)
metadata_option = click.option("--metadata", callback=json_object, help="A JSON object.")
