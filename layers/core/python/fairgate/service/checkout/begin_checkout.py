"""Begin checkout: lock the seats for the payment window and fix the price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field  # noqa: TID251 CheckoutBegun leaves a field out of ==
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from fairgate.domain.orders.fees import price_lines
from fairgate.domain.orders.order import PostalAddress, Unit, line_vats, total_minor
from fairgate.domain.orders.postal_address import ADDRESS, address_tag, checked
from fairgate.domain.shared.ids import SessionId, order_id_of
from fairgate.domain.shared.language import DEFAULT, Language
from fairgate.domain.shared.mail_address import sent_to
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import (
    FairgateError,
    HoldExpiredError,
    LimitExceededError,
    MalformedInputError,
    SaleOverError,
    SessionExpiredError,
    TermsNotAcceptedError,
    WrongStateError,
)
from fairgate.ports.record import GSI1PK, GSI1SK
from fairgate.ports.table import Action, Put, Refusal, Update
from fairgate.service.orders.change_address import AddressChanger
from fairgate.service.shared.change import Write, change, under_way
from fairgate.service.shared.conditions import (
    RESERVATION_IS_LIVE,
    SEAT_STILL_HELD,
    SESSION_MAY_CHECK_OUT,
    USER_MAY_BUY,
)
from fairgate.service.shared.due import session_due
from fairgate.service.shared.idempotency import IdempotentRequest
from fairgate.service.shared.keys import (
    event_orders_index,
    live_key,
    order_in_event,
    order_key,
    orders_index,
    seat_key,
    user_status_key,
)
from fairgate.service.shared.order_update import change_order
from fairgate.service.shared.records.orders import Order, OrderLine, OrderUnit
from fairgate.service.shared.records.sessions import Session, UserStatus
from fairgate.service.shared.session_terms import as_agreed
from fairgate.service.shared.session_view import SessionView, read_session
from fairgate.service.shared.shared_count import places_counted, places_uncounted

if TYPE_CHECKING:
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids
    from fairgate.service.checkout.payment_turns import PaymentTurns
    from fairgate.service.shared.records.catalog import Event

# At time :now:  reservation ──► checkout, only while nothing was added or taken away since it was
# read, and every seat is still locked for this session.


_COUNTED = 3  # where the transaction counts the places of the postal address


@dataclass(frozen=True)
class CheckoutBegun:
    order: Order
    expires_at: str  # of the session and its seats; the order ends earlier
    again: bool = field(default=False, compare=False)  # under a key that was answered before


def _sent(email: str, postal: PostalAddress | None, terms: str) -> dict[str, Any]:
    """Return what a repeated request has to have alike."""
    sent = {"email": email} | ({} if postal is None else asdict(postal))
    return sent | ({"terms": terms} if terms else {})


def _require_seats(view: SessionView) -> None:
    if not view.reservations:
        raise MalformedInputError("Choose at least one seat first.")
    _require_once(view)


def _require_terms(event: Event, terms: str) -> None:
    if event.terms_url not in ("", terms):
        raise TermsNotAcceptedError(event.terms_url)


class CheckoutBeginner(Struct, frozen=True):
    """Begins checkouts. Cost: one query and one TransactWriteItems of 6 + n items."""

    table: Table
    clock: Clock
    ids: Ids
    expiry_queue: ExpiryQueue
    addresses_key: bytes = b""  # hashes the mail address of an order
    turns: PaymentTurns | None = None  # at the provider; None: at once

    def begin(
        self,
        event: Event,
        session: SessionId,
        user: str,
        email: str,
        *,
        idempotency_key: str = "",
        language: Language = DEFAULT,
        postal_address: PostalAddress | None = None,
        terms: str = "",
    ) -> CheckoutBegun:
        """Return the pending order of this session, made now or by an earlier call.

        Its mails go to the address of the last call, and its invoice has that call's postal one.

        Args:
            language: of the mails about an order that is made now.
            postal_address: given exactly where the event asks for it; a pending order asks for it
                as it did when it was made.
            terms: the address of those that the buyer accepts, for an order that is made now.

        Raises:
            PaymentWaitsError: no turn at the payment provider comes soon; nothing was changed.
            NotFoundError, MalformedInputError (nothing is held), MailAddressError,
            PostalAddressError, TermsNotAcceptedError, SessionExpiredError, HoldExpiredError (names
            the seats that are gone), LimitExceededError, WrongStateError, IdempotencyMismatchError,
            SaleOverError (the event is cancelled).
        """
        _require_not_cancelled(event)
        sent_to(email)  # raises where the mailer could not send
        sent = _sent(email, postal_address, terms)
        request = IdempotentRequest.of(session, "checkout", idempotency_key, sent)
        turn_ms = 0  # taken once, whatever is tried again

        def read() -> tuple[dict[str, Any] | None, SessionView]:
            # The record first: it names the order that the view should have.
            answer = None if request is None else request.before(self.table, self.clock.now_ms())
            return answer, read_session(self.table, session, user)

        def decide(seen: tuple[dict[str, Any] | None, SessionView]) -> Write[CheckoutBegun]:
            nonlocal turn_ms
            answer, view = seen
            if answer is not None:
                return Write(_again(view, answer))
            now_ms = self.clock.now_ms()
            if view.due_at <= rfc3339(now_ms):
                raise SessionExpiredError("Your session has ended: its time is over.")
            if view.session.state == "checkout" and (order := view.pending_order) is not None:
                postal = checked(postal_address, asked=order.postal_address is not None)
                anew = self._tried_anew(event, order, email, postal)
                begun = CheckoutBegun(anew, view.session.expires_at)
                return Write(begun, _remembered(request, begun, now_ms))
            if (state := view.session.state) != "reservation":
                raise WrongStateError("This session has been through checkout.", state=state)
            _require_seats(view)
            agreed = as_agreed(self.table, event, view.session)
            postal = checked(postal_address, asked=event.ask_address)
            _require_terms(event, terms)
            turn_ms = turn_ms or self._turn_ms(view, now_ms)
            order = self._order(agreed, view, email, (now_ms, turn_ms), language)
            tags = self._tags(event, order, postal)
            order = replace(order, postal_address=postal, counted_by=tags)
            begun = CheckoutBegun(order, order.settling_until)
            actions = _actions(agreed, view, begun, rfc3339(now_ms))
            refused = partial(_require_twin, agreed, view, order, len(actions))
            return Write(begun, [*actions, *_remembered(request, begun, now_ms)], refused)

        begun = change(self.table, self.clock, read, decide, contended=_changed)
        return self._reminded(begun) if begun.order.state == "pending" else begun

    def _tags(self, event: Event, order: Order, postal: PostalAddress | None) -> Sequence[str]:
        """Return the tags by which the order's places are counted: none without a limit.

        Raises LimitExceededError if the order alone is above it: nothing may be counted yet.
        """
        tag = address_tag(self.addresses_key, event.id, postal)
        if not (event.address_limit and tag):
            return ()
        if order.places > event.address_limit:
            raise _too_many_there(event)
        return [tag]

    def _tried_anew(
        self, event: Event, order: Order, email: str, postal: PostalAddress | None
    ) -> Order:
        """Take the addresses that were typed last.

        Another postal address takes over the places, if its limit allows.
        """
        changer = AddressChanger(self.table, self.clock, self.addresses_key)

        def decide(order: Order) -> Write[Order]:
            if order.state != "pending":
                return Write(order)  # paid or ended in between; the page will ask
            changes: dict[str, Any] = {"postal_address": postal}
            if postal == order.postal_address:
                return changer.changed(order, email, **changes)
            tags = self._tags(event, order, postal)
            before = [tag for tag in order.counted_by if tag.startswith(ADDRESS)]
            if tags == before:
                return changer.changed(order, email, **changes)
            others = [tag for tag in order.counted_by if tag not in before]
            write = changer.changed(order, email, **changes, counted_by=[*others, *tags])
            counted = [places_counted(write.done, tag, event.address_limit) for tag in tags]
            moved = [*write.actions, *counted, *places_uncounted(order, order.places, before)]
            refused = partial(_require_room_there, event, len(write.actions)) if tags else None
            return Write(write.done, moved, refused)

        return change_order(self.table, self.clock, order, decide)

    def _reminded(self, begun: CheckoutBegun) -> CheckoutBegun:
        """Send the reminder of the order's end. A second one does no harm."""
        left_ms = epoch_ms(begun.order.expires_at) - self.clock.now_ms()
        self.expiry_queue.remind(begun.order.session, max(0, left_ms) // 1000 + 1)
        return begun

    def _turn_ms(self, view: SessionView, now_ms: int) -> int:
        """Take the order's turn at the provider: now, or later."""
        if self.turns is None:
            return now_ms
        return max(now_ms, self.turns.take(held_until=view.session.expires_at))

    def _order(
        self,
        event: Event,
        view: SessionView,
        email: str,
        moments_ms: tuple[int, int],
        language: Language,
    ) -> Order:
        session, (now_ms, turn_ms) = view.session, moments_ms
        units = [reservation.unit for reservation in view.reservations]
        lines = price_lines(units, event.tiers, event.fees)
        order_id = order_id_of(session.id, self.ids.hex32()[-8:])
        return Order(
            *order_key(session.id, order_id),
            gsi1_pk=orders_index(session.user_id),
            gsi1_sk=rfc3339(now_ms),
            user_id=session.user_id,
            event_id=event.id,
            order_id=order_id,
            state="pending",
            total_minor=total_minor(lines),
            currency=event.currency,
            lines=[
                OrderLine(**asdict(line), vat_minor=vat)
                for line, vat in zip(lines, line_vats(lines), strict=True)
            ],
            units=[_part(unit) for unit in units],
            user_limit=event.user_limit,
            email=email,
            expires_at=rfc3339(turn_ms + event.checkout_s * 1000),
            created_at=rfc3339(now_ms),
            correlation_id=session.correlation_id,
            cancel_until=event.cancel_until,
            cancel_fee_minor=event.cancel_fee_minor,
            mailbox=mailbox_of(self.addresses_key, email),
            language=language,
            transfer_until=event.transfer_until,
            accepted_terms=event.terms_url,
            starts_at=event.starts_at,
            card_limit=event.card_limit,
            pay_from=rfc3339(turn_ms) if turn_ms > now_ms else "",
        )


def _part(unit: Unit) -> OrderUnit:
    if unit.kind == "area":
        return OrderUnit(
            kind="area",
            area=unit.place,
            tier=unit.tier,
            label=unit.label,
            quantity=unit.quantity,
            shard=unit.shard,
        )
    return OrderUnit(
        kind="seat",
        seat=unit.place,
        section=unit.section,
        tier=unit.tier,
        label=unit.label,
        quantity=unit.quantity if unit.quantity > 1 else None,
    )


def _actions(event: Event, view: SessionView, begun: CheckoutBegun, now: str) -> list[Action]:
    session, order, expires_at = view.session, begun.order, begun.expires_at
    bucket = live_bucket(expires_at, session.id, event.live_counters)
    return [
        Update(
            "reservations",
            *session.key,
            condition=SESSION_MAY_CHECK_OUT,
            values={
                "user": session.user_id,
                "reservation": "reservation",
                "now": now,
                "count": session.res_count,
            },
            set={
                "state": "checkout",
                "expiresAt": expires_at,
                "liveBucket": bucket,
                GSI1PK: event_orders_index(event.id, session.id),
                GSI1SK: order_in_event(order.created_at, order.order_id, order.email),
            },
        ),
        Update(
            "reservations",
            *user_status_key(session.user_id, event.id),
            condition=USER_MAY_BUY,
            values={"session": session.id, "room": event.user_limit - session.res_count},
            set={"liveUntil": expires_at, "userLimit": event.user_limit},
            add={"placesTaken": session.res_count},
        ),
        Put.of(order),
        *(places_counted(order, tag, event.address_limit) for tag in order.counted_by),
        session_due(event.id, session.id, order.expires_at, epoch_ms(now), order.order_id),
        *move_bucket(event.id, session.live_bucket, bucket),
        *_areas_still_held(view),
        *(
            Update(
                "seats",
                *seat_key(event.id, reservation.place),
                condition=SEAT_STILL_HELD,
                values={"locked": "locked", "session": session.id, "now": now},
                set={"expiresAt": expires_at, "updatedAt": now},
                add={"version": 1},
            )
            for reservation in view.seats
        ),
    ]


def _remembered(
    request: IdempotentRequest | None, begun: CheckoutBegun, now_ms: int
) -> Sequence[Action]:
    """Return the record that keeps the answer under the request's key."""
    return [] if request is None else [request.record(now_ms, _answer(begun))]


def _again(view: SessionView, answer: dict[str, Any]) -> CheckoutBegun:
    """Return the first answer's order, as it is by now.

    Raises DependencyUnavailableError: it cannot be read yet.
    """
    order = next((o for o in view.orders if o.order_id == answer["order"]), None)
    if order is None:
        raise under_way()
    return CheckoutBegun(order, order.settling_until, again=True)


def _require_twin(
    event: Event, view: SessionView, order: Order, size: int, reasons: Sequence[Refusal]
) -> None:
    """Return if another checkout was first, else raise the reason of the refusal."""
    current = reasons[0].old(Session)
    if current is None or current.state != "checkout":
        raise _explain(reasons[:size], event, view, order)


def _explain(
    reasons: Sequence[Refusal], event: Event, view: SessionView, order: Order
) -> FairgateError:
    first_seat = len(reasons) - len(view.seats)
    pairs = zip(view.seats, reasons[first_seat:], strict=True)
    gone = [reservation.place for reservation, reason in pairs if reason.failed]
    if gone:
        return HoldExpiredError("Some of your seats are no longer held.", seats=gone)
    if order.counted_by and reasons[_COUNTED].failed:
        return _too_many_there(event)
    status = reasons[1].old(UserStatus) if reasons[1].failed else None
    limit = event.user_limit
    if status is not None and status.places_taken + view.session.res_count > limit:
        return LimitExceededError(f"You can buy up to {limit} places.", limit=limit)
    return _changed()


def _too_many_there(event: Event) -> LimitExceededError:
    return LimitExceededError(
        "One postal address may have only so many places here: these would be too many.",
        reason="address",
        limit=event.address_limit,
    )


def _require_room_there(event: Event, at: int, reasons: Sequence[Refusal]) -> None:
    """Raise LimitExceededError if the count of the new address has refused."""
    if reasons[at].failed:
        raise _too_many_there(event)


def _changed() -> WrongStateError:
    return WrongStateError("Your session has just changed. Please look at it again.")


def _require_not_cancelled(event: Event) -> None:
    """Raise SaleOverError if the event is cancelled."""
    if event.cancelled_at:
        raise SaleOverError(
            "The organiser has cancelled this event. Nothing is sold any more, and whatever was"
            " paid goes back.",
            state="cancelled",
        )


def _require_once(view: SessionView) -> None:
    """Raise HoldExpiredError if a seat is in two holds.

    A session whose clock is behind may hold again a seat that it has lost meanwhile. One of the two
    holds has expired, and the buyer has to give one back.
    """
    counted = Counter(reservation.place for reservation in view.seats)
    if twice := [place for place, holds in counted.items() if holds > 1]:
        raise HoldExpiredError("Some of your seats are no longer held.", seats=twice)


def _answer(begun: CheckoutBegun) -> dict[str, Any]:
    return {"order": begun.order.order_id, "expiresAt": begun.expires_at}


def _areas_still_held(view: SessionView) -> list[Action]:
    """Require that places of areas are still held by these reservations, and change nothing.

    A seat names its session; a place of an area does not. A count alone would not notice that one
    hold was given back and another one was made.
    """
    return [
        Update(
            "reservations",
            *reservation.key,
            condition=RESERVATION_IS_LIVE,
            values={"live": "live"},
            set={"state": "live"},
        )
        for reservation in view.reservations
        if reservation.kind == "area"
    ]


def move_bucket(event: str, old: str, new: str) -> list[Action]:
    """Count the session in the minute of its new end. One transaction writes a bucket once."""
    if old == new:
        return []
    return [
        Update("reservations", *live_key(event, old), add={"live": -1}),
        Update("reservations", *live_key(event, new), add={"live": 1}),
    ]
