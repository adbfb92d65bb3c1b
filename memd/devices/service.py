"""Device authorization: a machine without a key asks for one, a person with a key decides (contract 9.3)."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from memd.access.authentication.principal import Principal
from memd.accounts import service as accounts
from memd.accounts.keys import service as keys
from memd.accounts.new_keys import add_key
from memd.audit.recording import record
from memd.context import Context, Services
from memd.db.session import SystemSession
from memd.devices import store
from memd.devices.store import Decision, PendingRequest, PolledRequest
from memd.domain.accounts import device_codes
from memd.domain.accounts.credits import retry_after_seconds
from memd.domain.accounts.key_rules import DEVICE_KEY_DAYS, earliest
from memd.domain.dates.time_window import DAY_MS
from memd.domain.ids import encode
from memd.domain.types import DeviceStatus, KeyScope
from memd.errors import Forbidden, NotFound, RateLimitExceeded

DEVICE_SCOPES = (KeyScope.READ, KeyScope.WRITE)


@dataclass(frozen=True, slots=True)
class Codes:
    """The two codes of a request, for the device and for the person; memd keeps their hashes only."""

    device: str
    user: str


@dataclass(frozen=True, slots=True)
class PollAnswer:
    """The answer to a poll: the status, how long to wait in seconds, and, once only, the key."""

    status: DeviceStatus
    interval: int | None = None
    api_key: str | None = None


def hash_code(code: str) -> str:
    """The stored form of a code or token: its SHA-256 in hex."""
    return hashlib.sha256(code.encode()).hexdigest()


def _hash_user_code(text: str) -> str:
    return hash_code(device_codes.plain_user_code(text))


async def forget_expired(session: SystemSession, now: int) -> int:
    """Remove requests and sign-in sessions that are over; returns how many."""
    return await store.delete_expired(session, now)


async def start(services: Services, client_name: str | None, address: str, now: int) -> Codes:
    """Begin a request and forget those that are over; `RateLimitExceeded` for an address that began too many."""
    from memd.devices.tables import DeviceRequest

    await services.attempts.start(address)
    async with services.database.system() as session:
        await forget_expired(session, now)
        while True:
            device = secrets.token_urlsafe(32)
            letters = "".join(secrets.choice(device_codes.USER_ALPHABET) for _ in range(device_codes.USER_LENGTH))
            request = DeviceRequest(
                device_code_hash=hash_code(device),
                user_code_hash=hash_code(letters),
                status=DeviceStatus.PENDING,
                client_name=client_name,
                client_address=address,
                scopes=[],
                expires_at=now + device_codes.LIFETIME_MS,
                created_at=now,
                paid_until=now,
                interval=device_codes.FIRST_INTERVAL_S,
            )
            if await store.insert_request(session, request):
                return Codes(device, device_codes.shown_user_code(letters))


async def poll(services: Services, device_code: str, now: int) -> PollAnswer:
    """The new status of a request; `RateLimitExceeded` with `slow_down` for a device that asks too often.

    Polls of one device are serialized, so that exactly one of them gets the key.
    """
    async with services.database.system() as session:
        row = await store.lock_request(session, hash_code(device_code))
        if row is None or row.expires_at <= now:
            return PollAnswer(DeviceStatus.EXPIRED)
        bucket = device_codes.poll(row.paid_until, now)
        interval = row.interval if bucket.wait_ms is None else device_codes.slower(row.interval)
        await store.record_poll(session, row.device_code_hash, bucket.paid_until, interval, now)
        if bucket.wait_ms is None:
            return await _answer(services, session, row, now)
    raise RateLimitExceeded(
        bucket.wait_ms,
        code="slow_down",
        status=DeviceStatus.PENDING,
        retry_after=retry_after_seconds(bucket.wait_ms),
        interval=interval,
    )


async def _answer(services: Services, session: SystemSession, row: PolledRequest, now: int) -> PollAnswer:
    status = DeviceStatus(row.status)
    if status is DeviceStatus.PENDING:
        return PollAnswer(status, interval=row.interval)
    if status is not DeviceStatus.COMPLETE or row.user_id is None:
        return PollAnswer(status)
    await store.delete_request(session, row.device_code_hash)
    context = await accounts.context_of(services, session, row.user_id)
    approver = await keys.find_live(session, row.user_id, row.approved_by, now)
    if context is None or approver is None:
        return PollAnswer(DeviceStatus.EXPIRED)
    key = await add_key(
        session,
        context.user_id,
        label=_label(row.client_name, now),
        scopes=map(KeyScope, row.scopes),
        now=now,
        expires_at=earliest(row.key_expires_at, approver.expires_at),
        allowed_addresses=approver.allowed_addresses,
        created_by=approver.id,
    )
    record(session, context, "key.create", encode("key", key.id), after=key.powers | {"device": True})
    return PollAnswer(status, api_key=key.secret)


async def find_pending(services: Services, user_id: UUID, user_code: str, address: str, now: int) -> PendingRequest:
    """The request behind a user code; `NotFound` counts as a wrong guess of this user and address."""
    async with services.attempts.guess(address, user_id), services.database.system() as session:
        row = await store.find_pending(session, _hash_user_code(user_code), now)
        if row is None:
            raise NotFound
        return row


def _label(client_name: str | None, now: int) -> str:
    """The label of the device's key: the day, and the name that the device gave."""
    day = f"Device {datetime.fromtimestamp(now / 1000, UTC):%Y-%m-%d}"
    return f"{day}: {client_name}" if client_name else day


async def decide(
    context: Context, user_code: str, *, approve: bool, address: str, days: int | None = None
) -> DeviceStatus:
    """Approve or deny a pending request; `NotFound` for any other code, which counts as a wrong guess; `KeyLimitReached`.

    The device's key ends after `days` (0 = no end; None = 180 days, or what the settings allow), and never after the
    approver's own.
    """
    principal = context.principal
    if principal.account is not None:
        raise Forbidden  # a device gets a key, and an end user has none
    decision = Decision(
        status=DeviceStatus.COMPLETE if approve else DeviceStatus.DENIED,
        user_id=context.user_id,
        approved_by=principal.key_id,
        scopes=_scopes_for_device(principal),
        key_expires_at=earliest(_end_after(context, days), principal.ends_at, keys.latest_end(context)),
    )
    async with context.services.attempts.guess(address, context.user_id), context.database.system() as session:
        code_hash = _hash_user_code(user_code)
        if not await store.decide(session, code_hash, decision, context.now):
            raise NotFound
        if approve:
            await keys.make_room(session, context)
        record(session, context, "device.approve" if approve else "device.deny")
    return DeviceStatus(decision.status)


def _end_after(context: Context, days: int | None) -> int | None:
    requested_days = DEVICE_KEY_DAYS if days is None else days
    return context.now + requested_days * DAY_MS if requested_days else None


def _scopes_for_device(approver: Principal) -> list[str]:
    """The scopes read and write, if the approver's key has them."""
    return [scope.value for scope in DEVICE_SCOPES if approver.may(scope)]
