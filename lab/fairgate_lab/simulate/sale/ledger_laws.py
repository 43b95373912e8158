"""The ledger of a sale adds up to the provider's books, or somebody is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.run.laws.ledger_laws import TAKEN, moved
from fairgate_ops.run.laws.violation import Found, Violation

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from fairgate_lab.simulate.sale.books import Books


def provider_agrees(
    books: Books,
    orders: Collection[str],
    entries: Sequence[Mapping[str, Any]],
    duties: Mapping[str, Collection[str]],
) -> Found:
    """Each capture of an order that we know: taken, refunded and disputed as the books say.

    What another hand gave back beyond what we owed has no entry: `books check` names it. A capture
    that went back whole before we heard of it has none at all, nor one that bought nothing and went
    back in part, which is for a person to settle.
    """
    said = moved(entries)
    for made in books.taken.values():
        if made.order not in orders:
            continue
        back = books.back(made.payment)
        known = said[made.payment, "capture"]
        told = back and duties.get(made.payment)
        if known != made.amount_minor and (known or not (told or back == made.amount_minor)):
            what = f"{known} entered, {made.amount_minor} taken"
            yield Violation("ledger-captured", made.payment, what)
        ours = -said[made.payment, "refund"]
        by_others = any(
            one.payment == made.payment and one.id not in books.ours.values()
            for one in books.refunds.values()
        )
        right = ours <= back if by_others else ours == back
        if known and not right and not duties.get(made.payment):
            what = f"{ours} entered as refunded, {back} went back, and nobody is told"
            yield Violation("ledger-refunded", made.payment, what)
        disputes = books.disputed.values()
        taken = sum(
            one.amount_minor
            for one in disputes
            if one.payment == made.payment and one.state in TAKEN
        )
        if -said[made.payment, "dispute"] != taken:
            what = f"{-said[made.payment, 'dispute']} entered as disputed, {taken} is"
            yield Violation("ledger-disputed", made.payment, what)
