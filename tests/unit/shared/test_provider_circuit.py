"""A provider that hangs is left alone by all functions, tried by one, and called again."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from fairgate import deadline
from fairgate.adapters.payments.watched import WatchedPayments
from fairgate.errors import (
    DependencyUnavailableError,
    PaymentRefusedError,
    PaymentWaitsError,
    ProviderAwayError,
    ProviderBusyError,
    ProviderUndecidedError,
)
from fairgate.service.checkout.ask_payment import ASK_S
from fairgate.service.checkout.await_turn import TurnAwaiter
from fairgate.service.checkout.payment_turns import PaymentTurns
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.shared.provider_circuit import FAILURES_MAX, LOOK_MS, OPEN_MS, ProviderCircuit
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of

pytestmark = pytest.mark.through_boto3

AWAY = DependencyUnavailableError("away")
PAGE = "/pay/1"


class NoTable:
    """Answers nothing."""

    def __getattr__(self, _name: str) -> Any:
        def away(*_arguments: object) -> None:
            raise DependencyUnavailableError("the table is away")

        return away


def process(world: World, table: Any = None) -> WatchedPayments:
    """One function's process, before the same provider as all the others."""
    circuit = ProviderCircuit(table or world.table, world.clock)
    return WatchedPayments(world.payments, lambda: None, circuit.call)


def fails(payments: WatchedPayments, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(DependencyUnavailableError) as failed:
            payments.find_capture(PAGE)
        assert type(failed.value) is DependencyUnavailableError


def opened(world: World) -> None:
    """Five processes have met silence, one call each."""
    world.payments.fail = AWAY
    for _ in range(FAILURES_MAX):
        fails(process(world))


def test_it_is_called_by_nobody_after_five_failures_of_any_functions(world: World) -> None:
    opened(world)
    world.payments.fail = None
    with pytest.raises(ProviderAwayError) as away:
        process(world).find_capture(PAGE)
    assert away.value.retry_after_s == OPEN_MS // 1000
    world.clock.tick(OPEN_MS / 1000)
    assert process(world).find_capture(PAGE) is None


def test_somebody_is_told_when_it_opens_and_when_a_probe_fails(world: World) -> None:
    told: list[int] = []
    circuit = ProviderCircuit(world.table, world.clock, lambda: told.append(world.clock.ms))
    payments = WatchedPayments(world.payments, lambda: None, circuit.call)
    world.payments.fail = AWAY
    fails(payments, FAILURES_MAX - 1)
    assert told == []
    fails(payments)
    assert len(told) == 1
    with pytest.raises(ProviderAwayError):
        payments.find_capture(PAGE)
    assert len(told) == 1
    world.clock.tick(OPEN_MS / 1000)
    fails(payments)
    assert len(told) == 2


def test_a_process_that_has_just_looked_learns_of_it_within_a_second(world: World) -> None:
    other = process(world)
    other.find_capture(PAGE)
    opened(world)
    fails(other)
    world.clock.tick(LOOK_MS / 1000)
    with pytest.raises(ProviderAwayError):
        other.find_capture(PAGE)


def test_an_answer_between_failures_begins_the_count_anew(world: World) -> None:
    for answer in (
        None,
        PaymentRefusedError("no", reason="invalid"),
        ProviderBusyError("busy"),
        ProviderUndecidedError("not yet"),
    ):
        world.payments.fail = AWAY
        for _ in range(FAILURES_MAX - 1):
            fails(process(world))
        world.payments.fail = answer
        with suppress(PaymentRefusedError, ProviderBusyError, ProviderUndecidedError):
            process(world).find_capture(PAGE)
    world.payments.fail = AWAY
    fails(process(world))


def test_one_call_tries_alone_while_the_others_wait(world: World) -> None:
    opened(world)
    world.clock.tick(OPEN_MS / 1000)
    seen: list[str] = []

    class Slow:
        def find_capture(self, _page: str) -> None:
            with pytest.raises(ProviderAwayError):
                process(world).find_capture(PAGE)
            seen.append("waited")

    circuit = ProviderCircuit(world.table, world.clock)
    WatchedPayments(Slow(), lambda: None, circuit.call).find_capture(PAGE)  # type: ignore[arg-type]
    assert seen == ["waited"]
    world.payments.fail = None
    assert process(world).find_capture(PAGE) is None


def test_a_probe_that_fails_opens_it_again_at_once(world: World) -> None:
    opened(world)
    world.clock.tick(OPEN_MS / 1000)
    fails(process(world))
    with pytest.raises(ProviderAwayError) as away:
        process(world).find_capture(PAGE)
    assert away.value.opens_at_ms == world.clock.ms + OPEN_MS


def test_a_probe_whose_process_died_is_followed_by_another(world: World) -> None:
    opened(world)
    world.clock.tick(OPEN_MS / 1000)
    died = ProviderCircuit(world.table, world.clock).call()
    died.__enter__()
    with pytest.raises(ProviderAwayError) as away:
        process(world).find_capture(PAGE)
    world.payments.fail = None
    world.clock.tick(away.value.retry_after_s or 0)
    assert process(world).find_capture(PAGE) is None


def test_a_process_goes_by_its_own_failures_when_the_table_is_away(world: World) -> None:
    world.payments.fail = AWAY
    alone = process(world, NoTable())
    fails(alone, FAILURES_MAX)
    with pytest.raises(ProviderAwayError):
        alone.find_capture(PAGE)
    world.payments.fail = None
    world.clock.tick(OPEN_MS / 1000)
    assert alone.find_capture(PAGE) is None
    assert alone.find_capture(PAGE) is None


def test_a_call_that_is_cut_short_by_us_says_nothing_about_the_provider(world: World) -> None:
    """The page of an order waits three seconds in all, and a slow provider is none that hangs."""
    world.payments.fail = AWAY
    with deadline.within(ASK_S):
        fails(process(world), FAILURES_MAX)
    world.payments.fail = None
    assert process(world).find_capture(PAGE) is None


def test_a_call_without_time_says_nothing_about_the_provider(world: World) -> None:
    hurried = process(world)
    for _ in range(FAILURES_MAX):
        with deadline.within(0), pytest.raises(DependencyUnavailableError, match="too long"):
            hurried.find_capture(PAGE)
    assert hurried.find_capture(PAGE) is None


def test_a_webhook_is_read_while_the_circuit_is_open(world: World) -> None:
    opened(world)
    body = b'{"id":"e","kind":"other","order":"","amount_minor":0,"currency":"EUR","payment":""}'
    assert process(world).parse_webhook(body, {}).kind == "other"


def test_a_buyer_is_told_when_payment_opens_again_and_keeps_the_seats(world: World) -> None:
    begun = begin(world, held(world))
    opened(world)
    settler = PaymentSettler(world.table, world.clock, process(world))
    awaiter = TurnAwaiter(settler, PaymentTurns(world.table, world.clock, 0), 300)
    world.clock.tick(10)
    with pytest.raises(PaymentWaitsError, match=r"payment opens in 20 seconds") as waits:
        awaiter.open(begun, "http://shop")
    assert (waits.value.fields["reason"], waits.value.retry_after_s) == ("away", 20)
    world.payments.fail = None
    world.clock.tick(20)
    assert awaiter.open(begun, "http://shop")
    assert order_of(world, begun.order).pay_page
