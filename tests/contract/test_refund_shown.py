"""A buyer sees over HTTP how far a refund is; the stub of the pages' tests says it alike."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import PaymentRefusedError
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate_lab.engine.payments import MemoryPayments
from tests.contract.http import function, request
from tests.contract.test_browser_stub import differences, shape
from tests.contract.test_problems import signed_in
from tests.e2e.stub.server import Stub
from tests.support.world import World
from tests.unit.books.test_number_documents import SELLER
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle


@pytest.fixture
def order(world: World) -> str:
    """One that is paid and may be cancelled."""
    world.payments = MemoryPayments()
    world.container.__dict__["payments"] = world.payments
    world.put(replace(world.event, cancel_until=rfc3339(world.clock.ms + 86_400_000)))
    made = begin(world, held(world)).order
    settle(world, made)
    return made.order_id


def ask(world: World, *asked: Any) -> Any:
    name = "orders" if asked[0] == "GET" else "checkout"
    answer = function(name).handler(request(*asked, authorization=signed_in(world)), object())
    assert answer["statusCode"] == 200, answer
    return json.loads(answer["body"])


def test_an_order_says_that_its_refund_has_arrived(world: World, order: str) -> None:
    assert ask(world, "GET", f"/api/orders/{order}")["refund"] is None
    cancelled = ask(world, "POST", f"/api/orders/{order}/cancel")
    assert cancelled["state"] == "refunded"
    assert cancelled["refund"] == {
        "state": "arrived",
        "amount_minor": cancelled["total_minor"],
        "second_payment": False,
    }
    assert ask(world, "GET", f"/api/orders/{order}") == cancelled


def test_an_order_says_whether_its_event_gives_invoices(world: World, order: str) -> None:
    assert not ask(world, "GET", f"/api/orders/{order}")["invoice"]
    edit_event(world.table, world.clock, world.event.id, SELLER)
    world.clock.tick(60)  # functions keep events for some seconds
    assert ask(world, "GET", f"/api/orders/{order}")["invoice"]


def test_an_order_says_that_a_refused_refund_needs_a_person_and_when_it_had_one(
    world: World, order: str
) -> None:
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="too-old")
    cancelled = ask(world, "POST", f"/api/orders/{order}/cancel")
    assert (cancelled["state"], cancelled["refund"]["state"]) == ("cancelled", "attention")
    assert ask(world, "GET", f"/api/orders/{order}") == cancelled
    tasks = ManualTasks(world.table, world.clock)
    tasks.done(tasks.open()[0].task_id, "bob", "by bank transfer")
    assert ask(world, "GET", f"/api/orders/{order}")["refund"]["state"] == "handled"


def test_a_refund_of_the_stub_has_the_services_shape(world: World, order: str) -> None:
    real = ask(world, "POST", f"/api/orders/{order}/cancel")
    stub = Stub().start()
    stub.world.order_state = "refunded"
    stub.world.refund = {"state": "arrived", "amount_minor": 5_000, "second_payment": False}
    told = stub.order()
    stub.stop()
    assert differences(shape(real)["refund"], shape(told)["refund"]) == []
