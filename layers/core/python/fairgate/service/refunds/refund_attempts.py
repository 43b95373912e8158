"""Number the attempts at a refund, so that two senders never send the money twice.

By one number the provider makes one refund at most: whoever sends, and however late, asks under
the same key and hears the same answer. The number stands in the refund's record, and one thing
alone raises it: the provider's answer that it makes no refund by it for now, which it keeps.

Why no two numbers are both paid. Let n be raised: somebody has heard that no refund is made by n,
and so does everybody who asks by n from then on, delayed by minutes or not. By n + 1 asks only who
has read it, hence after that answer, and so on: what was made was made by the last number, once.
Whoever comes later finds it among the provider's refunds, and asks for none.

    the answer is lost, or none came      the number stays: by it the refund is found, or made once
    too often; another call is under way  it stays: of these the provider keeps no answer
    other terms than by this number first it stays: of the first call that says nothing
    whoever was refused ends first        nothing is noted: the next one hears the same, and notes
    two are refused at once               both note n + 1, and the second write is refused
    one is refused, another under way     the other hears the refusal too
    a 500 that the provider repeats       the refund, had it been made, is looked for after that

Two things it rests on. Asking takes minutes, and so does noting, as the sweeper asks again; the
provider keeps an answer for a day. Who slept on n for that long could have it made anew. And what
Stripe left half done at a 500, it says, people there may set right: a refund that comes of that
after its list showed none is found by the comparison of the books, which tells a person.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fairgate.errors import RefusedForNowError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import REFUND_ATTEMPT_AS_READ

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments, Refund
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import OwedRefund


def ask_for_refund(table: Table, payments: Payments, owed: OwedRefund) -> Refund:
    """Ask the provider for a refund by the number of its record, and raise that where it refuses.

    Cost: one call to the provider; one UpdateItem where it refuses for now.

    Raises:
        DependencyUnavailableError: it is still owed; RefusedForNowError: by another number.
        PaymentRefusedError: it is refused for good.
    """
    try:
        return payments.refund(
            payment=owed.payment_id,
            order=owed.order_id,
            amount_minor=owed.amount_minor,
            part=owed.part,
            attempt=owed.attempt,
        )
    except RefusedForNowError:
        _raise_number(table, owed)
        raise


def _raise_number(table: Table, owed: OwedRefund) -> None:
    """Note that the provider refuses this number; another sender may have noted it before."""
    note = Update(
        "reservations",
        *owed.key,
        condition=REFUND_ATTEMPT_AS_READ,
        values={"attempt": owed.attempt},
        set={"attempt": owed.attempt + 1},
    )
    with suppress(TransactionRefusedError):
        table.update(note)
