"""The authenticated caller: user, key, and the rights of both."""

from dataclasses import dataclass
from uuid import UUID

from memd.domain.accounts.credits import Allowance, narrowest
from memd.domain.accounts.key_rules import Network
from memd.domain.types import KeyScope, Policy, Tier


@dataclass(frozen=True, slots=True)
class Account:
    """The user of an application, under which its end users are (contract 17.1); its limits hold for their sum."""

    user_id: UUID
    policy: Policy
    allowance: Allowance


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated caller; every read and write stays inside `user_id`.

    `ends_at` (epoch ms) is when the secret that was sent stops working; `networks` are those that the key may be used
    from, empty for any. An end user has an `account`, and the application's name for it as `external_id`.
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
    account: Account | None = None
    external_id: str | None = None
    has_end_users: bool = False

    @property
    def limits(self) -> Allowance:
        """The limits of one request: the user's own, for an end user the smaller of its own and the account's."""
        return self.allowance if self.account is None else narrowest(self.allowance, self.account.allowance)

    @property
    def shared_limits(self) -> Allowance | None:
        """The limits for the sum over an account and its end users; None for a user that is neither."""
        if self.account is not None:
            return self.account.allowance
        return self.allowance if self.has_end_users else None

    def may(self, scope: KeyScope) -> bool:
        """Whether the key has this scope; `admin` also needs the user's own flag (contract 1.6.6)."""
        return scope in self.scopes and (scope is not KeyScope.ADMIN or self.admin)
