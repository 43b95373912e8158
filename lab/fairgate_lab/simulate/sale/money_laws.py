"""The money of a sale at its end: what our records say is what the provider's books say.

Every captured payment ends in one set of tickets, in one refund, in a dispute, or on the list of
what a person has to do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.payments import Capture
from fairgate.ports.record import PK, SK, Key
from fairgate.service.shared.keys import shape_of
from fairgate_lab.simulate.sale import back_laws, ledger_laws
from fairgate_lab.simulate.sale.books import Books, part_name
from fairgate_lab.simulate.sale.sale import Sale
from fairgate_ops.run.laws.check import BANKED, SOLD
from fairgate_ops.run.laws.snapshot import Snapshot
from fairgate_ops.run.laws.violation import Found, Violation

WAITING = ("refund_due", "cancelled")  # for a refund
IN_VAIN = ("refused", "failed")
ENDED = frozenset({"refund-refused", "refund-failed"})  # once all of it has gone back

Item = Mapping[str, Any]


@dataclass(frozen=True)
class Accounts:
    """Both sides: the provider's books, and our orders, refunds, disputes and duties."""

    books: Books
    orders: Mapping[str, Item]
    refunds: Mapping[tuple[str, str], Sequence[Item]]  # by order and payment, each part
    disputes: Sequence[Item]
    duties: Mapping[str, frozenset[str]]  # payment → the kinds that nobody has ticked off
    ledger: Sequence[Item] = ()

    @staticmethod
    def of(sale: Sale, seen: Snapshot) -> Accounts:
        kinds: defaultdict[str | None, list[Item]] = defaultdict(list)
        for item in map(from_item, seen.raw["reservations"]):
            kinds[shape_of("reservations", Key(item[PK], item[SK]))].append(item)
        duties: defaultdict[str, set[str]] = defaultdict(set)
        for duty in kinds["duty"]:
            if not duty.get("doneAt"):
                duties[duty.get("paymentId", "")].add(duty["kind"])
        owed: defaultdict[tuple[str, str], list[Item]] = defaultdict(list)
        for one in kinds["owed refund"]:
            owed[one["orderId"], one["paymentId"]].append(one)
        return Accounts(
            sale.provider.books,
            {order["orderId"]: order for order in seen.orders},
            owed,
            kinds["dispute"],
            {payment: frozenset(kinds) for payment, kinds in duties.items()},
            kinds["ledger entry"],
        )

    def owed(self, made: Capture) -> Sequence[Item]:
        return self.refunds.get((made.order, made.payment), ())

    def due(self, made: Capture) -> int:
        """How much of a capture that bought nothing is to go back: a fee for cancelling is kept."""
        owed = self.owed(made)
        return sum(one["amountMinor"] for one in owed) if owed else made.amount_minor

    def duties_of(self, made: Capture) -> frozenset[str]:
        return self.duties.get(made.payment, frozenset())

    def dispute_states(self, made: Capture) -> set[str]:
        found = self.books.disputed.values()
        return {dispute.state for dispute in found if dispute.payment == made.payment}


def violations(sale: Sale, seen: Snapshot) -> Found:
    """What is wrong with the money, once nothing is under way."""
    return compare(Accounts.of(sale, seen), sale.raised)


def compare(accounts: Accounts, raised: int) -> Found:
    """Compare both sides, where the last reconciliation ``raised`` so many differences."""
    for made in accounts.books.taken.values():
        yield from _one_end(accounts, made)
        for part in _parts_of(accounts, made):
            yield from _told_right(accounts, made, part)
        yield from _paid_in_time(accounts, made)
    for order in accounts.orders.values():
        yield from back_laws.reckoned(order, accounts.refunds)
    yield from ledger_laws.provider_agrees(
        accounts.books, accounts.orders, accounts.ledger, accounts.duties
    )
    for again in accounts.books.again:
        what = f"{again.amount_minor} of part {again.part} went a second time"
        yield Violation("sent-twice", again.payment, what)
    yield from _paid_for(accounts)
    yield from _nothing_waits(accounts)
    yield from _known_disputes(accounts)
    listed = sum(len(kinds) for kinds in accounts.duties.values())
    if raised > listed:
        what = f"{raised} differences could not be repaired, {listed} duties are listed"
        yield Violation("books", "provider", what)


def _one_end(accounts: Accounts, made: Capture) -> Found:
    """A capture is kept for tickets, or has gone back, or somebody is told to see to it."""
    order = accounts.orders.get(made.order)
    back, duties = accounts.books.back(made.payment), accounts.duties_of(made)
    states = accounts.dispute_states(made)
    if back > made.amount_minor:
        yield Violation("refunded-twice", made.payment, f"{back} of {made.amount_minor}")
    if order is None:
        yield Violation("money-for-nothing", made.payment, "for no order")
        return
    state = str(order["state"])
    if order.get("paymentId") == made.payment and state in (*SOLD, *BANKED):
        ours = sum(o["amountMinor"] for o in accounts.owed(made) if o.get("state") not in IN_VAIN)
        yield from _kept(made, order, back - ours, states, duties)
    elif back < accounts.due(made) and not states & {"open", "lost"} and not duties:
        what = f"{state}, {back} of {accounts.due(made)} went back, and nobody is told"
        yield Violation("money-without-ticket", made.payment, what)


def _kept(made: Capture, order: Item, back: int, states: set[str], duties: frozenset[str]) -> Found:
    """What bought tickets is the whole price and undisputed; or somebody is told.

    ``back``: more than we have sent of it ourselves.
    """
    state = str(order["state"])
    if made.amount_minor != order["totalMinor"]:
        what = f"captured {made.amount_minor}, total {order['totalMinor']}"
        yield Violation("money-amount", made.order, what)
    if back > 0 and not duties:
        yield Violation("duty", made.order, f"{state}, {back} went back, and nobody is told")
    wanted = {"lost": "charged_back", "open": "disputed"}
    expected = next((wanted[s] for s in ("lost", "open") if s in states), "")
    if expected and state != expected:
        yield Violation("disputed-tickets", made.order, f"{state}, the dispute is {states}")
    if not expected and state in BANKED:
        yield Violation("undisputed", made.order, f"{state}, the disputes are {states}")


def _parts_of(accounts: Accounts, made: Capture) -> Iterator[int]:
    """0, and each part that either side knows of."""
    names = {one.get("part", 0) for one in accounts.owed(made)}
    theirs = {one.part for one in accounts.books.refunds.values() if one.payment == made.payment}
    yield from sorted({0, *names, *theirs})


def _told_right(accounts: Accounts, made: Capture, part: int) -> Found:
    """Our record of a refund says what became of it; what nobody can do is on a person's list."""
    books, duties = accounts.books, accounts.duties_of(made)
    owed = next((one for one in accounts.owed(made) if one.get("part", 0) == part), None)
    ours = books.ours.get(part_name(made.payment, part), "")
    # Ours came back and another hand's took its place: that one is followed since.
    refund = books.refunds.get(ours if owed is None else owed.get("refundId") or ours)
    said = None if owed is None else owed.get("state", "owed")
    if refund is not None and said != refund.state:
        what = f"the provider's is {refund.state}, ours {said}"
        yield Violation("refund-state", made.payment, what)
    if said in ("owed", "pending"):
        yield Violation("never-refunded", made.payment, f"still {said}")
    if said in IN_VAIN and not duties:
        yield Violation("duty", made.payment, f"the refund is {said}, and nobody is told")
    order = accounts.orders.get(made.order, {})
    state = order.get("state") if order.get("paymentId") == made.payment else None
    whole = books.back(made.payment) >= accounts.due(made)
    in_parts = len(accounts.owed(made)) > 1
    if state == "refunded" and not whole and not (in_parts and duties):
        yield Violation("refunded-order", made.order, "the money is still at the provider")
    if whole and (state in WAITING or said in IN_VAIN):
        what = f"{state}, the refund is {said}, and all of it went back"
        yield Violation("back-unnoticed", made.order, what)
    if whole and said == "succeeded" and duties & ENDED:
        yield Violation("done-duty", made.order, f"all of it went back, still listed: {duties}")


def _paid_in_time(accounts: Accounts, made: Capture) -> Found:
    """Who paid before the order's end on a page that was open got the tickets."""
    books, order = accounts.books, accounts.orders.get(made.order)
    page = next(one for one in books.pages.values() if one.payment == made.payment)
    if order is None or page.late_when_closed or page.url in books.refused:
        return
    in_time = rfc3339(made.at_ms) < order["expiresAt"]
    whole = made.amount_minor == order["totalMinor"]
    touched = accounts.dispute_states(made) or any(
        refund.payment == made.payment and refund.id not in books.ours.values()
        for refund in books.refunds.values()
    )
    if in_time and whole and not touched and not order.get("paidAt"):
        yield Violation("paid-in-time", made.order, f"{order['state']}, and never paid")


def _paid_for(accounts: Accounts) -> Found:
    """Tickets are paid for."""
    for name, order in accounts.orders.items():
        if order["state"] in (*SOLD, *BANKED):
            made = accounts.books.taken.get(order.get("paymentId") or "")
            if made is None or made.order != name:
                yield Violation("ticket-without-money", name, f"{order['state']}, never captured")


def _nothing_waits(accounts: Accounts) -> Found:
    """No order waits for tickets; one that waits for its money is on a person's list."""
    for name, order in accounts.orders.items():
        told = accounts.duties.get(order.get("paymentId") or "")
        if order["state"] == "paid" or (order["state"] in WAITING and not told):
            yield Violation("unsettled", name, f"still {order['state']}, and nobody is told")


def _known_disputes(accounts: Accounts) -> Found:
    """Every dispute is known as it is, and was somebody's to answer."""
    known = {item["disputeId"]: item["state"] for item in accounts.disputes}
    for name, dispute in accounts.books.disputed.items():
        if known.get(name) != dispute.state:
            what = f"the provider's is {dispute.state}, ours {known.get(name)}"
            yield Violation("dispute-state", name, what)
        duties = accounts.duties.get(dispute.payment, frozenset())
        wanted = {"open": "disputed", "lost": "charged-back"}.get(dispute.state)
        if wanted and wanted not in duties:
            yield Violation("duty", name, f"{dispute.state}, and nobody is told")
        if dispute.state != "open" and "disputed" in duties:
            yield Violation("done-duty", name, f"{dispute.state}, and still to be answered")
