"""Each clause of these conditions is needed: without it, the named test fails."""

from __future__ import annotations

from functools import wraps
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from fairgate.errors import FairgateError
from fairgate.service.checkout import begin_checkout, settle_payment
from fairgate.service.expiry import sweep_cursors
from fairgate.service.holds import hold_seats, release_seats
from fairgate.service.house import house_writes
from fairgate.service.operators import act_answers, api_tokens, jobs, pending_acts, role_grants
from fairgate.service.orders import erase_buyer
from fairgate.service.refunds import refund_attempts, refunds, return_seats
from fairgate.service.sessions import open_session
from fairgate.service.sessions.known_caller import KnownCaller
from fairgate.service.shared import idempotency, order_update, shared_count
from tests.support.world import World
from tests.unit.checkout import test_checkout_and_settle as money
from tests.unit.checkout import test_open_payment as paying
from tests.unit.checkout import test_settle_held as charging
from tests.unit.expiry import test_sweep_expired as sweeping
from tests.unit.holds import test_hold_seats as holding
from tests.unit.holds import test_interleavings as racing
from tests.unit.house import test_house_seats as blocking
from tests.unit.operate import test_act_once as acting
from tests.unit.operate import test_api_tokens as tokening
from tests.unit.operate import test_event_roles as granting
from tests.unit.operate import test_job_record as jobbing
from tests.unit.operate import test_second_person as seconding
from tests.unit.orders import test_address_limit as sharing
from tests.unit.orders import test_erase_buyer as erasing
from tests.unit.refunds import test_refund_attempts as numbering
from tests.unit.refunds import test_refunds as refunding
from tests.unit.sessions import test_open_session as opening
from tests.unit.shared import test_idempotency as repeating

Scenario = Any  # a function of a World


def in_checkout(world: World) -> None:
    holding.test_hold_is_refused_when_the_session_is_past_choosing(world, "checkout")


def sold_meanwhile(world: World) -> None:
    blocking.test_no_seat_is_freed_that_the_block_does_not_keep(world, {"availability": "reserved"})


def of_another_block(world: World) -> None:
    blocking.test_no_seat_is_freed_that_the_block_does_not_keep(world, {"sessionId": "blk_other"})


def unread(scenario: Scenario) -> Scenario:
    """Let an attempt read nothing beforehand, so that only the transaction refuses."""

    @wraps(scenario)
    def told(world: World) -> None:
        nothing = KnownCaller(is_read=False)
        with patch.object(open_session, "read_caller", lambda *_what: nothing):
            scenario(world)

    return told


NEEDED: dict[tuple[ModuleType, str], dict[str, list[Scenario]]] = {
    (act_answers, "KEY_NOT_SEEN"): {
        "#until <= :now": [acting.test_two_that_begin_at_the_same_moment_are_one]
    },
    (api_tokens, "API_ACCESS_IS_IN_FORCE"): {
        "attribute_exists(#PK)": [tokening.test_what_there_is_not_is_not_made_by_taking_it_back],
        "attribute_not_exists(#revokedAt)": [
            tokening.test_what_there_is_not_is_not_made_by_taking_it_back
        ],
    },
    (pending_acts, "PENDING_IS_OVER"): {
        "#until <= :now": [seconding.test_a_request_that_waits_is_not_renewed],
    },
    (pending_acts, "PENDING_MAY_BE_CONFIRMED"): {
        "attribute_not_exists(#confirmedBy)": [seconding.test_it_is_done_once],
        "#until > :now": [seconding.test_the_write_refuses_what_is_over],
        "#by <> :me": [seconding.test_the_write_refuses_the_one_who_asked],
        "#at = :at": [seconding.test_a_confirmation_is_of_the_request_that_was_read],
    },
    (role_grants, "GRANT_IS_IN_FORCE"): {
        "#revokedAt = :none": [granting.test_what_was_never_granted_is_not_made_by_taking_it_back],
    },
    (jobs, "JOB_IS_FREE"): {
        "#busyUntil < :now": [jobbing.test_of_two_runs_that_begin_at_the_same_moment_one_does_it],
        "attribute_not_exists(#endedAt)": [
            jobbing.test_a_job_that_ends_while_another_run_takes_it_stays_ended
        ],
    },
    (jobs, "JOB_IS_OURS"): {
        "#run = :run": [jobbing.test_a_run_that_comes_too_late_changes_nothing],
        "attribute_not_exists(#endedAt)": [jobbing.test_what_has_ended_stays_as_it_is],
    },
    (jobs, "JOB_SENT_AS_READ"): {
        "#sentAt = :before": [jobbing.test_two_looks_at_the_same_moment_send_a_forgotten_job_once]
    },
    (act_answers, "ACT_IS_OURS"): {"#run = :run": [acting.test_of_two_that_take_over_one_does_it]},
    (hold_seats, "SESSION_MAY_HOLD"): {
        "#userId = :user": [holding.test_hold_is_refused_when_the_session_is_somebody_elses],
        "#state = :reservation": [in_checkout],
        "#expiresAt > :now": [holding.test_hold_is_refused_when_the_session_has_expired],
        "#resCount <= :room": [holding.test_the_limit_holds_over_several_holds],
    },
    (hold_seats, "SEAT_IS_FREE"): {
        "#expiresAt <= :now": [holding.test_a_seat_stays_its_holders_until_the_last_millisecond]
    },
    (hold_seats, "AREA_HAS_CAPACITY"): {
        "#remaining >= :quantity": [holding.test_an_area_gives_places_until_it_is_full],
        "attribute_type(#version, :number)": [
            holding.test_a_counter_without_a_version_gives_no_place
        ],
    },
    (erase_buyer, "DOCUMENT_NAMES_BUYER"): {
        "#buyer = :buyer": [erasing.test_a_document_that_somebody_else_changes_is_left_alone]
    },
    (order_update, "ORDER_AS_READ"): {
        "#version = :version": [
            erasing.test_a_dispute_in_between_wins,
            erasing.test_a_refund_that_is_decided_in_between_wins,
            erasing.test_what_is_noted_beside_a_refunded_order_in_between_wins,
            erasing.test_a_late_payment_leaves_nothing_that_finds_an_erased_order,
            erasing.test_of_two_at_once_the_first_says_when,
            racing.test_a_payment_is_refunded_when_its_order_fails_meanwhile,
            paying.test_a_page_is_closed_at_once_when_its_order_was_paid_meanwhile,
            paying.test_two_requests_at_once_do_not_lose_each_others_page,
        ]
    },
    (begin_checkout, "SEAT_STILL_HELD"): {
        "#sessionId = :session": [money.test_checkout_names_the_seats_that_are_gone]
    },
    (begin_checkout, "USER_MAY_BUY"): {
        "#placesTaken <= :room": [money.test_a_user_never_buys_more_than_their_limit]
    },
    (shared_count, "SHARED_COUNT_ALLOWS"): {
        "#places <= :room": [
            sharing.test_two_at_once_do_not_pass_the_limit_together,
            sharing.test_another_address_takes_over_the_places_of_a_pending_order,
            charging.test_the_last_places_of_a_card_go_to_one_order,
        ]
    },
    (begin_checkout, "SESSION_MAY_CHECK_OUT"): {
        "#resCount = :count": [racing.test_a_hold_made_during_checkout_is_not_sold_unpriced]
    },
    (settle_payment, "SEAT_IS_OURS"): {
        "#sessionId = :session": [
            money.test_a_late_payment_is_refunded_when_the_seats_went_to_somebody_else
        ]
    },
    (settle_payment, "SESSION_IN_CHECKOUT"): {
        "#state = :checkout": [racing.test_a_payment_is_refunded_when_its_session_ends_meanwhile]
    },
    (open_session, "USER_MAY_OPEN"): {
        "#liveUntil <= :now": [
            unread(opening.test_a_second_token_opens_nothing_while_the_user_is_inside)
        ],
        "#lockedUntil <= :now": [
            unread(opening.test_refused_while_the_desk_has_locked_the_account_out)
        ],
        "#sessionsUsed < :sessions": [unread(opening.test_sessions_per_sale_are_limited)],
    },
    (open_session, "AND_NOT_FLAGGED"): {
        "#flaggedUntil <= :now": [
            unread(opening.test_refused_behind_the_easy_challenge_while_the_account_is_flagged)
        ]
    },
    (release_seats, "SEAT_IS_OURS"): {
        "#sessionId = :session": [
            racing.test_a_seat_taken_over_during_the_release_stays_its_new_holders
        ]
    },
    (release_seats, "SEAT_IS_WHOSE_WAS_READ"): {
        "#sessionId = :session": [
            racing.test_a_hold_whose_seat_is_seen_later_than_itself_is_given_back_too
        ]
    },
    (release_seats, "RESERVATION_IS_LIVE"): {
        "#state = :live": [racing.test_two_releases_at_once_return_the_places_once]
    },
    (release_seats, "SESSION_AS_READ"): {
        "#resCount = :count": [racing.test_a_hold_made_while_the_session_ends_is_given_back_too]
    },
    (return_seats, "SEAT_IS_SOLD_TO_US"): {
        "#sessionId = :session": [racing.test_a_cancellation_takes_nobody_elses_seat]
    },
    (idempotency, "KEY_NOT_SEEN"): {
        "#until <= :now": [
            repeating.test_another_payload_is_refused_and_holds_nothing_when_the_key_was_used
        ]
    },
    (refunds, "REFUND_AS_READ"): {
        "attribute_not_exists(#state) OR #state = :state": [
            refunding.test_what_came_back_while_it_was_looked_at_has_not_arrived
        ]
    },
    (refund_attempts, "REFUND_ATTEMPT_AS_READ"): {
        "#attempt = :attempt": [numbering.test_a_late_note_of_an_old_refusal_lowers_no_number]
    },
    (house_writes, "SEAT_IS_AVAILABLE"): {
        "#availability = :available": [
            blocking.test_a_hold_in_between_wins_and_the_others_are_blocked
        ]
    },
    (house_writes, "SEAT_IS_BLOCKED_BY"): {
        "#availability = :blocked": [sold_meanwhile],
        "#sessionId = :block": [of_another_block],
    },
    (house_writes, "AREA_HAS_CAPACITY"): {
        "#remaining >= :quantity": [blocking.test_places_that_are_sold_in_between_are_missing]
    },
    (house_writes, "AREA_HAS_BLOCKED"): {
        "#blocked >= :quantity": [blocking.test_no_place_is_freed_that_its_counter_does_not_keep]
    },
    (house_writes, "BLOCK_AS_READ"): {
        "#version = :version": [
            blocking.test_a_block_that_changes_in_between_is_freed_as_it_is_then,
            blocking.test_a_later_time_that_is_set_in_between_counts,
        ]
    },
    (sweep_cursors, "SWEPT_NOT_FURTHER"): {
        "#minute < :minute": [sweeping.test_the_cursor_never_moves_back]
    },
}
CONTROLS = [
    pytest.param(*place, clause, scenario, id=f"{place[1]}: {clause}, {scenario.__name__}")
    for place, clauses in NEEDED.items()
    for clause, scenarios in clauses.items()
    for scenario in scenarios
]


@pytest.mark.parametrize(("module", "constant", "clause", "scenario"), CONTROLS)
def test_a_scenario_fails_when_the_clause_is_removed(
    world: World, module: ModuleType, constant: str, clause: str, scenario: Scenario
) -> None:
    condition = getattr(module, constant)
    assert clause in condition
    always = f"{clause} OR NOT {clause}"
    if f"({clause})" not in condition:  # DynamoDB refuses redundant parentheses
        always = f"({always})"
    with (
        patch.object(module, constant, condition.replace(clause, always)),
        pytest.raises((AssertionError, FairgateError, pytest.fail.Exception)),
    ):
        scenario(world)


@pytest.mark.parametrize(
    "scenario",
    [in_checkout, sold_meanwhile, of_another_block]
    + [
        scenario
        for (module, _), clauses in NEEDED.items()
        for scenarios in clauses.values()
        for scenario in scenarios
        if module is open_session
    ],
)
def test_a_scenario_of_its_own_passes_while_the_clause_is_there(
    world: World, scenario: Scenario
) -> None:
    """Checks the scenarios that are made here; the others are tests themselves."""
    scenario(world)
