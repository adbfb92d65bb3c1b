"""Who calls: the user, the key and what both may do."""

from dataclasses import dataclass
from uuid import UUID

from memd.domain.credits import Allowance
from memd.domain.key_rules import Network
from memd.domain.types import KeyScope, Policy, Tier


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated caller; every read and write stays inside `user_id`.

    `ends_at` (epoch ms) is when the secret that was sent stops working; `networks` are those that the key may be used
    from, empty for any.
    """

    user_id: UUID
    key_id: UUID | None
    key_label: str | None
    scopes: frozenset[KeyScope]
    tier: Tier
    policy: Policy
    admin: bool
    allowance: Allowance
    ends_at: int | None = None
    networks: tuple[Network, ...] = ()

    def may(self, scope: KeyScope) -> bool:
        """Whether the key has this scope; `admin` also needs the user's own flag (contract 1.6.6)."""
        return scope in self.scopes and (scope is not KeyScope.ADMIN or self.admin)
