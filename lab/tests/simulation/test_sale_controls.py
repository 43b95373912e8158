"""Whole sales without one of their guards: within some seeds a checker fails.

Where a sale survives the loss, another condition of the same write, or of a step before it, refuses
as well. Those guards are taken away in test_sale_guards.py, each in the one schedule in which
nothing stands behind it. ``make controls`` searches for all of them anew.
"""

from __future__ import annotations

import warnings

import pytest

from fairgate_lab.simulate.sale.controls import BOUND, control
from fairgate_lab.simulate.sale.guards import all_guards
from fairgate_lab.simulate.sale.run import run_seed
from fairgate_ops.run.local.valkey_server import valkey_server_binary
from simulation.test_error_controls import ends_with
from simulation.test_sale_guards import CASES, ORDER_VERSION

# The guard, and the seed to begin with: it noticed when this was written. Any other will do.
NOTICED = {
    "begin_checkout.SESSION_MAY_CHECK_OUT: #state = :reservation": 49,
    "begin_checkout: an order is listed among its event's": 2,
    "capacity_slot.SHARD_HAS_SLOT: #left > :none": 30,
    "release_seats: who ends gives the place back": 0,
    "settle_payment: who has paid gives the place back": 9,
    "settle_payment: found by its address": 2,
    "hold_seats.AREA_HAS_CAPACITY: #remaining >= :quantity": 8,
    "hold_seats.SEAT_IS_FREE: #availability = :available OR"
    " (#availability = :locked AND #expiresAt <= :now)": 1,
    "hold_seats.SEAT_IS_FREE: #availability = :locked": 25,
    "hold_seats.SEAT_IS_FREE: #expiresAt <= :now": 1,
    "hold_seats.SESSION_MAY_HOLD: #userId = :user": 9,
    "hold_seats.SESSION_MAY_HOLD: #eventId = :event": 0,
    "hold_seats.SESSION_MAY_HOLD: #state = :reservation": 1,
    "hold_seats.SESSION_MAY_HOLD: #resCount <= :room": 2,
    "house_writes.SEAT_IS_AVAILABLE: #availability = :available": 89,
    "house_writes.BLOCK_AS_READ: #version = :version": 76,
    "free_seats: a block names what it keeps": 11,
    "block_seats: a counter knows its blocked places": 11,
    "sweep_blocks: a block is freed at its time": 24,
    "idempotency.KEY_NOT_SEEN: attribute_not_exists(#PK) OR #until <= :now": 2,
    "order_update.ORDER_AS_READ: #userId = :user": 59,
    ORDER_VERSION: 16,
    "open_session.USER_MAY_OPEN: attribute_not_exists(#liveSession) OR"
    " #liveSession = :none OR #liveUntil <= :now": 8,
    "open_session.USER_MAY_OPEN: attribute_not_exists(#sessionsUsed) OR"
    " #sessionsUsed < :sessions": 9,
    "reconcile_payments.RECONCILED_NOT_FURTHER: attribute_not_exists(#until) OR #until < :until": 6,
    "release_seats.SESSION_AS_READ: #state = :state": 88,
    "sweep_cursors.SWEPT_NOT_FURTHER: attribute_not_exists(#minute) OR #minute < :minute": 19,
    "open_session: a redeemed token is written once": 106,
    "session_view: a session is shown to its user only": 1,
    "session_view: a session is read whole": 202,
    "session_access: a credential counts for its user only": 0,
    "create_event: an event is seen with all of its rows": 5,
    "creation_run: who is overtaken writes no more rows": 13,
    "settle_payment: the amount is what was asked for": 5,
    "idempotency: a key stands for one request": 53,
    "begin_checkout: an order asks for what its session began with": 127,
    "cancel_order: the order's terms": 57,
    "cancel_order: of a cancelled event all goes back": 65,
    "return_place: the order's terms": 1068,
    "cancel_order: what was passed on is kept": 124,
    "accept_ticket: an offer is good for its time": 436,
    "cancel_terms: no more than is left goes back": 40,
    "orders: a void ticket admits nobody": 62,
    "void_tickets: a ticket is made void once": 62,
    "erase_buyer: nobody is erased while something is owed": 31,
    "end_checkout: what a closed page took is settled": 1,
    "manual_tasks: what only a person can do is written down": 17,
    "disputes: a disputed order's tickets are void": 16,
    "ledger: a refund is entered as it goes": 2,
    "ledger: a dispute is entered as heard of": 16,
    "number_documents: what was sold has its invoice": 2,
    "number_documents: what went back has its note": 10,
    "refunds: a refund is followed until it is final": 161,
    "refunds: a refund that comes back is heard of": 41,
    "cache: a seat's newer version wins": 52,
    "cache: a counter's newer version wins": 69,
}
# Whole sales need it once in thousands: a table, of which the buyer gives a passed-on place back.
ALONE = {
    "return_place: what was passed on is kept": (
        "tests/unit/tickets/test_passing_on.py::test_the_buyer_cannot_cancel_what_somebody_else_has"
    ),
}
SEEDS_UNSAID = 10
GUARDS = {guard.name: guard for guard in all_guards()}


@pytest.mark.filterwarnings("default::UserWarning")
@pytest.mark.parametrize("name", NOTICED)
def test_a_sale_without_its_guard_is_caught(name: str) -> None:
    guard = GUARDS[name]
    if guard.cache and valkey_server_binary() is None:
        pytest.skip("needs a Valkey server: make setup")
    noticed = control(guard, BOUND, first=[NOTICED[name]])
    assert noticed.found is not None, str(noticed)
    if (
        noticed.seeds > SEEDS_UNSAID
    ):  # schedules have changed: nothing else tells of the time it takes
        seed = noticed.found.seed
        warnings.warn(f"{noticed.seeds} seeds: NOTICED[{name!r}] is {seed} now", stacklevel=1)


@pytest.mark.parametrize("name", ALONE)
def test_a_guard_that_sales_seldom_need_has_a_test_that_misses_it(name: str) -> None:
    assert ends_with(ALONE[name]) == pytest.ExitCode.OK
    with GUARDS[name].without():
        assert ends_with(ALONE[name]) == pytest.ExitCode.TESTS_FAILED


def test_no_guard_is_without_a_control() -> None:
    """Each is noticed by a whole sale, or refuses alone in a schedule of its own."""
    assert set(GUARDS) == set(NOTICED) | set(CASES) | set(ALONE)


def test_a_whole_sale_is_sound_with_all_its_guards() -> None:
    """Otherwise a control would find what was there anyway."""
    for seed in sorted(set(NOTICED.values())):
        result = run_seed(seed)
        assert not result.failures, result.report()
