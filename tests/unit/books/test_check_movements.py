"""What was entered of the provider's balance is held against its lists; each figure is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import UnreadableEntry
from fairgate.ports.table import Update
from fairgate.service.books import import_movements
from fairgate.service.books.check_ledger import LedgerChecker
from fairgate.service.books.check_movements import MovementChecker, MovementsChecked
from fairgate.service.books.import_movements import first_of
from fairgate.service.books.ledger_checked import LedgerChecked
from fairgate.service.shared.movement_keys import payout_step_key
from tests.support.world import World
from tests.unit.books.test_check_ledger import taken
from tests.unit.books.test_import_movements import (
    entered,
    moved,
    paid_out,
    payout,
    run,
    sold,
    steps,
)
from tests.unit.refunds.test_disputes import hear, provider_says


def check(world: World) -> MovementsChecked:
    checker = MovementChecker(world.table, world.clock, world.payments)
    return checker.check(first_of([world.event], world.clock.ms))


def differences(world: World) -> list[tuple[str, str, int, int]]:
    checked = check(world)
    assert not checked.agrees
    return [
        (one.what, one.thing, one.ours_minor, one.provider_minor) for one in checked.differences
    ]


def test_what_was_imported_adds_up_by_currency_and_by_whose_it_is(world: World) -> None:
    paid_out(world)
    moved(world, "txn_2", "capture", 400, 20, payment="pi_x")
    moved(world, "txn_3", "payout", -9_835, thing="po_1")
    world.payments.moved.append(replace(world.payments.moved[-1], id="txn_4", currency="USD"))
    world.clock.tick(1)
    run(world)
    checked = check(world)
    assert checked.agrees, checked.differences
    assert checked.ours == checked.provider
    assert (checked.ours["EUR"].net_minor, checked.ours["USD"].net_minor) == (380, -9_835)
    assert checked.events["EUR"].net_minor == 9_835
    assert checked.others["EUR"].net_minor == 380
    assert (checked.paid_out["EUR"].net_minor, checked.payouts) == (-9_835, 1)


def test_what_is_held_back_of_a_payout_has_not_gone_to_the_bank(world: World) -> None:
    sold(world)
    moved(world, "txn_2", "payout_minimum_balance_hold", -500, thing="po_1")
    world.clock.tick(1)
    run(world)
    checked = check(world)
    assert (checked.others["EUR"].net_minor, checked.paid_out["EUR"].net_minor) == (-500, 0)


def test_each_difference_is_named(world: World) -> None:
    sold(world)
    moved(world, "txn_2", "capture", 400, 20, payment="pi_x")
    moved(world, "txn_3", "refund", -7)
    world.clock.tick(1)
    run(world)
    first, second, third = world.payments.moved
    late = replace(third, id="txn_4")
    world.payments.moved = [first, replace(second, fee_minor=21), late]
    assert sorted(differences(world)) == [
        ("amount", "txn_2", 380, 379),
        ("missing-here", "txn_4", 0, -7),
        ("missing-there", "txn_3", -7, 0),
    ]


def test_what_came_since_the_last_import_waits(world: World) -> None:
    sold(world)
    run(world)
    moved(world, "txn_2", "refund", -7)
    checked = check(world)
    assert (checked.agrees, checked.waiting) == (True, 1)


def test_before_any_import_all_of_it_is_missing(world: World) -> None:
    sold(world)
    assert differences(world) == [("missing-here", "txn_1", 0, 9_835)]


def test_a_payout_whose_movements_do_not_add_up_is_named(world: World) -> None:
    paid_out(world)
    world.payments.paid_out = [replace(world.payments.paid_out[0], amount_minor=9_000)]
    run(world)
    assert differences(world) == [("payout-sum", "po_1", 9_835, 9_000)]


def test_a_part_that_is_not_entered_is_named(world: World) -> None:
    paid_out(world)
    run(world)
    moved(world, "txn_2", "refund", -5)
    world.payments.parts_of["po_1"].append("txn_2")
    (difference,) = check(world).differences
    assert (difference.what, "txn_2" in difference.why) == ("payout-parts", True)


def test_a_payout_that_stands_otherwise_or_is_unknown_is_named(world: World) -> None:
    paid_out(world, parts="never")
    run(world)
    (made,) = world.payments.paid_out
    world.payments.paid_out = [replace(made, state="failed")]
    assert differences(world) == [("payout-state", "po_1", 9_835, 9_835)]
    world.payments.paid_out = []
    assert differences(world) == [("payout-missing-there", "po_1", 9_835, 0)]


def test_a_payout_of_another_amount_than_was_entered_is_named(world: World) -> None:
    paid_out(world, parts="never")
    run(world)
    key = payout_step_key("po_1", "paid")
    world.table.update(Update("reservations", *key, set={"amountMinor": 1}))
    assert differences(world) == [("payout-amount", "po_1", 1, 9_835)]


def test_a_payout_that_no_import_heard_of_is_named_once_it_had_its_time(world: World) -> None:
    sold(world)
    world.payments.paid_out = [payout(world)]
    world.payments.refuse["payouts"] = DependencyUnavailableError("away")
    world.clock.tick(7_200)
    run(world)
    world.payments.refuse.clear()
    assert differences(world) == [("payout-missing-here", "po_1", 0, 9_835)]


def test_what_cannot_be_read_on_either_side_is_not_well(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold(world)
    run(world)
    (record,) = entered(world)
    world.table.update(Update("reservations", *record.key, set={"feeMinor": "much"}))
    listed = [UnreadableEntry("txn_9")]
    monkeypatch.setattr(world.payments, "movements", lambda *_: iter(listed))
    checked = check(world)
    assert not checked.agrees
    assert f"{record.key.pk} {record.key.sk}" in checked.damaged
    assert "movement txn_9" in checked.unreadable


# --- an event's ledger with its fees


def of_event(world: World) -> LedgerChecked:
    return LedgerChecker(world.table, world.clock, world.payments).check(world.event)


def ledger(world: World) -> list[tuple[str, int, int]]:
    found = of_event(world).differences
    return [(one.what, one.ledger_minor, one.provider_minor) for one in found]


def test_an_events_fees_are_taken_off_on_both_sides(world: World) -> None:
    taken(world, sold(world))
    run(world)
    checked = of_event(world)
    assert checked.agrees, checked.differences
    assert checked.ledger == checked.provider
    assert (checked.ledger.fees_minor, checked.ledger.net_minor) == (165, 9_835)


def test_fees_in_another_currency_stand_beside(world: World) -> None:
    taken(world, sold(world))
    world.payments.moved = [replace(world.payments.moved[0], currency="USD")]
    run(world)
    checked = of_event(world)
    assert checked.agrees
    assert (checked.ledger.fees_minor, checked.ledger.other_fees) == (0, {"USD": 165})


def test_fees_since_the_last_import_wait_and_others_are_differences(world: World) -> None:
    taken(world, sold(world))
    assert (of_event(world).fees_waiting, of_event(world).agrees) == (1, True)
    first = world.payments.moved.pop()
    run(world)
    world.payments.moved = [first]
    assert ledger(world) == [("fee-not-entered", 0, 165)]
    run(world, since_ms=first.at_ms)
    world.payments.moved = [replace(first, fee_minor=166)]
    assert ledger(world) == [("fee", 165, 166)]
    world.payments.moved = []
    assert ledger(world) == [("no-movement", 165, 0)]


# --- lists that name something twice


def twice(*lists: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the provider's lists of these names say everything twice, far apart."""
    for name in lists:
        known = getattr(world.payments, name)

        def repeated(*asked: object, known: Any = known) -> Iterator[Any]:
            listed = list(known(*asked))
            yield from (*listed, *listed)

        monkeypatch.setattr(world.payments, name, repeated)


@pytest.mark.parametrize("together", [1, 100])
def test_a_list_of_parts_that_names_them_twice_counts_each_once(
    world: World, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr(import_movements, "TOGETHER", together)  # within a hundred, and across
    paid_out(world)
    with monkeypatch.context() as again:
        twice("movements_of_payout", world=world, monkeypatch=again)
        run(world)
        assert sorted(steps(world)) == [("listed", 9_835, 1), ("paid", 9_835, 0)]
        checked = check(world)
        assert (checked.agrees, checked.unlisted) == (True, 0), checked.differences
    assert check(world).agrees  # what was entered by such a list is right for good


def test_an_event_agrees_though_the_lists_name_fees_and_disputes_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = sold(world)
    taken(world, order, disputed=True)
    hear(world, order, "open")
    provider_says(world, order, "open")
    run(world)
    moved(world, "txn_2", "dispute", -10_000, 2_000, payment="pay1", order=order.order_id)
    once = of_event(world)
    twice("movements", "disputes", world=world, monkeypatch=monkeypatch)
    checked = of_event(world)
    assert checked.differences == []
    assert checked == once
    assert checked.fees_waiting == 1
