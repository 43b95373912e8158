"""Say how each order of a cancelled event stands, and add up what went back and what did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.amount_text import money_text

if TYPE_CHECKING:
    from fairgate.service.shared.records.orders import Order, OwedRefund, RefundProgress

SOLD = ("paid", "ticketed")
BANKED = ("disputed", "charged_back")
_GONE: tuple[RefundProgress, ...] = ("pending", "succeeded")
_IN_VAIN: tuple[RefundProgress, ...] = ("refused", "failed")

COLUMNS = (
    *("order", "state", "user", "email", "currency", "places", "captured_minor", "back_minor"),
    *("to_send_minor", "in_vain_minor", "sold_minor", "banked_minor", "refunds", "what"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One order's line of the report; amounts in minor units.

    Attributes:
        captured_minor: taken for it, as far as our records go.
        back_minor: has set out or arrived. to_send_minor: is owed and not sent yet.
        in_vain_minor: was refused for good, or came back: a manual task.
        sold_minor: of an order that is still sold, not decided to go back yet.
        banked_minor: a bank has it, or asks for it: no refund can be sent.
        for_a_person: what somebody has to do about it; "" for nothing.
    """

    order: str
    state: str
    user: str
    email: str
    currency: str
    places: int
    captured_minor: int
    back_minor: int
    to_send_minor: int
    in_vain_minor: int
    sold_minor: int
    banked_minor: int
    refunds: Sequence[str]
    what: str
    for_a_person: str = ""

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COLUMNS} | {
            "for_a_person": self.for_a_person or None
        }


def row_of(order: Order, refunds: Sequence[OwedRefund]) -> Row:
    """Reckon one order's line from what the tables say now."""
    back = sum(one.amount_minor for one in refunds if one.state in _GONE or _sent_before(one))
    waits = sum(one.amount_minor for one in refunds if one.waits)
    vain = sum(one.amount_minor for one in refunds if one.state in _IN_VAIN)
    left = max(0, order.total_minor - order.back_minor)
    bought = order.total_minor if order.paid_at else 0
    others = sum(one.amount_minor for one in refunds if one.payment_id != order.payment_id)
    if order.state in ("refund_due", "refunded") and not order.paid_at:
        bought = sum(one.amount_minor for one in refunds if one.payment_id == order.payment_id)
    sold, banked = (left if order.state in states else 0 for states in (SOLD, BANKED))
    return Row(
        order=order.order_id,
        state=order.state,
        user=order.user_id,
        email=order.email,
        currency=order.currency,
        places=order.places,
        captured_minor=bought + others,
        back_minor=back,
        to_send_minor=waits,
        in_vain_minor=vain,
        sold_minor=sold,
        banked_minor=banked,
        refunds=[one.refund_id for one in refunds if one.refund_id],
        what=_what(order, back=back, waits=waits, vain=vain, banked=banked, bought=bought),
        for_a_person=_for_a_person(order, refunds),
    )


@dataclass
class Totals:
    """What all lines add up to; of what is damaged the keys alone."""

    currency: str = ""
    orders: int = 0
    places: int = 0
    states: Counter[str] = field(default_factory=Counter)
    money: Counter[str] = field(default_factory=Counter)
    damaged: list[str] = field(default_factory=list)
    people: int = 0  # lines that need a person
    open_sessions: int = 0

    def add(self, row: Row) -> None:
        self.currency = row.currency
        self.states[row.state] += 1
        self.people += bool(row.for_a_person)
        if row.captured_minor:
            self.orders += 1
            self.places += row.places
        for name in COLUMNS:
            if name.endswith("_minor"):
                self.money[name] += getattr(row, name)

    @property
    def settled(self) -> bool:
        """Say whether everything has been sent that can be."""
        left = self.money["sold_minor"] + self.money["to_send_minor"] + self.open_sessions
        return not (left or self.damaged)

    def as_json(self) -> dict[str, Any]:
        return {
            "currency": self.currency,
            "orders": self.orders,
            "places": self.places,
            "states": dict(self.states),
            **{name: self.money[name] for name in COLUMNS if name.endswith("_minor")},
            "open_sessions": self.open_sessions,
            "for_a_person": self.people,
            "damaged": self.damaged,
        }


def _sent_before(owed: OwedRefund) -> bool:
    """Say whether it was sent before states were kept."""
    return owed.state == "owed" and bool(owed.sent_at)


def _what(order: Order, *, back: int, waits: int, vain: int, banked: int, bought: int) -> str:
    if order.state in SOLD:
        return "sold: to be given back"
    if banked:
        return "a bank has its money"
    if vain:
        return "could not be given back"
    if waits:
        return "to be sent"
    if back:
        return "given back" if back >= bought else "given back, less what its own terms keep"
    return "given back before" if bought else "never paid"


def _for_a_person(order: Order, refunds: Sequence[OwedRefund]) -> str:
    """Name everything: a part that came back is owed as well as the rest."""
    what = [
        f"Refund {money_text(one.amount_minor, one.currency or order.currency)} another way:"
        f" {one.state}, {one.reason or 'no reason given'}."
        for one in refunds
        if one.state in _IN_VAIN
    ]
    if order.state == "disputed":
        what.append("A bank asks for its money: answer the dispute by taking it as lost, or wait.")
    return " ".join(what)
