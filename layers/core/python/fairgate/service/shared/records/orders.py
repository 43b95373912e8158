"""Records of orders and the money behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from fairgate.domain.orders.order import SETTLING_S, LineKind, OrderState
from fairgate.domain.shared.ids import EventId, Mailbox, OrderId, SessionId, UserId
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.payments import DisputeState
from fairgate.ports.record import Part, Record, TableName

# owed ──► pending ──► succeeded ──► failed: it came back. refused: it could not be sent.
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
]


class OrderLine(Part, frozen=True, kw_only=True):
    """So many tickets of a tier, or a fee, at a price each."""

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
    code: str
    holder: str = ""  # the account that it was passed on to; "": its buyer's


class TicketOffer(Part, frozen=True, kw_only=True):
    """A ticket that its holder offers to whoever has the link; in force until a time."""

    ticket: str
    number: int  # of the order's moves: what the link names
    until: str


class PassedTicket(Part, frozen=True, kw_only=True):
    """A ticket that somebody else has taken over: it is void, and another one stands for it."""

    ticket: str
    became: str  # the new ticket
    giver: str = ""  # the account that it was passed on by; "": its buyer
    holder: str = ""  # and to
    number: int  # of the offer that was accepted
    at: str


class VoidTicket(Part, frozen=True, kw_only=True):
    """A ticket that staff made void; its place stays sold, and no money goes back for it."""

    ticket: str
    at: str


class ReturnedPlace(Part, frozen=True, kw_only=True):
    """A place that was cancelled while its order stands, and what goes back for it."""

    place: str  # a seat's id or an area's
    kind: Literal["seat", "area"]
    tier: str
    label: str
    tickets: Sequence[str]  # that admit nobody any more: of a table for four, four
    amount_minor: int
    fee_minor: int  # kept
    at: str
    part: int = 0  # of the refund; 0 where nothing was left to give back


class Order(Record, frozen=True, kw_only=True):
    table: ClassVar[TableName] = "reservations"

    gsi1_pk: str  # only orders are in the index: one user's, oldest first
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
    older_pages: Sequence[str] = ()  # those before it that the provider has not closed yet
    asked_at: str = ""  # when the provider was last asked for a capture, for a buyer who looked
    payment_id: str | None = None  # of the capture that bought it, or that is owed back
    paid_at: str = ""
    ticketed_at: str = ""
    mailed_at: str = ""
    cancelled_at: str = ""
    refunded_at: str = ""
    last_attempt: str = ""  # "declined" while a declined attempt is the newest
    updated_at: str = ""
    tickets: Sequence[TicketEntry] = ()
    correlation_id: str = ""  # its session's
    cancel_until: str | None = None  # fixed at checkout; before that was so, the event's counts
    cancel_fee_minor: int = 0  # kept of each cancelled place, fixed at checkout
    partial_returns: int = 0  # how often something of it was given back while it stands
    back_minor: int = 0  # how much of what was paid is decided to go back
    returned: Sequence[ReturnedPlace] = ()
    event_cancelled: bool = False  # its organiser gave all of it back
    voided: Sequence[VoidTicket] = ()  # of its tickets, for good
    mailbox: Mailbox = Mailbox("")  # names its address, so that it is found by it; "": it is not
    erased_at: str = ""  # its buyer's address was taken out on request: nothing is mailed any more
    language: str = ""  # that its buyer is written to in; "": English, as before it was asked
    transfer_until: str = ""  # fixed at checkout: until when tickets may be passed on; "": never
    offers: Sequence[TicketOffer] = ()  # of its tickets, one each
    passed: Sequence[PassedTicket] = ()  # the oldest first
    offer_changes: int = 0  # how often an offer was made, withdrawn or accepted
    version: int = 0  # how often it was changed: each write needs the one that it read

    @property
    def session(self) -> SessionId:
        return SessionId(self.pk)

    @property
    def places(self) -> int:
        return sum(unit.places for unit in self.units)

    @property
    def admitting(self) -> list[TicketEntry]:
        """Return the tickets that admit somebody while the order is ticketed."""
        void = {one.ticket for one in self.voided}
        return [entry for entry in self.tickets if entry.ticket not in void]

    def held_by(self, user: str) -> list[TicketEntry]:
        """Return the tickets of one account that admit somebody while the order is ticketed."""
        return [entry for entry in self.admitting if self.holder_of(entry) == user]

    def holder_of(self, entry: TicketEntry) -> str:
        return entry.holder or self.user_id

    @property
    def passed_on(self) -> set[str]:
        """Return the tickets that other accounts than its buyer's have now."""
        return {entry.ticket for entry in self.tickets if entry.holder}

    @property
    def left_minor(self) -> int:
        """Return what of the price is neither kept for cancelled places nor decided to go back."""
        fees = sum(place.fee_minor for place in self.returned)
        return max(0, self.total_minor - self.back_minor - fees)

    def was_bought_by(self, payment: str) -> bool:
        """Say whether it was this capture that bought it; any other is owed back."""
        return bool(self.paid_at) and self.payment_id == payment

    @property
    def settling_until(self) -> str:
        """Return until when its session and seats are kept, should nobody end them before."""
        return rfc3339(epoch_ms(self.expires_at) + SETTLING_S * 1000)

    @property
    def pages(self) -> list[str]:
        """Return the payment pages that may still take a payment, oldest first."""
        return [*self.older_pages, self.pay_page] if self.pay_page else []


class HeldOrder(Record, frozen=True, kw_only=True):
    """An order of somebody else of which an account has, or had, a ticket that was passed on."""

    table: ClassVar[TableName] = "reservations"

    order_id: OrderId
    event_id: EventId
    at: str  # when it last accepted one


class OrderInIndex(Record, frozen=True, kw_only=True):
    """An order as the index of its user has it."""

    table: ClassVar[TableName] = "reservations"

    gsi1_pk: str
    gsi1_sk: str


class OrderOfEvent(Record, frozen=True, kw_only=True):
    """An order as the index of its event has it: by the session that it was bought in."""

    table: ClassVar[TableName] = "reservations"

    gsi1_pk: str
    gsi1_sk: str


class OwedRefund(Record, frozen=True, kw_only=True):
    """A capture that is owed back, and how far its refund has come at the provider."""

    table: ClassVar[TableName] = "reservations"

    order_id: OrderId
    event_id: EventId
    payment_id: str
    amount_minor: int
    owed_at: str
    sent_at: str = ""
    refund_id: str = ""  # the provider's; "" also for one that another hand made
    state: RefundProgress = "owed"
    reason: str = ""  # why it was refused or failed, in one word
    changed_at: str = ""
    correlation_id: str = ""  # its order's
    part: int = 0  # of the capture, while the order stands; 0: with the whole of the order
    currency: str = ""  # of the capture; "": of the order, as every refund had it before
    ledger_entries: int = 0  # how often its money went back or came back: its entries in the ledger
    attempt: int = 0  # by which number it is sent: how often the provider refused it for now

    @property
    def thing(self) -> str:
        """Name what of its payment a duty is about; "" for what goes back with the order."""
        return f"part {self.part}" if self.part else ""

    @property
    def waits(self) -> bool:
        """Say whether it is still to be sent."""
        return self.state == "owed" and not self.sent_at


class DisputeRecord(Record, frozen=True, kw_only=True):
    """A capture that a cardholder's bank takes back, at first until it is decided."""

    table: ClassVar[TableName] = "reservations"

    order_id: OrderId
    payment_id: str
    dispute_id: str
    amount_minor: int
    currency: str
    state: DisputeState
    opened_at: str
    reopened: int = 0  # how often it was open again after it had been decided
    reason: str = ""
    changed_at: str = ""


class LedgerEntry(Record, frozen=True, kw_only=True):
    """Money of an event that moved once, for one cause; written once, and never changed."""

    table: ClassVar[TableName] = "reservations"

    gsi1_pk: str  # its event's entries, the oldest first
    gsi1_sk: str
    entry_id: str  # names its cause
    event_id: EventId
    order_id: OrderId
    payment_id: str
    kind: LedgerKind
    amount_minor: int  # what it adds to the organiser's money; below 0: what it takes away
    currency: str
    at: str  # when it was written
    thing: str = ""  # the refund or dispute, as the provider names it; of a fee, the movement


class DocumentLine(Part, frozen=True, kw_only=True):
    """A place or a fee, all of it together; of a credit note, what of it goes back."""

    label: str
    quantity: int
    amount_minor: int  # VAT included
    vat_bp: int
    vat_minor: int


class Document(Record, frozen=True, kw_only=True):
    """An invoice of a settled order, or a credit note of a refund: as given out, for good."""

    table: ClassVar[TableName] = "reservations"

    number: int  # from 1, without gaps, of the event's invoices and credit notes together
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
    invoice: int = 0  # which one a credit note is about
    part: int = 0  # of the refund


class DocumentCounter(Record, frozen=True, kw_only=True):
    """The last number that an event gave to an invoice or a credit note."""

    table: ClassVar[TableName] = "reservations"

    given: int


class LedgerEntryInIndex(Record, frozen=True, kw_only=True):
    """An entry as the index of its event has it."""

    table: ClassVar[TableName] = "reservations"

    gsi1_pk: str
    gsi1_sk: str


class ManualTask(Record, frozen=True, kw_only=True):
    """What only a person can do, noticed once, until somebody ticks it off."""

    table: ClassVar[TableName] = "reservations"

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
