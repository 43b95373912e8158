"""Laws between our records and the provider's books.

Every captured payment ends in one set of tickets, in one refund, in a dispute, or in a manual task.
None of these laws breaks if the provider was not asked.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.service.audit.law import law
from fairgate.service.audit.ledger import TAKEN, moved
from fairgate.service.audit.order_states import BANKED, SOLD, SOLD_OR_BANKED, WAITING
from fairgate.service.audit.snapshot import grouped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Item, Snapshot

# Manual tasks that others cause. Tasks that a defect of ours would cause excuse nothing.
OTHERS_DOING = ("refund-refused", "refund-failed", "refunded-elsewhere", "refunded-in-part")
MOVING = ("paid", "refund_due")  # a delivery is still due: the law ``order-unsettled``
IN_VAIN = ("refused", "failed")  # of an owed refund
ENDED = frozenset({"refund-refused", "refund-failed"})  # tasks that end when all is refunded
_RECONCILE = "Run `fairgate orders reconcile`; what it cannot repair, it lists as a duty."
_REFUND = "Look at the payment at the provider, and refund there what was taken for nothing."
_LOOK = "Compare `fairgate orders show ORDER` with the payment at the provider."
_TICK = "Look at `fairgate orders tasks`, and tick off what is done: `fairgate orders done`."
_CHECK_BOOKS = "Run `fairgate books check EVENT`: it names what differs from the provider's books."


class Taken(Struct, frozen=True):
    """A capture, with our records and the provider's about it."""

    payment: str
    order_id: str
    amount_minor: int
    order: Item | None
    owed: Sequence[Item]
    refunds: Sequence[Item]  # the provider's
    disputes: frozenset[str]  # the states of the provider's
    tasks: frozenset[str]  # the kinds of the open manual tasks

    @property
    def state(self) -> str:
        return "unknown" if self.order is None else str(self.order["state"])

    @property
    def is_orders(self) -> bool:
        """Say whether the order names this payment as its own."""
        return self.order is not None and self.order.get("paymentId") == self.payment

    @property
    def bought(self) -> bool:
        """Say whether it bought the tickets of its order."""
        return self.is_orders and self.state in SOLD_OR_BANKED

    @property
    def back_minor(self) -> int:
        """Return the sum of refunds on their way or arrived."""
        return sum(one["amount_minor"] for one in self.refunds if one.get("state") != "failed")

    @property
    def due_minor(self) -> int:
        """Return how much is to be refunded if it bought nothing, less fees for cancelling."""
        return sum(one["amountMinor"] for one in self.owed) if self.owed else self.amount_minor

    @property
    def went_back(self) -> bool:
        """Say whether there is a refund other than of a part."""
        return any(one.get("state") != "failed" and not one.get("part") for one in self.refunds)

    @property
    def whole(self) -> bool:
        """Say whether all that is due is refunded."""
        return self.back_minor >= self.due_minor


@law(
    "Find the payment at the provider; if nobody paid, void the tickets: `fairgate orders void`.",
    "delivered",
)
def ticket_without_money(seen: Snapshot) -> Found:
    """A sold order has a capture that is kept, unless somebody refunded it outside Fairgate."""
    if seen.payments is None:
        return
    captures = {taken.payment: taken for taken in _captures(seen)}
    known = {one.get("orderId") for one in seen.of("manual task") if one["kind"] in OTHERS_DOING}
    for order in seen.orders:
        name, state = order["orderId"], order["state"]
        if state not in SOLD_OR_BANKED:
            continue
        made = captures.get(order.get("paymentId") or "")
        if made is None or made.order_id != name:
            yield name, f"{state}, never captured"
        elif state in SOLD and made.went_back and name not in known:
            yield name, f"{state}, but no capture is kept"


@law(_REFUND, "delivered")
def money_without_ticket(seen: Snapshot) -> Found:
    """A capture that bought nothing is refunded, disputed, or has a manual task."""
    known = {one.get("orderId") for one in seen.of("manual task") if one["kind"] in OTHERS_DOING}
    for made in _captures(seen):
        if made.order is None or made.bought or made.state in MOVING or made.order_id in known:
            continue
        if not made.whole and not made.disputes & set(TAKEN):
            what = f"{made.state}, {made.back_minor} of {made.due_minor} is refunded"
            yield made.payment, f"{what}, without a manual task"


@law(_REFUND, "delivered")
def money_without_order(seen: Snapshot) -> Found:
    """Every capture is for an order that we have."""
    for made in _captures(seen):
        if made.order is None:
            yield made.payment, f"for {made.order_id}, which is no order"


@law(_LOOK, "delivered")
def money_amount(seen: Snapshot) -> Found:
    """The capture that bought an order's tickets has the order's total."""
    for made in _captures(seen):
        if made.bought and made.order and made.amount_minor != made.order["totalMinor"]:
            what = f"captured {made.amount_minor}, total {made.order['totalMinor']}"
            yield made.order_id, what


@law("Look at the payment at the provider: the buyer has more back than they paid.", "delivered")
def refunded_twice(seen: Snapshot) -> Found:
    """No part is refunded twice, and never more than was taken."""
    for made in _captures(seen):
        if made.back_minor > made.amount_minor:
            yield made.payment, f"{made.back_minor} of {made.amount_minor}"
        parts = Counter(
            one["part"] for one in made.refunds if one.get("part") and one.get("state") != "failed"
        )
        for part, count in parts.items():
            if count > 1:
                yield made.payment, f"{count} refunds of part {part}"


@law(_RECONCILE, "rest")
def task(seen: Snapshot) -> Found:
    """What only a person can do is in the list of manual tasks."""
    for made in _captures(seen):
        if made.tasks:
            continue
        ours = sum(one["amountMinor"] for one in made.owed if one.get("state") not in IN_VAIN)
        if made.bought and made.back_minor > ours:
            what = f"{made.state}, {made.back_minor - ours} is refunded, without a manual task"
            yield made.order_id, what
        for one in made.owed:
            if one.get("state") in IN_VAIN:
                yield made.payment, f"the refund is {one['state']}, without a manual task"
    tasks = _open_tasks(seen)
    for dispute in seen.provider("dispute"):
        wanted = {"open": "disputed", "lost": "charged-back"}.get(dispute["state"])
        if wanted and wanted not in tasks.get(dispute["payment"], ()):
            yield dispute["id"], f"{dispute['state']}, without a manual task"


@law(_TICK, "rest")
def done_task(seen: Snapshot) -> Found:
    """No manual task is open for what has ended."""
    for made in _captures(seen):
        arrived = any(one.get("state") == "succeeded" for one in made.owed)
        if made.whole and arrived and made.tasks & ENDED:
            yield made.order_id, f"all is refunded, still open: {sorted(made.tasks)}"
    tasks = _open_tasks(seen)
    for dispute in seen.provider("dispute"):
        if dispute["state"] != "open" and "disputed" in tasks.get(dispute["payment"], ()):
            yield dispute["id"], f"{dispute['state']}, but still to be answered"


@law(_LOOK, "rest")
def disputed_tickets(seen: Snapshot) -> Found:
    """An order is disputed or charged back if its payment is."""
    for made in _captures(seen):
        expected = _contested(made)
        if made.bought and expected and made.state != expected:
            yield made.order_id, f"{made.state}, the dispute is {sorted(made.disputes)}"


@law(_LOOK, "rest")
def dispute_unfounded(seen: Snapshot) -> Found:
    """No order is disputed or charged back if its payment is not."""
    for made in _captures(seen):
        if made.bought and not _contested(made) and made.state in BANKED:
            yield made.order_id, f"{made.state}, the disputes are {sorted(made.disputes)}"


@law(_RECONCILE, "rest")
def dispute_state(seen: Snapshot) -> Found:
    """Our record of a dispute has the provider's state."""
    known = {item["disputeId"]: item["state"] for item in seen.of("dispute")}
    for dispute in seen.provider("dispute"):
        name, state = dispute["id"], dispute["state"]
        if known.get(name) != state:
            yield name, f"the provider's is {state}, ours {known.get(name)}"


@law(_RECONCILE, "rest")
def refund_state(seen: Snapshot) -> Found:
    """Our record of a refund has the provider's state."""
    for made in _captures(seen):
        parts = {0, *(one.get("part", 0) for one in (*made.owed, *made.refunds))}
        for part in sorted(parts):
            owed = next((one for one in made.owed if one.get("part", 0) == part), None)
            ours = next((o for o in made.refunds if o.get("ours") and o.get("part", 0) == part), {})
            name = (owed or {}).get("refundId") or ours.get("refund")
            # Our refund came back, and one made outside Fairgate has replaced it.
            refund = next((one for one in made.refunds if one["refund"] == name), None)
            said = None if owed is None else owed.get("state", "owed")
            if refund is not None and said != refund["state"]:
                yield made.payment, f"the provider's is {refund['state']}, ours {said}"


@law("Wait until the refund has arrived, and look for the alarm `RefundOverdue`.", "rest")
def refund_never_made(seen: Snapshot) -> Found:
    """At rest no refund is to be sent or on its way."""
    for owed in seen.of("owed refund"):
        if owed.get("state", "owed") in ("owed", "pending"):
            yield owed["paymentId"], f"still {owed.get('state', 'owed')}"


@law(_LOOK, "rest")
def refunded_order(seen: Snapshot) -> Found:
    """The money of a refunded order is no longer at the provider."""
    for made in _captures(seen):
        in_parts = len(made.owed) > 1 and made.tasks
        if made.is_orders and made.state == "refunded" and not made.whole and not in_parts:
            yield made.order_id, "the money is still at the provider"


@law(_RECONCILE, "rest")
def refund_unnoticed(seen: Snapshot) -> Found:
    """If all of the money is refunded, the order and its refund say so."""
    for made in _captures(seen):
        states = [one.get("state") for one in made.owed]
        waits = made.is_orders and made.state in WAITING
        if made.whole and (waits or any(state in IN_VAIN for state in states)):
            what = f"{made.state}, the refund is {states}, but all of it is refunded"
            yield made.order_id, what


@law(_CHECK_BOOKS, "rest")
def ledger_captured(seen: Snapshot) -> Found:
    """A capture is entered in the ledger with the provider's amount.

    It has no entry if it was refunded whole before we knew it, or if it bought nothing and was
    refunded in part, which a person settles.
    """
    said = moved(seen.of("ledger entry"))
    for made in _captures(seen):
        entered, back = said[made.payment, "capture"], made.back_minor
        known = (back and made.tasks) or back == made.amount_minor
        if made.order and entered != made.amount_minor and (entered or not known):
            yield made.payment, f"{entered} entered, {made.amount_minor} taken"


@law(_CHECK_BOOKS, "rest")
def ledger_refunded(seen: Snapshot) -> Found:
    """Every refund of an entered capture is entered, or has a manual task.

    A refund made outside Fairgate beyond what we owed has no entry: `books check` names it.
    """
    said = moved(seen.of("ledger entry"))
    for made in _captures(seen):
        ours, back = -said[made.payment, "refund"], made.back_minor
        by_others = any(not one.get("ours") for one in made.refunds)
        right = ours <= back if by_others else ours == back
        if made.order and said[made.payment, "capture"] and not right and not made.tasks:
            what = f"{ours} entered as refunded, {back} is refunded, without a manual task"
            yield made.payment, what


@law(_CHECK_BOOKS, "rest")
def ledger_disputed(seen: Snapshot) -> Found:
    """Every disputed amount is entered in the ledger."""
    said, taken = moved(seen.of("ledger entry")), Counter[str]()
    for dispute in seen.provider("dispute"):
        taken[dispute["payment"]] += dispute["amount_minor"] * (dispute["state"] in TAKEN)
    for made in _captures(seen):
        entered = -said[made.payment, "dispute"]
        if made.order and entered != taken[made.payment]:
            yield made.payment, f"{entered} entered as disputed, {taken[made.payment]} is"


def _captures(seen: Snapshot) -> Iterator[Taken]:
    orders = {order["orderId"]: order for order in seen.orders}
    owed = grouped(seen.of("owed refund"), "paymentId")
    refunds = grouped(seen.provider("refund"), "payment")
    disputes = grouped(seen.provider("dispute"), "payment")
    tasks = _open_tasks(seen)
    for made in seen.provider("capture"):
        payment, order = made["payment"], made["order"]
        yield Taken(
            payment,
            order,
            made["amount_minor"],
            orders.get(order),
            [one for one in owed.get(payment, ()) if one["orderId"] == order],
            refunds.get(payment, ()),
            frozenset(one["state"] for one in disputes.get(payment, ())),
            tasks.get(payment, frozenset()),
        )


def _open_tasks(seen: Snapshot) -> dict[str, frozenset[str]]:
    """Return the kinds of the open manual tasks by payment."""
    opened = (one for one in seen.of("manual task") if not one.get("doneAt"))
    return {
        payment: frozenset(one["kind"] for one in tasks)
        for payment, tasks in grouped(opened, "paymentId").items()
    }


def _contested(made: Taken) -> str:
    """Return the state that the order of a disputed payment must have; "": not disputed."""
    states = {"lost": "charged_back", "open": "disputed"}
    return next((states[one] for one in states if one in made.disputes), "")
