"""Every ``except`` that keeps one failure from the others is needed: without it, a test fails.

As test_sale_guards.py beside it takes clauses out of conditions, this takes the isolation out
of a function and runs the test that promises it, in this process.
"""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.support.handlers import Clause, clauses_of, without

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "layers" / "core" / "python"
POISON = "tests/unit/shared/test_poison_messages.py"
MAPS = "tests/unit/availability/test_damaged_seats.py"
CHANGES = "tests/unit/availability/test_apply_seat_changes.py"
CONTROLLER = "tests/unit/gate/test_controller_function.py"
CATALOG = "tests/unit/catalog/test_read_catalog.py"
BACKSTOP = "tests/unit/expiry/test_backstop_isolation.py"
HOUSE = "tests/unit/house/test_house_seats.py"
IN_TIME = "tests/unit/refunds/test_refunds_in_time.py"
DAMAGE = "tests/unit/expiry/test_backstop_damage.py"
BOOKS = "tests/unit/books/test_reconcile_much.py"
MOVEMENTS = "tests/unit/books/test_import_movements.py"
SWEEP = "fairgate.service.expiry.sweep_expired"
SESSIONS = "fairgate.service.expiry.sweep_sessions"
REFUNDS = "fairgate.service.expiry.sweep_refunds"
TASKS = "fairgate.service.ledger.manual_tasks"
RECONCILE = "fairgate.service.books.reconcile_payments"
IMPORT = "fairgate.service.books.import_movements"
AUDITOR = "tests/unit/audit/test_compare_inventory.py"
BROKE_OFF = "test_what_came_before_a_list_broke_off_stays_and_the_next_run_goes_on"
FORGOTTEN = "test_a_damaged_memory_is_replaced"
FAILS_ALONE = "test_an_unexpected_error_fails_its_message_alone"

PROMISES = {
    Clause("fairgate.service.audit.tickets", "_ticketed", "DamagedItemError"): (
        "tests/unit/audit/test_laws.py::test_the_ticket_laws_leave_out_a_damaged_order"
    ),
    Clause("fairgate.service.audit.read_sessions", "read_sessions", "DamagedItemError"): (
        f"{AUDITOR}::test_a_damaged_session_or_order_is_named[session]"
    ),
    Clause("fairgate.service.audit.read_inventory", "InventoryReader._due", "DamagedItemError"): (
        f"{AUDITOR}::test_a_damaged_sweep_cursor_hides_nothing"
    ),
    Clause("functions.expiry.handler", "handler"): f"{POISON}::{FAILS_ALONE}[expiry]",
    Clause("functions.jobs.handler", "handler"): f"{POISON}::{FAILS_ALONE}[jobs]",
    Clause("functions.ticketer.handler", "handler"): f"{POISON}::{FAILS_ALONE}[ticketer]",
    Clause("functions.invalidator.handler", "handler", "(ValueError, RecursionError)"): (
        f"{POISON}::test_each_poison_fails_alone_whatever_it_is[invalidator]"
    ),
    Clause("functions.controller.handler", "handler"): (
        f"{CONTROLLER}::test_a_defect_at_one_event_stops_no_other[SeatWatch-all_gone-internal-1.0]"
    ),
    Clause("functions.controller.handler", "_keep"): (
        f"{CONTROLLER}::test_a_defect_at_one_event_stops_no_other[StoreKeeper-bring-planned-1.0]"
    ),
    Clause("functions.controller.handler", "_look"): (
        f"{CONTROLLER}::test_a_defect_at_one_event_stops_no_other[FigureMaker-make-planned-0.0]"
    ),
    Clause("fairgate.service.watch.make_figures", "_made"): (
        "tests/unit/watch/test_figures.py::test_one_defect_blanks_no_other_part"
    ),
    Clause("fairgate.service.watch.make_figures", "FigureMaker._keep_point"): (
        "tests/unit/watch/test_history.py::test_figures_are_made_when_the_history_cannot_be_kept"
    ),
    Clause("fairgate.service.watch.history", "_read", "DamagedItemError"): (
        "tests/unit/watch/test_history.py::test_a_damaged_history_begins_anew[damage1]"
    ),
    Clause("fairgate.service.watch.look", "Asked.ask"): (
        "tests/unit/watch/test_figures.py"
        "::test_a_source_that_stalls_is_waited_for_once_and_the_others_are_kept[SalesTally-parts0]"
    ),
    Clause(
        "fairgate.service.gate.plan_admission", "AdmissionPlanner._memory", "DamagedItemError"
    ): (f"{CONTROLLER}::{FORGOTTEN}[key4-ControllerMemory-values4]"),
    Clause("fairgate.service.availability.watch_seats", "SeatWatch._memory", "DamagedItemError"): (
        f"{CONTROLLER}::{FORGOTTEN}[key0-SeatsMemory-values0]"
    ),
    Clause("fairgate.service.shared.readable", "find_readable", "DamagedItemError"): (
        "tests/unit/gate/test_gate_values.py::test_a_damaged_event_can_be_paused"
    ),
    Clause("fairgate.service.availability.apply_seat_changes", "read_change"): (
        f"{CHANGES}::test_no_record_that_parses_fails_another"
    ),
    Clause("fairgate.service.availability.apply_seat_changes", "_note"): (
        f"{CHANGES}::test_a_change_that_meets_a_defect_fails_alone"
    ),
    Clause(
        "fairgate.service.availability.apply_seat_changes", "_note", "CacheUnavailableError"
    ): f"{CHANGES}::test_only_the_sections_that_failed_come_again_when_the_cache_goes",
    Clause("functions.sweeper.handler", "_swept"): (
        f"{BACKSTOP}::test_an_event_that_meets_a_defect_leaves_the_others_swept"
    ),
    Clause(SWEEP, "ExpirySweeper.sweep", "DamagedItemError"): (
        f"{DAMAGE}::test_a_damaged_cursor_is_told_and_written_anew[no time]"
    ),
    Clause(SWEEP, "ExpirySweeper.sweep_refunds", "DamagedItemError"): (
        f"{DAMAGE}::test_a_damaged_cursor_stops_no_refund"
    ),
    Clause("fairgate.service.expiry.sweep_cursors", "rests", "DamagedItemError"): (
        f"{DAMAGE}::test_an_event_whose_cursor_is_damaged_does_not_rest"
    ),
    Clause(SWEEP, "ExpirySweeper._sweep"): (
        f"{BACKSTOP}::test_a_minute_that_cannot_be_read_is_a_failure_and_stays_due"
    ),
    Clause("fairgate.service.expiry.sweep_blocks", "BlockSweep.sweep"): (
        f"{HOUSE}::test_one_block_that_cannot_be_freed_stops_no_other"
    ),
    Clause("fairgate.service.house.block_seats", "_why_refused", "DamagedItemError"): (
        f"{HOUSE}::test_a_seat_that_is_damaged_in_between_stops_no_other"
    ),
    Clause(SWEEP, "ExpirySweeper._stop_within"): (
        f"{IN_TIME}::test_what_was_done_is_counted_once_whichever_write_fails[10]"
    ),
    Clause("fairgate.service.gate.must_be_listed", "must_be_listed", "DamagedItemError"): (
        "tests/unit/gate/test_must_be_listed.py::test_a_damaged_event_is_there"
    ),
    Clause(TASKS, "ManualTasks.noted", "DamagedItemError"): (
        f"{IN_TIME}::test_a_damaged_task_of_a_damaged_refund_stops_no_other"
    ),
    Clause(TASKS, "ManualTasks.settled", "DamagedItemError"): (
        f"{IN_TIME}::test_a_refund_is_noted_though_the_task_that_it_ends_is_damaged"
    ),
    Clause(SESSIONS, "SessionSweep._expire"): (
        f"{BACKSTOP}::test_a_session_that_cannot_be_ended_leaves_the_others_ended"
    ),
    Clause(SESSIONS, "SessionSweep._bill"): (
        f"{BACKSTOP}::test_invoices_that_cannot_be_numbered_leave_the_others_ended"
    ),
    Clause(SESSIONS, "SessionSweep._hand_over"): (
        f"{BACKSTOP}::test_a_queue_that_takes_nothing_is_a_failure_and_no_more"
    ),
    Clause(REFUNDS, "RefundSweep._refund"): (
        f"{BACKSTOP}::test_a_refund_that_meets_a_defect_leaves_the_others_sent"
    ),
    Clause(RECONCILE, "Reconciler._captures"): (
        f"{BACKSTOP}::test_a_capture_that_meets_a_defect_leaves_the_others_compared"
    ),
    Clause(RECONCILE, "Reconciler._listed"): (
        f"{BACKSTOP}::test_a_list_of_captures_that_breaks_off_leaves_the_disputes_heard"
    ),
    Clause(RECONCILE, "Reconciler._agreed"): (
        f"{BOOKS}::test_a_batch_that_cannot_be_read_is_compared_one_by_one"
    ),
    Clause("fairgate.service.books.hear_disputes", "hear_disputes"): (
        f"{BACKSTOP}::test_a_dispute_that_meets_a_defect_leaves_the_others_heard"
    ),
    Clause("fairgate.service.books.hear_disputes", "hear_disputes", nth=2): (
        f"{BACKSTOP}::test_a_list_of_disputes_that_breaks_off_leaves_the_orders_compared"
    ),
    Clause(RECONCILE, "Reconciler._sold"): (
        f"{BACKSTOP}::test_an_event_whose_orders_meet_a_defect_leaves_the_others_compared"
    ),
    Clause("fairgate.service.shared.readable", "read_readable", "DamagedItemError"): (
        f"{CATALOG}::test_a_damaged_event_stops_no_other"
    ),
    Clause("fairgate.service.shared.readable", "_sorted_out", "DamagedItemError"): (
        f"{CATALOG}::test_a_damaged_event_stops_no_other"
    ),
    Clause("fairgate.service.availability.table_statuses", "seats_in_table", "ValueError"): (
        f"{MAPS}::test_a_damaged_seat_takes_no_other_from_the_map[out of range]"
    ),
    Clause("fairgate.service.availability.table_statuses", "shards_in_table", "ValueError"): (
        f"{MAPS}::test_a_damaged_counter_takes_no_place_of_others_from_the_map[out of range]"
    ),
    Clause("fairgate.service.shared.readable", "find_many_readable", "DamagedItemError"): (
        f"{BACKSTOP}::test_a_damaged_session_leaves_the_others_ended"
    ),
    Clause("fairgate.service.holds.area_places", "_left", "DamagedItemError"): (
        "tests/unit/holds/test_area_places.py"
        "::test_a_damaged_counter_refuses_nobody_while_others_have_places"
        "[what remains is no number]"
    ),
    Clause("fairgate.service.catalog.write_pages", "PageWriter._bring"): (
        "tests/unit/catalog/test_write_pages.py"
        "::test_a_page_that_fails_holds_no_other_up_and_is_tried_again"
    ),
    Clause("functions.controller.handler", "_write_pages"): (
        "tests/unit/gate/test_pages_by_the_controller.py"
        "::test_events_are_planned_while_no_page_can_be_written"
    ),
    Clause(IMPORT, "MovementImporter.run"): f"{MOVEMENTS}::{BROKE_OFF}",
    Clause(IMPORT, "together"): f"{MOVEMENTS}::{BROKE_OFF}",
    Clause("fairgate.adapters.dynamodb.codec", "read_item", "TypeError"): (
        f"{CATALOG}::test_an_attribute_that_no_record_lists_does_no_harm"
    ),
    Clause("fairgate.adapters.dynamodb.codec", "_known", "TypeError"): (
        f"{CATALOG}::test_an_attribute_that_no_record_lists_does_no_harm"
    ),
    Clause("fairgate_ops.operate.rebuild_cache", "rebuild_cache"): (
        "tests/integration/test_rebuild.py"
        "::test_a_place_that_fails_with_a_defect_is_named_and_the_rest_is_filled"
    ),
}

# What is caught to be told to others, and not to keep anything from them; and where that is tried.
ELSEWHERE = {
    "fairgate.service.availability.shared_reads:Flights.join:BaseException:1": (
        "tests/unit/availability/test_read_availability.py"
    ),
}


# A run in a process with thousands of tests need not look through all its memory for what is left.
OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:unraisableexception")


def ends_with(*tests: str) -> int:
    """How pytest ends that runs tests of ours in this process."""
    paths = [str(ROOT / test) for test in tests]
    with redirect_stdout(io.StringIO()):
        return int(pytest.main([*OPTIONS, "--no-header", f"--rootdir={ROOT}", *paths]))


@pytest.mark.parametrize("clause", PROMISES, ids=str)
def test_a_promised_test_fails_when_the_isolation_is_gone(clause: Clause) -> None:
    with without(clause):
        assert ends_with(PROMISES[clause]) == pytest.ExitCode.TESTS_FAILED


def test_the_promised_tests_pass_when_every_isolation_is_there() -> None:
    """Here as well, so that above they fail for the isolation alone."""
    assert ends_with(*sorted(set(PROMISES.values()))) == pytest.ExitCode.OK


def test_every_isolation_is_tried() -> None:
    """In every function's handler, and in every use-case that has one at all."""
    found = set()
    for path in sorted((ROOT / "functions").glob("*/handler.py")):
        found |= set(clauses_of(f"functions.{path.parent.name}.handler", path))
    for path in sorted((PACKAGE / "fairgate" / "service").rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        found |= set(clauses_of(module, path))
    assert {clause for clause in found - set(PROMISES) if str(clause) not in ELSEWHERE} == set()
    assert all((ROOT / where).is_file() for where in ELSEWHERE.values())
