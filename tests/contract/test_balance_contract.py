"""What every payment provider's adapter promises of the balance: movements, fees and payouts."""

from __future__ import annotations

import pytest

from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.payments import Movement, Payout, UnreadableEntry
from fairgate.service.books.check_movements import MovementChecker
from fairgate.service.books.import_movements import Imported, MovementImporter
from fairgate.service.books.read_movements import payouts_of
from tests.contract.test_ledger_and_books import Shop, shop
from tests.contract.test_payments_contract import paid
from tests.support.payment_providers import ORDER, Provider, Stripe

__all__ = ["shop"]  # a fixture
LATER_MS = 10**13


def movements(provider: Provider) -> list[Movement]:
    found = list(provider.payments.movements(0, LATER_MS))
    readable = [one for one in found if isinstance(one, Movement)]
    assert readable == found
    return sorted(readable, key=lambda one: one.amount_minor)


def test_a_capture_moves_its_price_and_a_fee(provider: Provider) -> None:
    event = paid(provider)
    (moved,) = movements(provider)
    assert (moved.kind, moved.amount_minor, moved.currency) == ("capture", 10_000, "EUR")
    assert (moved.payment, moved.order) == (event.payment, ORDER)
    assert 0 < moved.fee_minor < 1_000
    assert moved.net_minor == 10_000 - moved.fee_minor


def test_every_kind_of_movement_names_our_order(provider: Provider) -> None:
    event = paid(provider)
    provider.refund_elsewhere(event.payment)
    provider.dispute(event.payment)
    provider.decide(event.payment, "won")
    found = movements(provider)
    assert sorted(one.kind for one in found) == ["capture", "dispute", "dispute-won", "refund"]
    assert {(one.order, one.payment) for one in found} == {(ORDER, event.payment)}
    assert [one.fee_minor > 0 for one in found if one.kind == "dispute"] == [True]


def test_a_refund_that_comes_back_moves_twice(provider: Provider) -> None:
    event = paid(provider)
    provider.payments.refund(payment=event.payment, order=ORDER, amount_minor=10_000)
    provider.return_refund(event.payment)
    back, *_ = movements(provider)
    assert (back.kind, back.amount_minor) == ("refund", -10_000)
    assert sorted(one.kind for one in movements(provider)) == [
        "capture",
        "refund",
        "refund-returned",
    ]


def test_movements_are_listed_by_their_time(provider: Provider) -> None:
    paid(provider)
    (moved,) = movements(provider)
    at_ms = moved.at_ms
    assert list(provider.payments.movements(at_ms, at_ms + 1_000)) == [moved]
    assert list(provider.payments.movements(at_ms - 60_000, at_ms - 1_000)) == []
    assert list(provider.payments.movements(at_ms + 60_000, LATER_MS)) == []


def test_a_payout_is_what_its_movements_leave(provider: Provider) -> None:
    paid(provider)
    (moved,) = movements(provider)
    provider.pay_out()
    (payout,) = provider.payments.payouts(0)
    assert isinstance(payout, Payout)
    assert (payout.amount_minor, payout.currency, payout.parts) == (
        moved.net_minor,
        "EUR",
        "known",
    )
    assert payout.arrives_ms > payout.at_ms
    assert list(provider.payments.movements_of_payout(payout.id)) == [moved]
    sent = next(one for one in movements(provider) if one.kind == "payout")
    assert (sent.amount_minor, sent.thing) == (-moved.net_minor, payout.id)


def test_who_is_away_is_away_for_every_list(provider: Provider) -> None:
    provider.go_away()
    for listed in (
        provider.payments.movements(0, 1),
        provider.payments.payouts(0),
        provider.payments.movements_of_payout("po_1"),
    ):
        with pytest.raises((DependencyUnavailableError, PaymentRefusedError)):
            list(listed)


def imported(shop: Shop) -> Imported:
    world = shop.world
    world.clock.ms = shop.provider.clock.now_ms() + 60_000  # the providers' clocks are real
    importer = MovementImporter(world.table, world.clock, shop.provider.payments)
    return importer.run(world.clock.ms - 7_200_000)


def test_what_is_imported_adds_up_to_the_providers_balance(shop: Shop) -> None:
    world = shop.world
    _, payment = shop.sells("ann", 0)
    _, disputed = shop.sells("bob", 1)
    shop.hears(shop.provider.dispute(disputed))
    paid(shop.provider)  # of an order that we do not know
    shop.provider.pay_out()
    done = imported(shop)
    assert (done.failures, done.new, done.of_others) == ([], 5, 2)
    checker = MovementChecker(world.table, world.clock, shop.provider.payments)
    checked = checker.check(world.clock.ms - 7_200_000)
    assert checked.agrees, checked.differences
    assert checked.ours == checked.provider
    assert (checked.ours["EUR"].net_minor, checked.payouts, done.parts) == (0, 1, 4)
    event = shop.check()
    assert event.agrees, event.differences
    assert event.ledger.fees_minor == event.provider.fees_minor > 0
    (moved,) = [one for one in movements(shop.provider) if one.payment == payment]
    (payout,) = payouts_of(world.table, [moved.id]).values()
    assert payout.startswith("po_")
    assert imported(shop).new == 0


# --- Stripe's alone


def test_an_entry_that_does_not_add_up_stands_for_itself(stripe_provider: Stripe) -> None:
    paid(stripe_provider)
    paid(stripe_provider, ORDER[:-1] + "c")
    first, second = stripe_provider.stub.balance_transactions.values()
    second["net"] += 1
    found = list(stripe_provider.payments.movements(0, LATER_MS))
    assert UnreadableEntry(second["id"]) in found
    assert [one.id for one in found if isinstance(one, Movement)] == [first["id"]]


def test_a_kind_that_we_do_not_know_keeps_stripes_word(stripe_provider: Stripe) -> None:
    paid(stripe_provider)
    (entry,) = stripe_provider.stub.balance_transactions.values()
    entry.update(type="climate_order_purchase", source=None)
    (moved,) = movements(stripe_provider)
    assert (moved.kind, moved.payment, moved.order) == ("climate_order_purchase", "", "")


@pytest.mark.parametrize(
    ("word", "category", "kind"),
    [
        ("refund_failure", "refund_failure", "refund-returned"),
        ("adjustment", "refund_failure", "refund-returned"),
        ("adjustment", "dispute", "dispute"),
        ("adjustment", "dispute_reversal", "dispute-won"),
        ("payment_failure_refund", "charge_failure", "payment_failure_refund"),
    ],
)
def test_what_moves_for_an_order_is_the_orders_whatever_stripe_calls_it(
    stripe_provider: Stripe, word: str, category: str, kind: str
) -> None:
    event = paid(stripe_provider)
    stripe_provider.payments.refund(payment=event.payment, order=ORDER, amount_minor=10_000)
    *_, entry = stripe_provider.stub.balance_transactions.values()
    entry.update(type=word, reporting_category=category)
    moved, _ = movements(stripe_provider)
    assert (moved.kind, moved.order, moved.payment) == (kind, ORDER, event.payment)


@pytest.mark.parametrize("category", ["fee", "other_adjustment"])
def test_an_adjustment_of_nothing_that_was_sold_is_nobodys(
    stripe_provider: Stripe, category: str
) -> None:
    paid(stripe_provider)
    (entry,) = stripe_provider.stub.balance_transactions.values()
    entry.update(type="adjustment", reporting_category=category)
    (moved,) = movements(stripe_provider)
    assert (moved.kind, moved.order) == ("adjustment", "")


def test_parts_of_a_payout_are_known_once_stripe_has_them(stripe_provider: Stripe) -> None:
    paid(stripe_provider)
    stripe_provider.stub.pay_out()
    (entry,) = stripe_provider.stub.payouts.values()
    told = []
    for status, automatic in (
        ("in_progress", True),
        ("not_applicable", True),
        ("completed", False),
    ):
        entry.update(reconciliation_status=status, automatic=automatic)
        (payout,) = stripe_provider.payments.payouts(0)
        assert isinstance(payout, Payout)
        told.append(payout.parts)
    assert told == ["later", "never", "never"]


def test_a_disputes_order_is_asked_for_once_a_payment(stripe_provider: Stripe) -> None:
    event = paid(stripe_provider)
    stripe_provider.dispute(event.payment)
    stripe_provider.decide(event.payment, "won")
    stripe_provider.stub.calls.clear()
    movements(stripe_provider)
    asked = [call for call in stripe_provider.stub.calls if "payment_intents" in call]
    assert len(asked) == 1
