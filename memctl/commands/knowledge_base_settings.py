"""The options of `kb create` and `kb set` that mean the same in both."""

import click

from memctl.wire.enums import PeerScopePolicy, SourceRole

policy_option = click.option(
    "--policy",
    "peer_scope_policy",
    type=click.Choice(PeerScopePolicy, case_sensitive=False),
    help="How it treats other peers; a new one is strict.",
)
role_option = click.option(
    "--role",
    "source_role",
    type=click.Choice(SourceRole, case_sensitive=False),
    metavar="ROLE",
    help=f"Role in the ranking. One of {', '.join(SourceRole)}.",
)
