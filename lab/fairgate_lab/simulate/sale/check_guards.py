"""Guards that stand before the table is asked: checks of an owner, of terms, of what is entered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from fairgate.domain.shared.credential import Credential, verify_credential
from fairgate.domain.shared.ids import UserId
from fairgate.http import session_access
from fairgate.ports.table import Update
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.catalog import creation_run, event_rows
from fairgate.service.checkout import begin_checkout, settle_payment
from fairgate.service.checkout.end_checkout import CheckoutEnder
from fairgate.service.expiry.sweep_blocks import BlockSweep
from fairgate.service.expiry.swept import Swept
from fairgate.service.holds import release_seats
from fairgate.service.house import block_seats, free_seats, house_writes
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.orders import void_tickets
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.refunds import cancel_order, cancel_terms, disputes, refunds, return_place
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared import conditions, session_view
from fairgate.service.shared.idempotency import IdempotentRequest
from fairgate.service.shared.records.house import HouseBlock
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets import accept_ticket
from fairgate_lab.simulate.sale.guard import Guard


class Anyone(str):
    """A user whom every check takes for its own."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, _other: object) -> bool:
        return True

    def __ne__(self, _other: object) -> bool:
        return False


def _anyones_session() -> AbstractContextManager[Any]:
    read = session_view._read  # noqa: SLF001 the control takes its check away
    return patch.object(
        session_view, "_read", lambda table, session, _user: read(table, session, None)
    )


def _anyones_credential() -> AbstractContextManager[Any]:
    verify = verify_credential

    def accepted(*arguments: Any) -> Credential:
        credential = verify(*arguments)
        return replace(credential, user=UserId(Anyone(credential.user)))

    return patch.object(session_access, "verify_credential", accepted)


def _seen_too_soon() -> AbstractContextManager[Any]:
    """The event is put on sale without its areas' counters."""
    return patch.object(event_rows, "shard_records", lambda *_chart: ())


def _late_rows() -> AbstractContextManager[Any]:
    """A run that was overtaken writes its rows all the same."""
    ours = conditions.CREATION_IS_OURS
    always = f"{ours} OR NOT {ours}"
    return patch.object(creation_run, "CREATION_IS_OURS", always)


def _any_amount() -> AbstractContextManager[Any]:
    return patch.object(
        settle_payment, "_may_be_paid", lambda order, _payment: order.state == "pending"
    )


def _any_payload() -> AbstractContextManager[Any]:
    return patch.object(IdempotentRequest, "_answer", lambda _request, record: dict(record.answer))


def _half_read() -> AbstractContextManager[Any]:
    return patch.object(session_view.SessionView, "whole", property(lambda _view: True))


def _priced_as_now() -> AbstractContextManager[Any]:
    return patch.object(begin_checkout, "as_agreed", lambda _table, event, _session: event)


def _at_any_time(giver: ModuleType) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(giver, "require_in_time", lambda *_order: None)


def _anybodys_place(giver: ModuleType) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(giver, "require_own", lambda *_order: None)


def _fees_kept_of_a_cancelled_event() -> AbstractContextManager[Any]:
    return patch.object(cancel_order, "all_back", cancel_terms.whole_back)


def _at_any_moment() -> AbstractContextManager[Any]:
    return patch.object(accept_ticket, "offer_until", lambda *_offer: "9999")


def _more_than_is_left() -> AbstractContextManager[Any]:
    """What was kept or given back before is forgotten."""
    return patch.object(Order, "left_minor", property(lambda order: order.total_minor))


def _void_admits() -> AbstractContextManager[Any]:
    return patch.object(Order, "admitting", property(lambda order: list(order.tickets)))


def _void_forgotten() -> AbstractContextManager[Any]:
    """What was made void before is written over."""

    def alone(order: Order, ticket: str = "") -> list[str]:
        return [one.ticket for one in order.tickets if ticket in ("", one.ticket)]

    return patch.object(void_tickets, "still_good", alone)


def _erased_unasked() -> AbstractContextManager[Any]:
    return patch.object(BuyerEraser, "owed", lambda *_what: "")


def _released_unasked() -> AbstractContextManager[Any]:
    closed = CheckoutEnder._closed  # noqa: SLF001 the control takes its answer away

    def unheard(ender: CheckoutEnder, view: Any) -> list[Any]:
        closed(ender, view)
        return []

    return patch.object(CheckoutEnder, "_closed", unheard)


def _nobody_told() -> AbstractContextManager[Any]:
    return patch.object(ManualTasks, "note", lambda *_what, **_about: False)


def _disputes_ignored() -> AbstractContextManager[Any]:
    return patch.object(disputes, "_state_of", lambda order, *_known: order.state)


def _unentered(mover: ModuleType, name: str) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(mover, name, lambda *_what: [])


def _unnumbered(what: str) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(DocumentOffice, what, lambda *_about: 0)


def _refunds_unfollowed() -> AbstractContextManager[Any]:
    return patch.object(Refunder, "look", Refunder.send)


def _listed_elsewhere() -> AbstractContextManager[Any]:
    return patch.object(begin_checkout, "event_orders_index", lambda _event, _session: "nowhere")


def _refunds_unheard() -> AbstractContextManager[Any]:
    return patch.object(Refunder, "heard", lambda _refunder, _refund: "noted")


def _place_kept(ending: ModuleType) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(ending, "slot_returned", lambda _session: [])


def _unnamed() -> AbstractContextManager[Any]:
    """What is freed stays in the record of its block."""
    changed = house_writes.block_changed

    def unnamed(seen: HouseBlock, **attributes: Any) -> Update:
        kept = {"seats": seen.seats, "areas": seen.areas}
        return changed(seen, **{name: kept.get(name, new) for name, new in attributes.items()})

    return patch.object(free_seats, "block_changed", unnamed)


def _places_lost() -> AbstractContextManager[Any]:
    """Blocked places are in no number of their counter."""
    blocked = house_writes.places_blocked

    def lost(*places: Any) -> Update:
        update = blocked(*places)
        return replace(update, add={n: v for n, v in update.add.items() if n != "blocked"})

    return patch.object(block_seats, "places_blocked", lost)


def _never_due() -> AbstractContextManager[Any]:
    return patch.object(BlockSweep, "sweep", lambda _sweep, event: Swept(event.id))


def check_guards() -> Sequence[Guard]:
    """Checks that are made before the table is asked."""
    return [
        Guard("session_view: a session is shown to its user only", _anyones_session),
        Guard("session_view: a session is read whole", _half_read),
        Guard("session_access: a credential counts for its user only", _anyones_credential),
        Guard("create_event: an event is seen with all of its rows", _seen_too_soon),
        Guard("creation_run: who is overtaken writes no more rows", _late_rows),
        Guard("settle_payment: the amount is what was asked for", _any_amount),
        Guard("idempotency: a key stands for one request", _any_payload),
        Guard("release_seats: who ends gives the place back", _place_kept(release_seats)),
        Guard("settle_payment: who has paid gives the place back", _place_kept(settle_payment)),
        Guard("begin_checkout: an order asks for what its session began with", _priced_as_now),
        Guard("cancel_order: the order's terms", _at_any_time(cancel_order)),
        Guard("cancel_order: of a cancelled event all goes back", _fees_kept_of_a_cancelled_event),
        Guard("return_place: the order's terms", _at_any_time(return_place)),
        Guard("cancel_order: what was passed on is kept", _anybodys_place(cancel_order)),
        Guard("return_place: what was passed on is kept", _anybodys_place(return_place)),
        Guard("accept_ticket: an offer is good for its time", _at_any_moment),
        Guard("cancel_terms: no more than is left goes back", _more_than_is_left),
        Guard("begin_checkout: an order is listed among its event's", _listed_elsewhere),
        Guard("settle_payment: found by its address", _unentered(settle_payment, "_findable")),
        Guard("orders: a void ticket admits nobody", _void_admits),
        Guard("void_tickets: a ticket is made void once", _void_forgotten),
        Guard("erase_buyer: nobody is erased while something is owed", _erased_unasked),
        Guard("end_checkout: what a closed page took is settled", _released_unasked),
        Guard("manual_tasks: what only a person can do is written down", _nobody_told),
        Guard("disputes: a disputed order's tickets are void", _disputes_ignored),
        Guard("ledger: a refund is entered as it goes", _unentered(refunds, "refund_entries")),
        Guard("ledger: a dispute is entered as heard of", _unentered(disputes, "dispute_entries")),
        Guard("number_documents: what was sold has its invoice", _unnumbered("invoices")),
        Guard("number_documents: what went back has its note", _unnumbered("credit_note")),
        Guard("refunds: a refund is followed until it is final", _refunds_unfollowed),
        Guard("refunds: a refund that comes back is heard of", _refunds_unheard),
        Guard("free_seats: a block names what it keeps", _unnamed),
        Guard("block_seats: a counter knows its blocked places", _places_lost),
        Guard("sweep_blocks: a block is freed at its time", _never_due),
    ]
