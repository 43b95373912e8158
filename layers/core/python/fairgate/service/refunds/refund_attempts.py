"""Number the attempts at a refund, so that two senders never send the money twice.

For one number the provider makes at most one refund: every sender uses the same idempotency key and
gets the same answer. The refund's record keeps the number. Only one thing raises it: the provider's
answer that it makes no refund for this number now. The provider keeps that answer.

Why two numbers are never both paid. When n is raised, the provider has answered that it makes no
refund for n, and every later request for n gets that answer. A sender asks for n + 1 only after it
has read n + 1, so after that answer. So at most the last number was paid, once. A later sender
finds that refund in the provider's list and asks for none.

    no answer, or it is lost              the number stays; the same request finds or makes it once
    rate limit; another call under way    it stays: the provider does not keep these answers
    other terms than in the first call    it stays: this says nothing about the first call
    a crash after the refusal             nothing is noted; the next sender gets the same refusal
    two are refused at once               both note n + 1, and the second write is refused
    one is refused, another under way     the other gets the refusal too
    a 500 that the provider repeats       afterwards the refund is looked for in the provider's list

It depends on two things. Asking and noting take minutes, and the provider keeps an answer for a
day: a sender that waits longer with n could cause a second refund. And Stripe's staff may complete
a request that ended with a 500: if its refund appears after the list showed none, the comparison of
the books finds it and makes a task.
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
    """Ask the provider for a refund by the number in its record; raise the number if it refuses.

    Cost: one call to the provider; one UpdateItem where it refuses for now.

    Raises:
        DependencyUnavailableError: it is still owed; RefusedForNowError: it gets another number.
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
    """Note that the provider refuses this number, unless another sender has."""
    note = Update(
        "reservations",
        *owed.key,
        condition=REFUND_ATTEMPT_AS_READ,
        values={"attempt": owed.attempt},
        set={"attempt": owed.attempt + 1},
    )
    with suppress(TransactionRefusedError):
        table.update(note)
