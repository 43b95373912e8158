"""Names of the figures on which somebody is woken up: who emits and who watches both read here."""

from __future__ import annotations

DOUBLE_BOOKINGS = "DoubleBookings"  # a unit found in two live holds or two paid orders
HOLD_ATTEMPTS = "HoldAttempts"
HOLD_FAILURES = "HoldFailures"  # of those, refused by our doing: not a seat that was taken
REFUNDS_OVERDUE = "RefundsOverdue"  # owed for more than five minutes, and still not to be sent
SESSIONS_SWEPT = "SessionsSwept"  # ended by the backstop: their messages were lost or late
PAYMENTS_REPAIRED = "PaymentsRepaired"  # differences with the provider's books, put right
PAYMENTS_RAISED = "PaymentsRaised"  # those that a person must look at

# The function that emits each: Powertools adds its name as the dimension ``service``.
EMITTED_BY = {
    DOUBLE_BOOKINGS: "orders",
    HOLD_ATTEMPTS: "holds",
    HOLD_FAILURES: "holds",
    REFUNDS_OVERDUE: "sweeper",
    SESSIONS_SWEPT: "sweeper",
    PAYMENTS_REPAIRED: "reconcile",
    PAYMENTS_RAISED: "reconcile",
}
