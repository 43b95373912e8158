"""Hold seats and places: one TransactWriteItems, all or none, and no read before it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.domain.credential import Credential
from fairgate.domain.ids import HoldId
from fairgate.domain.order import Unit
from fairgate.domain.times import rfc3339
from fairgate.errors import (
    FairgateError,
    LimitExceededError,
    MalformedInputError,
    NotFoundError,
    SeatsTakenError,
    SessionExpiredError,
    WrongStateError,
)
from fairgate.ports import Action, Put, Refusal, TransactionRefusedError, Update
from fairgate.service.keys import area_key, keyed, owned, reservation_key, seat_key, session_key

if TYPE_CHECKING:
    from fairgate.ports import Clock, Ids, Table

# What must be true at time :now for the hold to commit.
#
#   opened ── reservation ──────────────── expiresAt ──►          the session's time line
#             ▲ hold is allowed here only
SESSION_MAY_HOLD = (
    "#userId = :user AND #eventId = :event AND #state = :reservation"
    " AND #expiresAt > :now AND #resCount <= :room"
)
#   available ──► locked until expiresAt ──► (nobody needs to act) ──► free for whoever asks
SEAT_IS_FREE = "#availability = :available OR (#availability = :locked AND #expiresAt <= :now)"
AREA_HAS_ROOM = "#remaining >= :quantity"


@dataclass(frozen=True)
class SeatsHeld:
    """What a successful hold made; also the answer to its repetition."""

    hold: HoldId
    units: Sequence[Unit]


@dataclass(frozen=True)
class SeatHolder:
    """Cost: one round trip; write units 2 × (1 session + n seats + n reservations)."""

    table: Table
    clock: Clock
    ids: Ids

    def hold(
        self,
        credential: Credential,
        units: Sequence[Unit],
        *,
        shards: Mapping[str, int] | None = None,
        idempotency_key: str = "",
    ) -> SeatsHeld:
        """All of ``units`` for the credential's session, or none of them.

        Args:
            units: distinct places; an area's ``shard`` is chosen here.
            shards: area id → number of its shards, for areas among the units.
            idempotency_key: the same key makes the same hold, however often it is sent.

        Raises:
            LimitExceededError, SeatsTakenError (names exactly those that were gone),
            SessionExpiredError, WrongStateError, NotFoundError, MalformedInputError.
        """
        wanted = sum(unit.quantity for unit in units)
        if wanted < 1:
            raise MalformedInputError("Choose at least one seat.")
        if wanted > credential.hold_limit:
            raise over_limit(credential.hold_limit)
        if len({unit.place for unit in units}) < len(units):
            raise MalformedInputError("A seat is named twice.")
        hold = self._hold_id(credential, idempotency_key)
        for attempt in range(1 + max((shards or {}).values(), default=0)):
            placed = [_in_shard(u, credential.session, shards or {}, attempt) for u in units]
            try:
                self.table.transact(
                    self._actions(credential, hold, placed, wanted), token=self.ids.hex32()
                )
            except TransactionRefusedError as refused:
                if self._replayed(refused, len(units)):
                    return SeatsHeld(hold, placed)
                error = self._explain(refused, credential, placed, wanted)
                if error is None:  # only a shard was full: overflow to the next one
                    continue
                raise error from refused
            return SeatsHeld(hold, placed)
        areas = [unit.place for unit in units if unit.kind == "area"]
        raise SeatsTakenError(areas)

    def made_before(self, credential: Credential, idempotency_key: str) -> SeatsHeld | None:
        """The live hold that this key made, for requests whose seats are not named in advance."""
        if not idempotency_key:
            return None
        hold = self._hold_id(credential, idempotency_key)
        found = self.table.query("reservations", credential.session, f"R#{hold}#")
        return SeatsHeld(hold, [unit_of(reservation) for reservation in found]) if found else None

    def _hold_id(self, credential: Credential, idempotency_key: str) -> HoldId:
        if not idempotency_key:
            return HoldId("hld_" + self.ids.hex32())
        name = f"{credential.session}|{idempotency_key}".encode()
        return HoldId("hld_" + hashlib.sha256(name).hexdigest()[:32])

    def _actions(
        self, credential: Credential, hold: HoldId, units: Sequence[Unit], wanted: int
    ) -> list[Action]:
        now = rfc3339(self.clock.now_ms())
        session = Update(
            "reservations",
            *session_key(credential.session),
            condition=SESSION_MAY_HOLD,
            values={
                "user": credential.user,
                "event": credential.event,
                "reservation": "reservation",
                "now": now,
                "room": credential.hold_limit - wanted,
            },
            add={"resCount": wanted},
        )
        places = [_take(credential, unit, now) for unit in units]
        reservations = [_reserve(credential, hold, unit) for unit in units]
        return [session, *places, *reservations]

    def _replayed(self, refused: TransactionRefusedError, count: int) -> bool:
        """Every reservation of this hold exists already: the same request came twice."""
        return all(reason.failed for reason in refused.reasons[1 + count :])

    def _explain(
        self,
        refused: TransactionRefusedError,
        credential: Credential,
        units: Sequence[Unit],
        wanted: int,
    ) -> FairgateError | None:
        """The most final reason first; None when all that failed were area shards."""
        session, places = refused.reasons[0], refused.reasons[1 : 1 + len(units)]
        if session.failed:
            return self._session_error(session, credential, wanted)
        gone = [u for u, r in zip(units, places, strict=True) if r.failed and u.kind == "seat"]
        unknown = [r.item is None for r in places if r.failed]
        if gone and not any(unknown):
            return SeatsTakenError([unit.place for unit in gone])
        return NotFoundError("Some of these seats do not exist.") if any(unknown) else None

    def _session_error(self, reason: Refusal, credential: Credential, wanted: int) -> FairgateError:
        item = reason.item
        if item is None or (item["userId"], item["eventId"]) != (credential.user, credential.event):
            return NotFoundError("There is no such session.")
        if item["expiresAt"] <= rfc3339(self.clock.now_ms()) or item["state"] == "expired":
            return SessionExpiredError("Your session has ended.")
        if item["state"] != "reservation":
            return WrongStateError("Seats can be added only before checkout.", state=item["state"])
        return over_limit(credential.hold_limit, held=item["resCount"], asked=wanted)


def over_limit(limit: int, **fields: int) -> LimitExceededError:
    return LimitExceededError(f"You can hold up to {limit} places.", limit=limit, **fields)


def _take(credential: Credential, unit: Unit, now: str) -> Update:
    if unit.kind == "area":
        return Update(
            "seats",
            *area_key(credential.event, unit.place, unit.shard),
            condition=AREA_HAS_ROOM,
            values={"quantity": unit.quantity},
            set={"updatedAt": now},
            add={"remaining": -unit.quantity, "version": 1},
        )
    return Update(
        "seats",
        *seat_key(credential.event, unit.place),
        condition=SEAT_IS_FREE,
        values={"available": "available", "locked": "locked", "now": now},
        set={
            "availability": "locked",
            "sessionId": credential.session,
            "expiresAt": credential.expires_at,
            "updatedAt": now,
        },
        add={"version": 1},
    )


def _reserve(credential: Credential, hold: HoldId, unit: Unit) -> Put:
    item: dict[str, Any] = {
        "userId": credential.user,
        "eventId": credential.event,
        "holdId": hold,
        "kind": unit.kind,
        "place": unit.place,
        "sectionId": unit.section,
        "priceTier": unit.tier,
        "label": unit.label,
        "quantity": unit.quantity,
        "shard": unit.shard,
    }
    keys = keyed(reservation_key(credential.session, hold, unit.place))
    mine = owned(credential.user, credential.event, f"{credential.session}#L")
    return Put("reservations", keys | mine | item)


def unit_of(reservation: Mapping[str, Any]) -> Unit:
    """The inverse of what a reservation stores."""
    return Unit(
        reservation["kind"],
        reservation["place"],
        reservation["sectionId"],
        reservation["priceTier"],
        reservation["label"],
        reservation["quantity"],
        reservation["shard"],
    )


def _in_shard(unit: Unit, session: str, shards: Mapping[str, int], attempt: int) -> Unit:
    """The unit in the shard that its session prefers, or the ``attempt``-th one after it."""
    if unit.kind != "area":
        return unit
    preferred = int(hashlib.sha256(session.encode()).hexdigest()[:8], 16)
    shard = (preferred + attempt) % shards[unit.place]
    return Unit(unit.kind, unit.place, unit.section, unit.tier, unit.label, unit.quantity, shard)
