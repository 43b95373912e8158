"""Every guard of a sale refuses by itself, and lets through what it guards against when it is gone.

Many guards stand behind another one, so a simulated sale survives the loss of one of them. Here the
others hold: between an act's reading and its writing one thing changes, which this guard alone can
notice. lab/tests/simulation/test_sale_controls.py shows what becomes of whole sales without them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from fairgate.errors import FairgateError
from fairgate.service.checkout.settle_held import card_tag
from fairgate.service.shared.keys import (
    admission_threshold_key,
    capacity_limit_key,
    capacity_shard_key,
    document_counter_key,
    reconciled_key,
    shared_count_key,
    swept_key,
)
from fairgate_lab.simulate.sale import guards
from simulation.counter_stories import COUNTING
from simulation.desk_stories import LOCKING_OUT
from simulation.erase_stories import ERASING
from simulation.guard_acts import (
    CARD,
    Act,
    bills,
    cancels,
    checks_out,
    counts_a_card,
    ends,
    follows_a_refund,
    gives_a_place_back,
    hears_of_a_dispute,
    hears_that_a_dispute_is_won,
    holds,
    looks_at_the_threshold,
    notices_a_task,
    opens,
    reconciles,
    refunds,
    releases,
    releases_what_was_taken_over,
    settles,
    settles_beside,
    settles_too_late,
    sweeps,
    ticks_off_a_task,
    waits_for_a_turn,
)
from simulation.guard_stories import (
    FUTURE,
    PAST,
    Change,
    Meanwhile,
    Story,
    exists_already,
    refund_is_gone,
    set_area,
    set_dispute,
    set_mark,
    set_order,
    set_refund,
    set_seat,
    set_session,
    set_status,
    set_task,
    task_is_gone,
)
from simulation.house_stories import KEEPING
from simulation.passing_stories import takes_over
from simulation.refund_stories import is_refused_for_now
from tests.support.world import EVENT, World

ROOT = Path(__file__).parents[3]
# Modules whose conditions are not about a sale's seats, sessions, orders or money, and where they
# are tried.
ELSEWHERE = {
    "act_answers": "operate/test_act_once.py",
    "api_tokens": "operate/test_api_tokens.py",
    "change_address": "orders/test_change_address.py",
    "history": "watch/test_history.py",
    "import_movements": "books/test_import_movements.py",
    "creation_run": "catalog/test_two_creations.py",
    "count_crowd": "gate/test_count_crowd.py",
    "delete_event": "operate/test_cli_draft.py",
    "desk": "gate/test_desk_function.py",
    "due": "expiry/test_sweep_expired.py",  # entries are written over on purpose
    "event_update": "gate/test_control_gate.py",
    "block_seats": "house/test_house_seats.py",
    "gate_values": "gate/test_gate_values.py",
    "jobs": "operate/test_job_record.py",
    "mail_link": "tickets/test_mail_link.py",
    "operator_log": "gate/test_operator_log.py",
    "payment_turns": "checkout/test_payment_turns.py",
    "pending_acts": "operate/test_second_person.py",
    "provider_circuit": "shared/test_provider_circuit.py",
    "role_grants": "operate/test_event_roles.py",
    "table_buckets": "shared/test_rate_limits.py",
}

Case = tuple[Act, Change] | tuple[Act, Change, int]
ORDER_VERSION = "order_update.ORDER_AS_READ: attribute_not_exists(#version) OR #version = :version"
WRITTEN = set_order(version=99)  # as every writer of an order leaves it
LOCKED_BY_OTHER = {"availability": "locked", "sessionId": "ses_x", "expiresAt": FUTURE}

CASES: Mapping[str, Case] = {
    "await_turn.SEAT_STILL_HELD: #availability = :locked": (
        waits_for_a_turn,
        set_seat(availability="reserved"),
    ),
    "await_turn.SEAT_STILL_HELD: #sessionId = :session": (
        waits_for_a_turn,
        set_seat(sessionId="ses_x"),
    ),
    "await_turn.SEAT_STILL_HELD: #expiresAt > :now": (waits_for_a_turn, set_seat(expiresAt=PAST)),
    "await_turn.SESSION_IN_CHECKOUT: #state = :checkout": (
        waits_for_a_turn,
        set_session(state="expired"),
    ),
    "await_turn.SESSION_IN_CHECKOUT: #userId = :user": (
        waits_for_a_turn,
        set_session(userId="bob"),
    ),
    "await_turn.USER_IS_IN_SESSION: #liveSession = :session": (
        waits_for_a_turn,
        set_status(liveSession="ses_x"),
    ),
    "begin_checkout.RESERVATION_IS_LIVE: #state = :live": (
        checks_out,
        set_area(state="released"),
    ),
    "begin_checkout.SEAT_STILL_HELD: #availability = :locked": (
        checks_out,
        set_seat(availability="blocked"),
    ),
    "begin_checkout.SEAT_STILL_HELD: #sessionId = :session": (
        checks_out,
        set_seat(sessionId="ses_x"),
    ),
    "begin_checkout.SEAT_STILL_HELD: #expiresAt > :now": (checks_out, set_seat(expiresAt=PAST)),
    "begin_checkout.SESSION_MAY_CHECK_OUT: #userId = :user": (
        checks_out,
        set_session(userId="bob"),
    ),
    "begin_checkout.SESSION_MAY_CHECK_OUT: #state = :reservation": (
        checks_out,
        set_session(state="expired"),
    ),
    "begin_checkout.SESSION_MAY_CHECK_OUT: #expiresAt > :now": (
        checks_out,
        set_session(expiresAt=PAST),
    ),
    "begin_checkout.SESSION_MAY_CHECK_OUT: #resCount = :count": (
        checks_out,
        set_session(resCount=3),
    ),
    "begin_checkout.USER_MAY_BUY: #liveSession = :session": (
        checks_out,
        set_status(liveSession="ses_x"),
    ),
    "begin_checkout.USER_MAY_BUY: attribute_not_exists(#placesTaken) OR #placesTaken <= :room": (
        checks_out,
        set_status(placesTaken=9),
    ),
    **ERASING,
    "accept_ticket.USER_MAY_ACCEPT: attribute_not_exists(#placesTaken) OR #placesTaken <= :room": (
        takes_over,
        set_status("bob", placesTaken=99),
    ),
    "return_seats.RESERVATION_IS_SOLD: #state = :sold": (cancels, set_area(state="released")),
    "return_seats.RESERVATION_SOLD_AS_READ: #state = :sold": (
        gives_a_place_back,
        set_area(state="released"),
    ),
    "return_seats.RESERVATION_SOLD_AS_READ: #quantity = :quantity": (
        gives_a_place_back,
        set_area(quantity=1),
    ),
    "return_seats.SEAT_IS_SOLD_TO_US: #availability = :reserved": (
        cancels,
        set_seat(availability="available"),
    ),
    "return_seats.SEAT_IS_SOLD_TO_US: #sessionId = :session": (
        cancels,
        set_seat(sessionId="ses_x"),
    ),
    "disputes.DISPUTE_AS_READ: #state = :state": (
        hears_that_a_dispute_is_won,
        set_dispute(state="lost"),
    ),
    "manual_tasks.TASK_IS_OPEN: attribute_exists(#PK)": (ticks_off_a_task, task_is_gone),
    "manual_tasks.TASK_IS_OPEN: attribute_not_exists(#doneAt)": (
        ticks_off_a_task,
        set_task(doneAt=PAST),
    ),
    "capacity_reached.THRESHOLD_AS_READ: attribute_not_exists(#atMs) OR #atMs = :read": (
        looks_at_the_threshold,
        set_mark(admission_threshold_key(EVENT), atMs=1),
        3,  # after the hall's places have been dealt
    ),
    "capacity_slot.SHARD_HAS_SLOT: #left > :none": (
        looks_at_the_threshold,
        set_mark(capacity_shard_key(EVENT, 0), left=0),
        4,
    ),
    "capacity_shards.CAPACITY_LIMIT_AS_READ: #version = :version": (
        looks_at_the_threshold,
        set_mark(capacity_limit_key(EVENT), version=9),
        2,
    ),
    **COUNTING,
    **KEEPING,
    **LOCKING_OUT,
    "hold_seats.SEAT_IS_FREE: #availability = :available OR (#availability = :locked AND"
    " #expiresAt <= :now)": (holds, set_seat(1, **LOCKED_BY_OTHER)),
    "hold_seats.SEAT_IS_FREE: #availability = :locked": (
        holds,
        set_seat(1, availability="reserved", expiresAt=""),
    ),
    "hold_seats.SEAT_IS_FREE: #expiresAt <= :now": (holds, set_seat(1, **LOCKED_BY_OTHER)),
    "hold_seats.SESSION_MAY_HOLD: #userId = :user": (holds, set_session(userId="bob")),
    "hold_seats.SESSION_MAY_HOLD: #eventId = :event": (holds, set_session(eventId="other")),
    "hold_seats.SESSION_MAY_HOLD: #state = :reservation": (holds, set_session(state="checkout")),
    "hold_seats.SESSION_MAY_HOLD: #expiresAt > :now": (holds, set_session(expiresAt=PAST)),
    "hold_seats.SESSION_MAY_HOLD: #resCount <= :room": (holds, set_session(resCount=9)),
    "idempotency.KEY_NOT_SEEN: attribute_not_exists(#PK) OR #until <= :now": (
        holds,
        exists_already("I#", until=FUTURE, payload="other", answer={}),
    ),
    "open_session.USER_MAY_OPEN: attribute_not_exists(#liveSession) OR #liveSession = :none OR"
    " #liveUntil <= :now": (opens, set_status("bob", liveSession="ses_x", liveUntil=FUTURE)),
    "open_session.USER_MAY_OPEN: attribute_not_exists(#sessionsUsed) OR"
    " #sessionsUsed < :sessions": (
        opens,
        set_status("bob", sessionsUsed=9),
    ),
    "open_session.USER_MAY_OPEN: attribute_not_exists(#lockedUntil) OR #lockedUntil <= :now": (
        opens,
        set_status("bob", lockedUntil=FUTURE),
    ),
    "open_session.AND_NOT_FLAGGED: attribute_not_exists(#flaggedUntil) OR #flaggedUntil <= :now": (
        opens,
        set_status("bob", flaggedUntil=FUTURE),
    ),
    "reconcile_payments.RECONCILED_NOT_FURTHER: attribute_not_exists(#until) OR #until < :until": (
        reconciles,
        set_mark(reconciled_key(), until=FUTURE),
    ),
    "refund_attempts.REFUND_ATTEMPT_AS_READ: attribute_exists(#PK)": (
        is_refused_for_now,
        refund_is_gone,
    ),
    "refund_attempts.REFUND_ATTEMPT_AS_READ: attribute_not_exists(#attempt)"
    " OR #attempt = :attempt": (is_refused_for_now, set_refund(attempt=2)),
    "refunds.REFUND_AS_READ: attribute_exists(#PK)": (refunds, refund_is_gone),
    "refunds.REFUND_AS_READ: attribute_not_exists(#state) OR #state = :state": (
        follows_a_refund,
        set_refund(state="failed"),
    ),
    "release_seats.SEAT_IS_OURS: #availability = :locked": (
        releases,
        set_seat(availability="reserved"),
    ),
    "release_seats.SEAT_IS_OURS: #sessionId = :session": (releases, set_seat(sessionId="ses_x")),
    "release_seats.SEAT_IS_WHOSE_WAS_READ: #sessionId = :session": (
        releases_what_was_taken_over,
        set_seat(sessionId="ses_y"),
    ),
    "release_seats.SESSION_AS_READ: #userId = :user": (releases, set_session(userId="bob")),
    "release_seats.SESSION_AS_READ: #state = :state": (releases, set_session(state="finalised")),
    "release_seats.SESSION_AS_READ: #resCount = :count": (releases, set_session(resCount=3)),
    "release_seats.USER_IS_IN_SESSION: #liveSession = :session": (
        ends,
        set_status(liveSession="ses_x"),
    ),
    "release_seats.RESERVATION_IS_LIVE: #state = :live": (
        releases,
        set_area(state="released"),
    ),
    "settle_payment.RESERVATION_IS_LIVE: #state = :live": (
        settles,
        set_area(state="released"),
    ),
    "settle_payment.SEAT_IS_OURS: #availability = :locked": (
        settles,
        set_seat(availability="available"),
    ),
    "settle_payment.SEAT_IS_OURS: #sessionId = :session": (
        settles,
        set_seat(sessionId="ses_x"),
    ),
    "settle_payment.SESSION_IN_CHECKOUT: #state = :checkout": (
        settles,
        set_session(state="cancelled"),
    ),
    "settle_payment.SESSION_IN_CHECKOUT: #userId = :user": (settles, set_session(userId="bob")),
    "settle_payment.USER_IN_SESSION_WITHIN_LIMIT: #liveSession = :session": (
        settles,
        set_status(liveSession="ses_x"),
    ),
    "settle_payment.USER_IN_SESSION_WITHIN_LIMIT: #placesTaken <= :limit": (
        settles,
        set_status(placesTaken=99),
    ),
    "settle_payment.USER_WITHIN_LIMIT: #placesTaken <= :limit": (
        settles_beside,
        set_status(placesTaken=99),
    ),
    "sweep_cursors.SWEPT_NOT_FURTHER: attribute_not_exists(#minute) OR #minute < :minute": (
        sweeps,
        set_mark(swept_key(EVENT), minute="2099-01-01T00:00"),
    ),
    "open_session: a redeemed token is written once": (opens, exists_already("T#", sessionId="x")),
    "open_session: a session is written once": (opens, exists_already("S#", state="expired")),
    "capacity_shards: a cap's record is written once": (
        looks_at_the_threshold,
        exists_already("CAP", cap=1, version=7),
    ),
    "hold_seats: a reservation is written once": (holds, exists_already("R#", kind="seat")),
    "begin_checkout: an order is written once": (checks_out, exists_already("O#", state="paid")),
    "settle_payment: a payment event is written once": (
        settles,
        exists_already("P#", outcome="noted"),
    ),
    "owe_refund: an owed refund is written once": (
        settles_too_late,
        exists_already("F#", sentAt=PAST),
    ),
    "disputes: a dispute is written once": (
        hears_of_a_dispute,
        exists_already("D#", state="won"),
    ),
    "ledger: an entry is written once": (settles, exists_already("M#", amountMinor=1)),
    "number_documents.NUMBERS_AS_READ: attribute_not_exists(#given) OR #given = :given": (
        bills,
        set_mark(document_counter_key(EVENT), given=5),
    ),
    "number_documents: a document is written once": (bills, exists_already("N#", number=9)),
    "manual_tasks: a task is written once": (notices_a_task, exists_already("dty_", doneAt=PAST)),
    "order_update.ORDER_AS_READ: #userId = :user": (cancels, set_order(userId="bob")),
    ORDER_VERSION: (cancels, WRITTEN),
    "shared_count.SHARED_COUNT_ALLOWS: attribute_not_exists(#places) OR #places <= :room": (
        counts_a_card,
        set_mark(shared_count_key(EVENT, card_tag(EVENT, CARD)), places=2),
    ),
}


def fate(world: World, case: Case) -> str:
    return story_of(world, case)[1]


def story_of(world: World, case: Case) -> tuple[Story, str]:
    act, change, nth = case if len(case) == 3 else (*case, 1)
    story = Story(world)
    table = Meanwhile(story, change, nth)
    with contextlib.suppress(FairgateError, KeyError):  # how it is told is tested elsewhere
        act(story, table)
    return story, table.fate


GUARDS = {guard.name: guard for guard in guards.table_guards()}


@pytest.mark.parametrize("name", CASES)
def test_the_guard_refuses_by_itself_and_nothing_else_does(world: World, name: str) -> None:
    if name not in GUARDS:
        pytest.fail("there is no such guard any more")
    assert fate(world, CASES[name]) == "refused"


@pytest.mark.parametrize("name", CASES)
def test_the_write_goes_through_when_the_guard_is_gone(world: World, name: str) -> None:
    with GUARDS[name].without():
        assert fate(world, CASES[name]) == "committed"


def test_every_guard_has_its_case() -> None:
    assert set(GUARDS) == set(CASES)


def test_every_module_with_conditions_is_in_a_list() -> None:
    with_conditions = set()
    for path in guards.SERVICES.rglob("*.py"):
        found = guards.conditions_in(path)
        assert not found["literals"], f"{path.name}: name its conditions: {found['literals']}"
        if found["constants"] or "Put.of(" in path.read_text("utf-8"):
            with_conditions.add(path.stem)
    assert with_conditions - {*map(guards.stem, guards.MODULES), *ELSEWHERE} == set()
    assert all((ROOT / "tests" / "unit" / test).is_file() for test in ELSEWHERE.values())
