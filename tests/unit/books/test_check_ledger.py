"""The ledger is added up against the provider's books; each figure that differs is named."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import Capture, Dispute, Refund, UnreadableEntry
from fairgate.ports.table import Update
from fairgate.service.books.check_ledger import LedgerChecker
from fairgate.service.books.compare_captures import SETTLING_MS
from fairgate.service.books.ledger_checked import LedgerChecked
from fairgate.service.shared.keys import ledger_key
from fairgate.service.shared.records.orders import Order
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held
from tests.unit.refunds.test_disputes import hear, ticketed
from tests.unit.refunds.test_refunds import cancelled_while_pending, paid
from tests.unit.shared.test_idempotency import cancel


def taken(world: World, bought: Order, payment: str = "pay1", **changes: Any) -> None:
    capture = Capture(payment, bought.order_id, bought.total_minor, "EUR", world.clock.ms)
    world.payments.taken.append(replace(capture, **changes))


def check(world: World) -> LedgerChecked:
    return LedgerChecker(world.table, world.clock, world.payments).check(world.event)


def differences(world: World) -> list[tuple[str, int, int]]:
    checked = check(world)
    assert not checked.agrees
    return [(one.what, one.ledger_minor, one.provider_minor) for one in checked.differences]


def test_a_sale_adds_up(world: World) -> None:
    order = paid(world)
    taken(world, order)
    cancel(world, order, "")
    checked = check(world)
    assert checked.agrees
    assert checked.ledger == checked.provider
    assert (checked.entries, checked.ledger.captured_minor) == (2, 10_000)
    assert (checked.ledger.refunded_minor, checked.ledger.net_minor) == (10_000, 0)


def test_a_refund_on_its_way_agrees_though_a_list_counts_only_what_arrived(world: World) -> None:
    taken(world, cancelled_while_pending(world))
    checked = check(world)
    assert checked.agrees
    assert checked.provider.refunded_minor == 10_000


def test_a_refund_by_another_hand_is_named(world: World) -> None:
    order = paid(world)
    taken(world, order, refunded_minor=400)
    by_hand = Refund("re_x", "pay1", order.order_id, 400, "succeeded")
    world.payments.refund_states["re_x"] = by_hand
    assert differences(world) == [("refunded", 0, 400)]
    assert "re_x (400)" in check(world).differences[0].why


def test_another_amount_and_another_currency_are_two_differences(world: World) -> None:
    taken(world, paid(world), amount_minor=9_999, currency="USD")
    assert differences(world) == [("currency", 10_000, 9_999), ("captured", 10_000, 9_999)]


def test_a_dispute_that_nobody_heard_of_is_named_until_it_is_heard(world: World) -> None:
    order = ticketed(world)
    taken(world, order)
    world.payments.opened.append(
        Dispute("dp1", "pay1", order.order_id, 10_000, "EUR", "open", world.clock.ms)
    )
    assert differences(world) == [("disputed", 0, 10_000)]
    hear(world, order, "open")
    assert check(world).agrees
    assert check(world).ledger.disputed_minor == 10_000


def test_money_without_a_capture_is_named(world: World) -> None:
    paid(world)
    assert differences(world) == [("no-capture", 10_000, 0)]


def test_a_capture_without_an_entry_is_named_once_its_webhook_had_its_time(world: World) -> None:
    order = begin(world, held(world)).order
    taken(world, order)
    assert (check(world).settling, check(world).agrees) == (1, True)
    world.clock.tick(SETTLING_MS // 1000 + 1)
    assert differences(world) == [("not-entered", 0, 10_000)]


def test_captures_of_other_events_and_of_no_order_are_not_this_ones(world: World) -> None:
    order = begin(world, held(world)).order
    world.table.update(Update("reservations", *order.key, set={"eventId": "another"}))
    taken(world, order)
    taken(world, order, "pay2", order="elsewhere")
    world.clock.tick(SETTLING_MS)
    assert check(world).agrees


def test_what_is_damaged_or_cannot_be_read_is_not_well(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = paid(world)
    key = ledger_key(order.session, order.order_id, "capture#pay1")
    world.table.update(Update("reservations", *key, set={"amountMinor": "much"}))
    monkeypatch.setattr(world.payments, "disputes", lambda _since: [UnreadableEntry("dp_9")])
    checked = check(world)
    assert not checked.agrees
    assert checked.damaged == [f"{key.pk} {key.sk}"]
    assert checked.unreadable == ["dispute dp_9"]


def test_half_a_list_is_no_comparison(world: World) -> None:
    paid(world)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        check(world)
