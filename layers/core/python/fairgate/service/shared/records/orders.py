"""Records of orders and the money behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fairgate.domain.orders.order import SETTLING_S, LineKind, OrderState, PostalAddress
from fairgate.domain.shared.ids import EventId, Mailbox, OrderId, SessionId, UserId
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.payments import DisputeState
from fairgate.ports.record import Part
from fairgate.service.shared.records import ReservationsRecord

# owed ──► pending ──► succeeded ──► failed (it came back); refused: it could not be sent
RefundProgress = Literal["owed", "pending", "succeeded", "failed", "refused"]
LedgerKind = Literal[
    "capture",
    "refund",
    "refund-returned",
    "dispute",
    "dispute-won",
    "dispute-lost",
    "fee",
    "fee-dispute",
]
TaskKind = Literal[
    "refund-refused",
    "refund-failed",
    "refund-missing",
    "refunded-elsewhere",
    "refunded-in-part",
    "unknown-capture",
    "no-refund-owed",
    "no-capture",
    "tickets-late",
    "disputed",
    "charged-back",
    "capture-failed",
    "entry-failed",
    "event-cancelled",
    "change-untold",
    "mail-not-sent",
]


class OrderLine(Part, frozen=True, kw_only=True):
    """Tickets of a tier, or a fee: quantity and price each."""

    label: str
    tier: str  # "" for a fee
    quantity: int
    price_minor: int
    kind: LineKind = "tickets"
    vat_bp: int = 0  # included in the price
    vat_minor: int = 0  # of the whole line


class OrderUnit(Part, frozen=True, kw_only=True):
    """A bought unit: ``seat`` in a ``section``, or ``quantity`` places of an ``area``."""

    kind: Literal["seat", "area"]
    tier: str
    label: str
    seat: str = ""
    section: str = ""
    area: str = ""
    quantity: int | None = None  # of an area; of a table or box for several
    shard: int | None = None  # of an area

    @property
    def place(self) -> str:
        """Return the seat's id or the area's."""
        return self.seat if self.kind == "seat" else self.area

    @property
    def places(self) -> int:
        """Count how many people it admits."""
        return 1 if self.quantity is None else self.quantity


class TicketEntry(Part, frozen=True, kw_only=True):
    ticket: str
    unit: int
    label: str
    code: str  # "": signed when it is drawn; else an older version's, until the order's next change
    holder: str = ""  # the account that has it now; "": the buyer


class TicketOffer(Part, frozen=True, kw_only=True):
    """A ticket that its holder offers to anybody with the link, until a time."""

    ticket: str
    number: int  # counts the order's offers; the link names it
    until: str


class PassedTicket(Part, frozen=True, kw_only=True):
    """A ticket that was passed on: it is void, and a new ticket replaces it."""

    ticket: str
    became: str  # the new ticket
    giver: str = ""  # the account that passed it on; "": the buyer
    holder: str = ""  # the account that accepted it
    number: int  # of the offer that was accepted
    at: str


class VoidTicket(Part, frozen=True, kw_only=True):
    """A ticket that staff made void. Its place stays sold, and nothing is refunded."""

    ticket: str
    at: str


class ReturnedPlace(Part, frozen=True, kw_only=True):
    """A place that was cancelled while its order goes on, with its refund."""

    place: str  # a seat's id or an area's
    kind: Literal["seat", "area"]
    tier: str
    label: str
    tickets: Sequence[str]  # now void: of a table for four, four
    amount_minor: int
    fee_minor: int  # kept
    at: str
    part: int = 0  # of the refund; 0: nothing was left to refund


class Order(ReservationsRecord, frozen=True, kw_only=True):
    gsi1_pk: str  # one user's orders, oldest first
    gsi1_sk: str
    user_id: UserId
    event_id: EventId
    order_id: OrderId
    state: OrderState
    total_minor: int
    currency: str
    lines: Sequence[OrderLine]
    units: Sequence[OrderUnit]
    user_limit: int  # of places, as the event had it at checkout
    email: str
    expires_at: str
    created_at: str
    pay_page: str = ""  # the newest
    older_pages: Sequence[str] = ()  # earlier ones that the provider has not closed yet
    pay_from: str = ""  # its turn at the provider, until its page is opened; "": at once
    asked_at: str = ""  # when the provider was last asked for a capture, for a waiting buyer
    payment_id: str | None = None  # of the capture that bought it, or that is to be refunded
    paid_at: str = ""
    ticketed_at: str = ""
    mailed_at: str = ""
    cancelled_at: str = ""
    refunded_at: str = ""
    last_attempt: str = ""  # "declined" or "card-limit" while such an attempt is the newest
    updated_at: str = ""
    tickets: Sequence[TicketEntry] = ()
    correlation_id: str = ""  # its session's
    cancel_until: str | None = None  # fixed at checkout; None in old orders: the event's
    cancel_fee_minor: int = 0  # kept of each cancelled place, fixed at checkout
    partial_returns: int = 0  # partial refunds so far
    back_minor: int = 0  # refunds decided so far, in minor units
    returned: Sequence[ReturnedPlace] = ()
    event_cancelled: bool = False  # the event was cancelled, and all is refunded
    voided: Sequence[VoidTicket] = ()
    mailbox: Mailbox = Mailbox("")  # hashes its address, to find it by; "": it is not found
    postal_address: PostalAddress | None = None  # where its event asked for it, until erased
    card_limit: int = 0  # of places for one card, fixed at checkout; 0: no limit
    counted_by: Sequence[str] = ()  # tags of the shared counts that its places are in
    erased_at: str = ""  # when the buyer's address was erased on request; no mail after that
    language: str = ""  # of mails to the buyer; "": English
    transfer_until: str = ""  # fixed at checkout: tickets may be passed on until then; "": never
    starts_at: str = ""  # of the performance, at checkout
    accepted_terms: str = ""  # their address, accepted at created_at; "": there were none
    offers: Sequence[TicketOffer] = ()  # of its tickets, one each
    passed: Sequence[PassedTicket] = ()  # the oldest first
    offer_changes: int = 0  # offers made, withdrawn and accepted so far
    version: int = 0  # changes so far: each write needs the version that it read

    @property
    def session(self) -> SessionId:
        return SessionId(self.pk)

    @property
    def places(self) -> int:
        return sum(unit.places for unit in self.units)

    def until_start(self, until: str, starts_at: str) -> str:
        """Return when the time to cancel or pass on ends, at the latest at the performance's start.

        A time after the start that the order was bought with was allowed in words, and stays.

        Args:
            until: as fixed at checkout, RFC 3339; "": never.
            starts_at: when the performance starts now, RFC 3339; "": not known.
        """
        if not starts_at or (self.starts_at and until > self.starts_at):
            return until
        return min(until, starts_at)

    @property
    def admitting(self) -> list[TicketEntry]:
        """Return the tickets that admit somebody while the order is ticketed."""
        void = {one.ticket for one in self.voided}
        return [entry for entry in self.tickets if entry.ticket not in void]

    def held_by(self, user: str) -> list[TicketEntry]:
        """Return the admitting tickets of one account."""
        return [entry for entry in self.admitting if self.holder_of(entry) == user]

    @property
    def buyers_labels(self) -> list[str]:
        """Return the labels of the buyer's valid tickets, in the order in which they are drawn."""
        held = self.held_by(self.user_id) if self.state == "ticketed" else []
        return [entry.label for entry in held]

    def holder_of(self, entry: TicketEntry) -> str:
        return entry.holder or self.user_id

    @property
    def passed_on(self) -> set[str]:
        """Return the tickets that other accounts than the buyer's have now."""
        return {entry.ticket for entry in self.tickets if entry.holder}

    @property
    def left_minor(self) -> int:
        """Return the price less all refunds and all fees for cancelled places; 0 if never paid."""
        if not self.paid_at:
            return 0
        fees = sum(place.fee_minor for place in self.returned)
        return max(0, self.total_minor - self.back_minor - fees)

    def was_bought_by(self, payment: str) -> bool:
        """Say whether this capture bought it. Any other capture is owed back."""
        return bool(self.paid_at) and self.payment_id == payment

    @property
    def settling_until(self) -> str:
        """Return until when its session and seats are kept at most."""
        return rfc3339(epoch_ms(self.expires_at) + SETTLING_S * 1000)

    @property
    def pages(self) -> list[str]:
        """Return the payment pages that may still take a payment, oldest first."""
        return [*self.older_pages, self.pay_page] if self.pay_page else []


class HeldOrder(ReservationsRecord, frozen=True, kw_only=True):
    """An order of another account, of which this account has or had a ticket."""

    order_id: OrderId
    event_id: EventId
    at: str  # when it last accepted one


class OrderInIndex(ReservationsRecord, frozen=True, kw_only=True):
    gsi1_pk: str
    gsi1_sk: str


class OrderOfEvent(ReservationsRecord, frozen=True, kw_only=True):
    """An order in the index of its event: in fact its session's item."""

    gsi1_pk: str
    gsi1_sk: str


class OwedRefund(ReservationsRecord, frozen=True, kw_only=True):
    """A capture that is owed back, and the state of its refund at the provider."""

    order_id: OrderId
    event_id: EventId
    payment_id: str
    amount_minor: int
    owed_at: str
    sent_at: str = ""
    refund_id: str = ""  # the provider's; "" also for a refund made outside Fairgate
    state: RefundProgress = "owed"
    reason: str = ""  # why it was refused or failed, in one word
    changed_at: str = ""
    correlation_id: str = ""  # its order's
    part: int = 0  # of the order's partial refunds; 0: the rest
    currency: str = ""  # of the capture; "": the order's
    ledger_entries: int = 0  # its entries in the ledger so far
    attempt: int = 0  # how often the provider refused it for now; part of the key it is sent with

    @property
    def thing(self) -> str:
        """Name the part for a manual task; "" for the rest."""
        return f"part {self.part}" if self.part else ""

    @property
    def waits(self) -> bool:
        return self.state == "owed" and not self.sent_at


class DisputeRecord(ReservationsRecord, frozen=True, kw_only=True):
    """A capture that the cardholder's bank takes back, at first until it is decided."""

    order_id: OrderId
    payment_id: str
    dispute_id: str
    amount_minor: int
    currency: str
    state: DisputeState
    opened_at: str
    reopened: int = 0  # how often it was opened again after a decision
    reason: str = ""
    changed_at: str = ""


class LedgerEntry(ReservationsRecord, frozen=True, kw_only=True):
    """One movement of an event's money, with one cause; written once, never changed."""

    gsi1_pk: str  # its event's entries, the oldest first
    gsi1_sk: str
    entry_id: str  # names its cause
    event_id: EventId
    order_id: OrderId
    payment_id: str
    kind: LedgerKind
    amount_minor: int  # added to the organiser's money; negative: taken away
    currency: str
    at: str  # when it was written
    thing: str = ""  # the provider's id of the refund or dispute; of a fee, of the movement


class DocumentLine(Part, frozen=True, kw_only=True):
    """A place or a fee with its total; in a credit note, the amount refunded."""

    label: str
    quantity: int
    amount_minor: int  # VAT included
    vat_bp: int
    vat_minor: int


class Document(ReservationsRecord, frozen=True, kw_only=True):
    """An invoice of an order, or a credit note of a refund, as it was issued."""

    number: int  # from 1 without gaps, for the event's invoices and credit notes together
    kind: Literal["invoice", "credit-note"]
    event_id: EventId
    order_id: OrderId
    payment_id: str
    amount_minor: int
    currency: str
    at: str
    lines: Sequence[DocumentLine]
    buyer: str  # e-mail address
    event_name: str
    seller_name: str
    seller_address: str
    seller_vat_id: str
    starts_at: str = ""  # when the performance started, as the event said it then
    time_zone: str = ""
    invoice: int = 0  # the number that a credit note is about
    part: int = 0  # of the refund
    postal_address: PostalAddress | None = None  # the buyer's, where the event asked for it


class DocumentCounter(ReservationsRecord, frozen=True, kw_only=True):
    """The last number that an event gave to an invoice or a credit note."""

    given: int


class LedgerEntryInIndex(ReservationsRecord, frozen=True, kw_only=True):
    gsi1_pk: str
    gsi1_sk: str


class ManualTask(ReservationsRecord, frozen=True, kw_only=True):
    """A task that only a person can do, entered once, until it is ticked off."""

    task_id: str
    kind: TaskKind
    what: str
    since: str
    event_id: str = ""
    order_id: str = ""
    payment_id: str = ""
    done_at: str = ""
    done_by: str = ""
    reason: str = ""  # how it was done
