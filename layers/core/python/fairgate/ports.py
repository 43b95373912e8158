"""What the services need of the world, as Protocols. ``bootstrap.py`` chooses the adapters."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol


class Clock(Protocol):
    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch."""
        ...


class Ids(Protocol):
    def hex32(self) -> str:
        """32 lower-case hex digits, UUIDv7: unique, and growing with time."""
        ...


@dataclass(frozen=True)
class Secrets:
    """Keys by purpose; each purpose maps key id → key bytes and names the one that signs now."""

    auth: Mapping[str, bytes]  # HS256 auth JWTs, also in the KeyValueStore
    auth_kid: str
    session: Mapping[str, bytes]  # HS256 session credentials, origin only
    session_kid: str
    webhook: bytes  # the payment provider's webhook signing secret
    ticket: bytes  # Ed25519 private key, 32 bytes raw
    payments: bytes = b""  # the payment provider's API key, where it wants one


class SecretStore(Protocol):
    def secrets(self) -> Secrets:
        """Cached for a minute at most, so that a rotation is seen."""
        ...


TableName = Literal["seats", "reservations", "catalog"]


@dataclass(frozen=True, slots=True)
class Update:
    """One UpdateItem of a transaction. Conditions name attributes ``#a`` and values ``:v``."""

    table: TableName
    pk: str
    sk: str
    condition: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)  # of the condition, without the colon
    set: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Put:
    """One PutItem of a transaction, by default of an item that must not exist."""

    table: TableName
    item: Mapping[str, Any]
    condition: str = "attribute_not_exists(#PK)"
    values: Mapping[str, Any] = field(default_factory=dict)


Action = Update | Put


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one action of a cancelled transaction failed, with the item as it is in the table."""

    code: str  # None, ConditionalCheckFailed, …
    item: Mapping[str, Any] | None

    @property
    def failed(self) -> bool:
        return self.code == "ConditionalCheckFailed"


class TransactionRefusedError(Exception):
    """A condition failed and nothing was written; reasons in the order of the actions."""

    def __init__(self, reasons: Sequence[Refusal]) -> None:
        super().__init__(", ".join(r.code for r in reasons))
        self.reasons = tuple(reasons)


class Table(Protocol):
    """The few calls that the services make to DynamoDB, in plain Python values.

    Every method raises DependencyUnavailableError once its retry budget is spent.
    """

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        """All or none, in one TransactWriteItems. Raises TransactionRefusedError."""
        ...

    def update(self, action: Update) -> None:
        """One conditional UpdateItem. Raises TransactionRefusedError with one reason."""
        ...

    def get(self, table: TableName, pk: str, sk: str) -> dict[str, Any] | None:
        """Strongly consistent read of one item."""
        ...

    def get_many(self, table: TableName, keys: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
        """Strongly consistent read of up to 100 items, in no particular order."""
        ...

    def query(
        self,
        table: TableName,
        pk: str,
        sk_prefix: str = "",
        *,
        sk_from: str = "",
        index: bool = False,
    ) -> list[dict[str, Any]]:
        """All items of a partition, strongly consistent unless of the ``index``.

        Either those whose sort key begins with ``sk_prefix``, or those from ``sk_from`` on.
        """
        ...


@dataclass(frozen=True)
class SeatStatus:
    """One seat as the availability cache knows it."""

    index: int  # position in the section's layout order
    availability: Literal["available", "locked", "reserved", "blocked"]
    expires_ms: int  # 0 when not locked
    version: int


@dataclass(frozen=True)
class ShardStatus:
    """One counter of a general-admission area as the availability cache knows it."""

    area: str
    shard: int
    remaining: int
    version: int


@dataclass(frozen=True, slots=True)
class Claim:
    """Units of an event that one caller wants at once, as ``(section, unit)``.

    ``beside`` keeps claims that were chosen at the same moment from leaving a single seat between
    them: of each ``(section, near, far)``, ``near`` is a free neighbour of the units and ``far``
    the free seat after it, or ``""`` where there is none. The claim is refused where ``near``
    would be left alone: unclaimed, with ``far`` claimed or ``""``. So a ``near`` with ``""`` also
    says of any seat that it has to be claimed by somebody else.
    """

    units: tuple[tuple[str, str], ...]
    beside: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Claimed:
    """What became of a request to claim."""

    choice: int | None  # position of the claim that was made; None: there was somebody everywhere
    in_the_way: tuple[str, ...] = ()  # then: units of the first choice that others have claimed


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a change log an answer holds: every entry with since < id ≤ until."""

    since: int
    until: int


@dataclass(frozen=True, slots=True)
class Position:
    """Where a change log stood. ``id``: all up to it shows in whatever is read afterwards."""

    id: int
    quiet_ms: int  # since the last change; at most the log's window


@dataclass(frozen=True, slots=True)
class SeatChanges:
    window: Window
    seats: Sequence[tuple[int, int, int]]  # id, seat index, status code: the newest of each seat


@dataclass(frozen=True, slots=True)
class PlaceChanges:
    """Which places of an event changed, each with the id of its newest change."""

    window: Window
    sections: Mapping[str, int]
    areas: Mapping[str, int]


class AvailabilityCache(Protocol):
    """Advisory. Every method raises CacheUnavailableError when the cache is gone.

    ``now_ms`` decides which locks have expired: their seats read as available.
    """

    def apply(self, event: str, section: str, changes: Sequence[SeatStatus]) -> int:
        """Apply what the change feed brings; returns how many were newer and were applied.

        One atomic step for the seats, their vector, the section's count and the change logs.
        """
        ...

    def section(self, event: str, section: str) -> Sequence[SeatStatus] | None:
        """Every seat in layout order. None: not cached."""
        ...

    def life(self, event: str, section: str = "") -> str:
        """Names what is kept of a section, or of the areas, until all of it is lost at once.

        Ask before the table is read, and say it with what was read: when everything was lost in
        between, a newer change may be lost with it.
        """
        ...

    def fill(self, event: str, section: str, seats: Sequence[SeatStatus], life: str = "") -> bool:
        """Make a section whole from the table; newer changes that came meanwhile stay.

        False: that life is over, and the section is not whole.
        """
        ...

    def forget(self, event: str, section: str) -> None:
        """As if the section had never been filled, and no change of it had ever come."""
        ...

    def codes(self, event: str, sections: Sequence[str], now_ms: int) -> list[bytes | None]:
        """Per section one status code a seat (``domain/status_vector.py``). None: not cached."""
        ...

    def counts(self, event: str, sections: Sequence[str], now_ms: int) -> dict[str, int]:
        """Available seats of the sections that are cached; the others are left out."""
        ...

    def apply_shards(self, event: str, shards: Sequence[ShardStatus]) -> int:
        """Apply the newer ones atomically; returns how many were applied."""
        ...

    def fill_area(
        self, event: str, area: str, shards: Sequence[ShardStatus], life: str = ""
    ) -> bool:
        """As ``fill``, with all counters of an area."""
        ...

    def forget_area(self, event: str, area: str) -> None: ...

    def shards(self, event: str) -> list[ShardStatus]:
        """The counters of every area that has been filled, in no particular order."""
        ...

    def places(self, event: str) -> bytes | None:
        """What ``keep_places`` kept in the last minute: which sections and areas exist."""
        ...

    def keep_places(self, event: str, document: bytes) -> None: ...

    def position(self, event: str, section: str = "") -> Position:
        """Of the section's change log, or the event's."""
        ...

    def seat_changes(self, event: str, section: str) -> SeatChanges:
        """What happened to a section's seats in the last half minute."""
        ...

    def place_changes(self, event: str) -> PlaceChanges:
        """Which sections and areas changed in the last half minute."""
        ...

    def begin_refill(self, event: str, place: str) -> bool:
        """True for one caller, until ``end_refill`` or two seconds have passed."""
        ...

    def end_refill(self, event: str, place: str) -> None: ...

    def claim(self, event: str, choices: Sequence[Claim], token: str, ttl_ms: int) -> Claimed:
        """Claim every unit of the first of ``choices`` that nobody else has claimed, atomically.

        A claim is a hint among callers, never a hold. It ends by itself after ``ttl_ms`` by the
        cache's own clock. Claims of the same ``token`` are not in its way, and last longer by it.
        """
        ...

    def claimed(self, event: str, sections: Sequence[str]) -> set[str]:
        """Units of these sections that anyone has claimed at this moment."""
        ...

    def unclaim(self, event: str, units: Sequence[tuple[str, str]], token: str) -> None:
        """Give up those of the ``(section, unit)`` that ``token`` has claimed."""
        ...

    def end_claims(self, event: str, section: str, units: Sequence[str]) -> None:
        """Whoever claimed these units of a section: they have become free."""
        ...


class CacheUnavailableError(Exception):
    """The cache cannot be reached; callers fall back to the table."""


class ExpiryQueue(Protocol):
    def remind(self, session: str, delay_s: int) -> None:
        """Deliver ``session`` to the expiry function after ``delay_s`` (0–900), at least once."""
        ...


@dataclass(frozen=True)
class PaymentEvent:
    """What a provider's webhook says, once its signature has been verified."""

    id: str
    kind: Literal["succeeded", "failed", "expired", "refunded", "other"]  # other: not about money
    order: str
    amount_minor: int
    currency: str
    payment: str


@dataclass(frozen=True, slots=True)
class Capture:
    """Money that a provider has taken for an order, and how much of it went back."""

    payment: str
    order: str
    amount_minor: int
    currency: str
    at_ms: int
    refunded_minor: int


class Payments(Protocol):
    """Every method but ``parse_webhook`` raises DependencyUnavailableError."""

    def open_checkout(
        self, *, order: str, amount_minor: int, currency: str, expires_ms: int, return_url: str
    ) -> str:
        """URL of the hosted payment page. Idempotent per attempt to pay for the order."""
        ...

    def close_checkout(self, page: str) -> None:
        """Take no more payments on this page; one that was made stays. Idempotent."""
        ...

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        """Raises UnauthenticatedError (signature, stale time stamp), MalformedInputError."""
        ...

    def refund(self, *, payment: str, order: str, amount_minor: int) -> None:
        """Refund a capture in full, once however often it is asked."""
        ...

    def captures(self, since_ms: int) -> Iterator[Capture]:
        """Every capture of this shop's orders that was made or refunded since, in any order."""
        ...


class Layouts(Hashable, Protocol):
    """Immutable geometry, named by its content hash."""

    def read(self, layout: str, name: str) -> bytes:
        """``name`` is ``venue.json`` or ``sections/<section>.json``. Raises NotFoundError."""
        ...

    def write(self, layout: str, name: str, body: bytes) -> None: ...


class EdgeConfig(Protocol):
    """The CloudFront KeyValueStore's data plane."""

    def read(self, key: str) -> tuple[str | None, str]:
        """The value (None: no such key) and the store's ETag."""
        ...

    def write(self, key: str, value: str, etag: str) -> str:
        """Conditional on the store's ETag; returns the new one. Raises VersionConflictError."""
        ...


class Mailer(Protocol):
    def send(
        self, *, to: str, subject: str, text: str, attachments: Mapping[str, bytes]
    ) -> None: ...


class IdentityProvider(Protocol):
    def verify(self, id_token: str, nonce: str) -> Mapping[str, Any]:
        """The verified claims. Raises UnauthenticatedError."""
        ...
