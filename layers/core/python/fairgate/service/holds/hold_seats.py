"""Hold seats and places: all or none, in one TransactWriteItems without a read before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import HoldId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    LimitExceededError,
    MalformedInputError,
    NotFoundError,
    SeatsTakenError,
    SessionExpiredError,
    WrongStateError,
)
from fairgate.ports.record import Key
from fairgate.ports.table import Action, Put, Refusal, TransactionRefusedError, Update
from fairgate.service.holds.area_places import AreaPlaces
from fairgate.service.shared.change import until_whole
from fairgate.service.shared.conditions import AREA_HAS_CAPACITY, SEAT_IS_FREE, SESSION_MAY_HOLD
from fairgate.service.shared.idempotency import IdempotentRequest, Route
from fairgate.service.shared.keys import (
    area_key,
    hold_prefix,
    reservation_key,
    seat_key,
    session_key,
)
from fairgate.service.shared.records.sessions import Reservation, Session

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids


class SeatsHeld(Struct, frozen=True):
    """The result of a hold, and the answer to a repeated request."""

    hold: HoldId
    units: Sequence[Unit]
    expires_at: str


class SeatHolder(Struct, frozen=True):
    """Holds seats and places.

    Cost: one round trip; write units 2 × (1 session + n seats + n reservations), one more for each
    seat in its section's index, and 2 for the record of an Idempotency-Key. A repeated request
    costs one more query; an area's counter with too few places, one more batch of reads.

    Attributes:
        damaged: the damaged counters of areas that were met.
    """

    table: Table
    clock: Clock
    ids: Ids
    damaged: list[Key] = field(default_factory=list)

    def hold(
        self,
        credential: Credential,
        units: Sequence[Unit],
        *,
        shards: Mapping[str, int] | None = None,
        idempotency_key: str = "",
        route: Route = "hold",
        payload: object = None,
    ) -> SeatsHeld:
        """Hold all of ``units`` for the credential's session, or none of them.

        Args:
            units: distinct places; the ``shard`` of an area is chosen here.
            shards: area id → number of its shards, for areas among the units.
            idempotency_key: the same key makes the same hold, however often it is sent.
            route: under which the key is remembered.
            payload: what the caller asked for; None: the units themselves.

        Raises:
            LimitExceededError, SeatsTakenError (names exactly the seats that are gone),
            SessionExpiredError, WrongStateError, NotFoundError, MalformedInputError,
            IdempotencyMismatchError.
        """
        wanted = _wanted(credential, units)
        asked = payload if payload is not None else asked_of(units)
        again = IdempotentRequest.of(credential.session, route, idempotency_key, asked)
        hold = HoldId("hld_" + self.ids.hex32())
        places = AreaPlaces(units, shards or {}, credential.session)
        for placed in places.attempts():
            actions = self._actions(credential, hold, placed, wanted)
            if again is not None:
                actions.append(self._record(again, credential, hold, units))
            try:
                self.table.transact(actions, token=self.ids.hex32())
            except TransactionRefusedError as refused:
                if (
                    again is not None
                    and (answer := again.answered(refused.reasons[-1])) is not None
                ):
                    return self._again(credential, answer)
                if not self._committed(refused, len(placed)):
                    error = self._explain(refused, credential, placed, wanted)
                    if error is not None:
                        raise error from refused
                    places.learn(placed, refused.reasons[1 : 1 + len(placed)])
                    self.damaged.extend(places.read(self.table, credential.event))
                    continue
            return SeatsHeld(hold, placed, credential.expires_at)
        if full := places.full():
            raise SeatsTakenError(full)
        raise DependencyUnavailableError(
            "Many people are choosing here right now. Please try again.", retry_after_s=1
        )

    def made_before(
        self,
        credential: Credential,
        idempotency_key: str,
        *,
        route: Route = "best-available",
        payload: object = None,
    ) -> SeatsHeld | None:
        """Return the hold that this key made; None: it made none.

        Raises IdempotencyMismatchError, SessionExpiredError (it made none and the session is over).
        """
        again = IdempotentRequest.of(credential.session, route, idempotency_key, payload)
        answer = again and again.before(self.table, self.clock.now_ms())
        if not answer and self.is_over(credential):
            raise SessionExpiredError("Your session has ended.")
        return self._again(credential, answer) if answer else None

    def is_over(self, credential: Credential) -> bool:
        """Say whether the credential has expired. Then it only repeats earlier holds."""
        return credential.expires_at <= rfc3339(self.clock.now_ms())

    def _record(
        self,
        again: IdempotentRequest,
        credential: Credential,
        hold: HoldId,
        units: Sequence[Unit],
    ) -> Put:
        places = [unit.place for unit in units]
        answer = {
            "hold": hold,
            "places": places,
            "count": sum(unit.quantity for unit in units),
            "expiresAt": credential.expires_at,
        }
        return again.record(self.clock.now_ms(), answer)

    def _again(self, credential: Credential, answer: Mapping[str, Any]) -> SeatsHeld:
        """Return the first answer, also if the hold has been released since.

        Raises DependencyUnavailableError: its places cannot all be read yet.
        """

        def read() -> list[Reservation] | None:
            hold = hold_prefix(answer["hold"])
            seen = self.table.query(Reservation, credential.session, hold)
            return seen if sum(one.quantity for one in seen) >= answer["count"] else None

        reservations = until_whole(self.clock, read)
        order = {place: position for position, place in enumerate(answer["places"])}
        units = sorted((r.unit for r in reservations), key=lambda unit: order[unit.place])
        return SeatsHeld(HoldId(answer["hold"]), units, answer["expiresAt"])

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
        parts = Counter(unit.place for unit in units)
        reservations = [_reserve(credential, hold, u, whole=parts[u.place] == 1) for u in units]
        return [session, *places, *reservations]

    def _committed(self, refused: TransactionRefusedError, count: int) -> bool:
        """Say whether every reservation of this hold exists: our commit, with its answer lost."""
        return all(reason.failed for reason in refused.reasons[1 + count : 1 + 2 * count])

    def _explain(
        self,
        refused: TransactionRefusedError,
        credential: Credential,
        units: Sequence[Unit],
        wanted: int,
    ) -> FairgateError | None:
        """Return the most final reason; None: only counters of areas refused."""
        session, places = refused.reasons[0], refused.reasons[1 : 1 + len(units)]
        if session.failed:
            return self._session_error(session, credential, wanted)
        gone = [u for u, r in zip(units, places, strict=True) if r.failed and u.kind == "seat"]
        unknown = [r.item is None for r in places if r.failed]
        if gone and not any(unknown):
            return SeatsTakenError([unit.place for unit in gone])
        return NotFoundError("Some of these seats do not exist.") if any(unknown) else None

    def _session_error(self, reason: Refusal, credential: Credential, wanted: int) -> FairgateError:
        session, owner = reason.old(Session), (credential.user, credential.event)
        if session is None or (session.user_id, session.event_id) != owner:
            return NotFoundError("There is no such session.")
        if session.expires_at <= rfc3339(self.clock.now_ms()) or session.state == "expired":
            return SessionExpiredError("Your session has ended.")
        if session.state != "reservation":
            return WrongStateError("Seats can be added only before checkout.", state=session.state)
        return over_limit(credential.hold_limit, held=session.res_count, asked=wanted)


def _wanted(credential: Credential, units: Sequence[Unit]) -> int:
    """Count the requested places. Raises MalformedInputError, LimitExceededError."""
    wanted = sum(unit.quantity for unit in units)
    if wanted < 1:
        raise MalformedInputError("Choose at least one seat.")
    if wanted > credential.hold_limit:
        raise over_limit(credential.hold_limit)
    if len({unit.place for unit in units}) < len(units):
        raise MalformedInputError("A seat is named twice.")
    return wanted


def asked_of(units: Sequence[Unit]) -> list[Any]:
    """Return the payload of a hand-picked hold for its Idempotency-Key."""
    return [[unit.kind, unit.place, unit.quantity] for unit in units]


def over_limit(limit: int, **fields: int) -> LimitExceededError:
    return LimitExceededError(f"You can hold up to {limit} places.", limit=limit, **fields)


def _take(credential: Credential, unit: Unit, now: str) -> Update:
    if unit.kind == "area":
        return Update(
            "seats",
            *area_key(credential.event, unit.place, unit.shard),
            condition=AREA_HAS_CAPACITY,
            values={"quantity": unit.quantity, "number": "N"},
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


def _reserve(credential: Credential, hold: HoldId, unit: Unit, *, whole: bool) -> Put:
    """Return a reservation's Put. ``whole``: no other shard gives places of this unit."""
    name = unit.place if whole else f"{unit.place}:{unit.shard}"
    reservation = Reservation(
        *reservation_key(credential.session, hold, name),
        user_id=credential.user,
        event_id=credential.event,
        hold_id=hold,
        state="live",
        kind=unit.kind,
        place=unit.place,
        section_id=unit.section,
        price_tier=unit.tier,
        label=unit.label,
        quantity=unit.quantity,
        shard=unit.shard,
    )
    return Put.of(reservation)
