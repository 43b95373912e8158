"""What each function does in a sale; the rare things among them are made to happen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from emulator import mishaps, sale
from fairgate.http import paths
from fairgate.service.gate.control_gate import LEAD_S
from fairgate.service.gate.plan_admission import PLAN_S
from fairgate_lab.emulator.system import CANARY_EVENT, EmulatedSystem
from tests.e2e.shopper import Shopper, call, free_seats

PACED = "paced"  # whose pace is the controller's to choose
SEATS_PACED = 10
SETTLED_S = 305  # what was captured since is left to its webhook (compare_captures.py)
DUE_S = 15  # before the lead begins: an epoch is planned within 20 s of that
IDEMPOTENCY = "idempotency-key"


@dataclass(frozen=True)
class _Unheard:
    """A capture that was made at this time, and all that was heard of it since, to be undone."""

    captured_s: float
    buyer: Shopper
    heard: list[mishaps.Moment]

    def undo(self) -> None:
        for moment in reversed(self.heard):
            moment.return_to()


_opened_s: dict[str, float] = {}  # by deployment
_planned: dict[str, float] = {}  # by deployment: the minute that was planned last
_journeys: set[str] = set()  # deployments whose canary has its event
_unheard: dict[str, _Unheard] = {}  # by deployment; reconcile needs one that is old


def open_more_events(system: EmulatedSystem) -> None:
    _opened_s[system.endpoint] = time.time() + sale.SALE_START_IN_S
    rules = (
        "--sale-starts-in",
        str(sale.SALE_START_IN_S),
        "--tau",
        "1",
        "--pow",
        "6",
        "--control",
        "auto",
    )
    system.create_event(PACED, sale.hall(SEATS_PACED), *rules)


def sign_in(system: EmulatedSystem) -> None:
    sale.sign_in(Shopper(system.base_url, sale.EVENT))


def renew(system: EmulatedSystem) -> None:
    buyer = sale.sign_in(Shopper(system.base_url, sale.EVENT))
    renewed = buyer.call("POST", paths.AUTH_RENEW)
    assert renewed.status == 200, renewed


def buy(system: EmulatedSystem) -> None:
    sale.order_is_refunded(system, sale.buy(system))


def authorize(system: EmulatedSystem) -> None:
    """Try also a value that API Gateway has not asked about yet."""
    sale.look_around(system)
    said = mishaps.invoke(system, "authorizer", {"identitySource": ["somebody's guess"]})
    assert said == {"isAuthorized": False}, said


def hold(system: EmulatedSystem) -> None:
    """Try also the same request twice, and an area that is taken."""
    buy(system)
    before = mishaps.Moment(system)
    try:
        _hold_all_of_an_area(system)
    finally:  # otherwise it would be held for the next try
        before.end()
        before.return_to()


def _hold_all_of_an_area(system: EmulatedSystem) -> None:
    first, second = (sale.walk_in(system, sale.DESK_EVENT) for _ in range(2))
    best = paths.BEST_AVAILABLE.format(session=first.session["session"])
    once = {IDEMPOTENCY: f"once-{time.time_ns()}"}
    held = [first.call("POST", best, {"quantity": 1}, once) for _ in range(2)]
    assert [answer.status for answer in held] == [201, 201], held
    assert held[0].body["hold"] == held[1].body["hold"]
    whole = first.hold(areas={"floor": sale.PLACES_DESK})
    assert whole.status == 201, whole
    refused = second.hold(areas={"floor": 1})
    assert refused.status == 409, refused
    assert (first.leave().status, second.leave().status) == (204, 204)


def expire(system: EmulatedSystem) -> None:
    """A message that comes early; one of a buyer who went; one of a buyer who paid, unheard."""
    gone = _checked_out(system)
    mishaps.remind(system, gone)  # it is not over, and comes again later
    gone.pay("abandon")
    mishaps.overdue(system, gone)
    mishaps.remind(system, gone)
    assert gone.order_now()["state"] == "expired"
    paid = _paid_unheard(system)
    mishaps.overdue(system, paid.buyer)
    mishaps.remind(system, paid.buyer)
    paid.buyer.order_becomes("ticketed")


def sweep(system: EmulatedSystem) -> None:
    """The same two without a message, and a refund that is to be looked at."""
    gone, paid = _checked_out(system), _paid_unheard(system)
    for buyer in (gone, paid.buyer):
        mishaps.overdue(system, buyer)
    said = mishaps.invoke(system, "sweeper")
    assert said["failures"] == 0, said
    assert gone.order_now()["state"] == "expired"
    paid.buyer.order_becomes("ticketed")


def reconcile(system: EmulatedSystem) -> None:
    """A payment that nobody here has heard of."""

    def repair() -> None:
        said = mishaps.invoke(system, "reconcile")
        assert (said["failures"], said["repaired"]) == (0, 1), said

    _hear_of_a_payment(system, repair)


def _hear_of_a_payment(system: EmulatedSystem, repair: Callable[[], None]) -> None:
    unheard = prepare_reconcile(system)
    time.sleep(max(0.0, unheard.captured_s + SETTLED_S - time.time()))
    unheard.undo()
    mishaps.lose_messages(system)
    moment = mishaps.Moment(system)
    try:
        repair()
        unheard.buyer.order_becomes("ticketed")
    finally:
        moment.end()
        unheard.heard.append(moment)


def prepare_reconcile(system: EmulatedSystem) -> _Unheard:
    """Make the payment early: it counts once it is some minutes old."""
    if system.endpoint not in _unheard:
        _unheard[system.endpoint] = _paid_unheard(system)
    return _unheard[system.endpoint]


def look_with_a_cold_cache(system: EmulatedSystem) -> None:
    mishaps.lose_cache(system)
    sale.look_around(system)
    assert free_seats(system.base_url, sale.EVENT, 1)


def steer(system: EmulatedSystem) -> None:
    """Plan another pace for an event, and bring a value that the store has lost.

    It waits, for up to a minute, until an epoch is due that no run has planned.
    """
    time.sleep(max(0.0, _opened_s[system.endpoint] + 1 - time.time()))
    mishaps.lose_value(system, PACED)
    mishaps.age_value(system, sale.EVENT)
    mishaps.expect_another_pace(system, PACED)
    _epoch_becomes_due(system)
    said = mishaps.invoke(system, "controller")
    assert said["failures"] == 0, said
    assert {"planned"} == {one["outcome"] for one in said["planned"] if one["event"] == PACED}, said
    assert mishaps.value_at_edge(system, PACED)
    _write_the_page(system, sale.EVENT)


def _write_the_page(system: EmulatedSystem, event: str) -> None:
    """The run may have had no time left for it; one of the next has."""
    for _run in range(5):
        page = call(system.base_url, "GET", f"/e/{event}")
        assert page.status == 200, page
        if f'/e/{event}"'.encode() in page.data:  # its own address in its head
            return
        mishaps.invoke(system, "controller")
    pytest.fail(f"{event} has no page of its own: {page}")


def _epoch_becomes_due(system: EmulatedSystem) -> None:
    """Wait for one that begins in another minute than those that are planned."""
    if system.endpoint not in _planned:  # by nobody else from here on
        mishaps.stop_timers(system)
        _planned[system.endpoint] = (time.time() + LEAD_S) // PLAN_S
    while True:
        begins_s = time.time() + LEAD_S
        is_due = begins_s % PLAN_S >= PLAN_S - DUE_S
        if is_due and begins_s // PLAN_S > _planned[system.endpoint]:
            break
        time.sleep(0.5)
    _planned[system.endpoint] = begins_s // PLAN_S


def _checked_out(system: EmulatedSystem) -> Shopper:
    buyer = sale.walk_in(system)
    sale.hold_free(system, buyer, 1)
    assert buyer.hold(areas={"floor": 1}).status == 201
    assert buyer.checkout().status == 201
    mishaps.lose_messages(system)
    return buyer


def _paid_unheard(system: EmulatedSystem) -> _Unheard:
    buyer = _checked_out(system)
    moment = mishaps.Moment(system)
    buyer.pay()
    captured_s = time.time()
    buyer.order_becomes("ticketed")
    moment.end()
    unheard = _Unheard(captured_s, buyer, [moment])
    unheard.undo()
    mishaps.lose_messages(system)
    return unheard


def ask_for_a_link(system: EmulatedSystem) -> None:
    """Of an address that bought something, and of one that did not; no mail is sent here."""
    answers = [
        call(system.base_url, "POST", paths.TICKETS_LINK, {"email": f"{name}@example.com"})
        for name in ("ann", f"nobody-{time.time_ns()}")
    ]
    assert [answer.status for answer in answers] == [409, 409], answers
    assert {answer.body["reason"] for answer in answers} == {"no-mail"}


def do_jobs(system: EmulatedSystem) -> None:
    """Do jobs: some read, one settles a payment whose webhook was lost, one cancels an event."""
    owner = sale.sign_in(Shopper(system.base_url, sale.EVENT), "fairgate-owner")

    def repair() -> None:
        said = sale.job_ends(owner, "orders reconcile")["result"]
        assert [one["kind"] for one in said["differences"]] == ["settled"], said

    _hear_of_a_payment(system, repair)
    sale.do_jobs(system)
    sale.job_ends(owner, "export orders", event=sale.EVENT)
    sale.job_ends(owner, "audit items")
    off = f"off-{time.time_ns()}"
    system.create_event(off, sale.hall(sale.ROW), "--sale-starts-in", "3600", "--tau", "1")
    sale.job_ends(owner, "event cancel", event=off, reason="tried", refund_all=True)


def go_a_journey(system: EmulatedSystem) -> None:
    """Once a deployment its event is made; no clock calls the canary here."""
    if system.endpoint not in _journeys:
        start = ("--sale-starts-in", str(sale.SALE_START_IN_S), "--tau", "1")
        rules = ("--pow", "6", "--backoff-s", "1", "2", "--sample", "0")
        system.create_event(CANARY_EVENT, sale.hall(sale.ROW), *start, *rules)
        _journeys.add(system.endpoint)
    said = mishaps.invoke(system, "canary")
    assert said["failed"] == "", said


# Where a function works, so where the loss of its right can be felt.
PARTS: dict[str, Callable[[EmulatedSystem], None]] = {
    "auditor": sale.let_time_pass,
    "auth": sign_in,
    "authorizer": authorize,
    "canary": go_a_journey,
    "catalog": sale.look_around,
    "controller": steer,
    "desk": sale.pass_the_desk,
    "expiry": expire,
    "finder": ask_for_a_link,
    "holds": hold,
    "jobs": do_jobs,
    "invalidator": sale.operate,
    "operator": sale.operate,
    "checkout": buy,
    "orders": buy,
    "reconcile": reconcile,
    "renewal": renew,
    "seatmap": look_with_a_cold_cache,
    "sessions": buy,
    "sweeper": sweep,
    "ticketer": buy,
    "tickets": buy,
    "transfers": sale.pass_a_ticket_on,
}
