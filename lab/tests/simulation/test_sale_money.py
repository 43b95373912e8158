"""The provider's books in a simulated sale: what they refuse, and what laws read in them."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.errors import PaymentRefusedError
from fairgate.ports.payments import Capture
from fairgate.service.audit import payments
from fairgate.service.audit.law import Law
from fairgate.service.audit.law import violations as broken_in
from fairgate.service.audit.snapshot import Snapshot
from fairgate_lab.simulate.sale.books import PAGE_MS_MIN, Books
from fairgate_lab.simulate.sale.fleet import _TimersLog
from fairgate_lab.simulate.sale.money_laws import lines_of, violations
from fairgate_lab.simulate.sale.transitions import PlacesTaken

LAWS = [law for law in vars(payments).values() if isinstance(law, Law)]
ORDER, END, LATE_MS = "ord_1", "2026-01-01T00:00:00.000Z", 1_900_000_000_000
PAID = {"orderId": ORDER, "state": "ticketed", "totalMinor": 900, "expiresAt": END, "paidAt": "x"}


def books() -> tuple[Books, Capture]:
    """One page, and what it took."""
    ids = iter("abcdefgh")
    mine = Books(lambda: LATE_MS, lambda: next(ids))
    page, new = mine.open(ORDER, 900, "EUR", LATE_MS + PAGE_MS_MIN)
    assert new
    made = mine.capture(page, 900)
    assert made is not None
    return mine, made


class Case:
    """A capture and what our records say of it."""

    def __init__(self, **order: Any) -> None:
        self.books, self.made = books()
        self.order = PAID | {"paymentId": self.made.payment} | order
        self.refund: dict[str, Any] | None = None
        self.tasks: set[str] = set()

    def refunded(self, said: str = "succeeded", really: Any = "succeeded") -> Case:
        self.books.becomes(self.books.refund(self.made, 900, "ours").id, really)
        return self.owes(said)

    def repeated_by_hand(self, said: str) -> Case:
        """Ours came back, and another hand's, which did not, is the one that is followed."""
        self.refunded("failed", "failed").refunded_by_hand(900)
        *_, theirs = self.books.refunds
        return self.owes(said, refundId=theirs) if said == "succeeded" else self

    def refunded_by_hand(self, amount_minor: int) -> Case:
        refund = self.books.refund(self.made, amount_minor, "theirs")
        self.books.becomes(refund.id, "succeeded")
        return self

    def owes(self, said: str, **more: Any) -> Case:
        about = {"orderId": ORDER, "paymentId": self.made.payment, "amountMinor": 900}
        self.refund = about | {"state": said} | more
        return self

    def disputed(self, state: Any) -> Case:
        dispute = self.books.dispute(self.made)
        assert dispute is not None
        if state != "open":
            self.books.decide(dispute, state)
        return self

    def told(self, *kinds: str) -> Case:
        self.tasks |= set(kinds)
        return self

    def found(self, raised: int = 0) -> set[str]:
        payment = self.made.payment
        moved = {"capture": 900, "refund": -self.books.back(payment)}
        kinds = {
            "order": [self.order],
            "owed refund": [self.refund] if self.refund else [],
            "manual task": [
                {"kind": k, "paymentId": payment, "orderId": ORDER} for k in self.tasks
            ],
            "ledger entry": [
                {"paymentId": payment, "kind": kind, "amountMinor": amount}
                for kind, amount in moved.items()
            ],
        }
        seen = Snapshot("", kinds, lines_of(self.books))
        found = [*broken_in(seen, LAWS), *violations(self.books, seen, raised)]
        return {violation.law for violation in found}


@pytest.mark.parametrize(
    ("case", "broken"),
    [
        (Case(), ""),
        (Case(state="refunded").refunded(), ""),
        (Case(state="refunded").repeated_by_hand("succeeded"), ""),
        (Case(state="cancelled").repeated_by_hand("succeeded"), "refund-unnoticed"),
        (
            Case(state="cancelled").repeated_by_hand("failed").told("refund-failed"),
            "refund-unnoticed",
        ),
        (Case(state="refunded").repeated_by_hand("succeeded").told("refund-failed"), "done-task"),
        (Case(state="refunded").refunded("succeeded", "failed"), "refund-state"),
        (Case().refunded_by_hand(400), "task"),
        (Case().refunded_by_hand(400).told("refunded-in-part"), ""),
    ],
)
def test_laws_read_whose_refund_it_is_in_the_books(case: Case, broken: str) -> None:
    found = case.found()
    assert (broken in found) if broken else found == set(), found


def test_a_part_that_went_a_second_time_is_a_violation_whoever_is_told() -> None:
    case = Case().told("refunded-in-part")
    for _ in range(2):
        refund = case.books.refund(case.made, 100, "ours", part=1)
    assert case.books.again == [refund]
    assert "sent-twice" in case.found()


@pytest.mark.parametrize(
    ("order", "broken"),
    [({}, True), ({"expiresAt": END}, False), ({"paidAt": "x"}, False), ({"totalMinor": 1}, False)],
)
def test_whoever_paid_before_the_orders_end_is_paid(order: dict[str, Any], broken: bool) -> None:
    unpaid = {"state": "refunded", "paidAt": "", "expiresAt": "2099"} | order
    assert ("paid-in-time" in Case(**unpaid).refunded().found()) is broken


def test_what_a_bank_was_at_when_the_page_was_closed_may_come_too_late() -> None:
    case = Case(state="refunded", paidAt="", expiresAt="2099").refunded()
    (page,) = case.books.pages.values()
    page.late_when_closed = True
    assert case.found() == set()


def test_differences_that_nobody_is_told_of_are_a_violation() -> None:
    assert "books" in Case().found(raised=1)
    assert "books" not in Case().told("disputed").found(raised=1)


@pytest.mark.parametrize(
    ("state", "reason"), [("open", "disputed"), ("lost", "disputed"), ("won", "")]
)
def test_the_provider_refunds_nothing_that_a_bank_takes_back(state: Any, reason: str) -> None:
    case = Case().disputed(state)
    if not reason:
        assert case.books.refund(case.made, 900, "ours").state == "pending"
        return
    with pytest.raises(PaymentRefusedError) as refused:
        case.books.refund(case.made, 900, "ours")
    assert refused.value.reason == reason


@pytest.mark.parametrize(("before", "reason"), [(900, "already-refunded"), (1, "invalid")])
def test_the_provider_gives_back_no_more_than_it_took(before: int, reason: str) -> None:
    case = Case().refunded_by_hand(before)
    with pytest.raises(PaymentRefusedError) as refused:
        case.books.refund(case.made, 900, "ours")
    assert refused.value.reason == reason


def test_a_page_takes_nothing_once_it_is_closed() -> None:
    mine, _ = books()
    page, _ = mine.open("ord_2", 900, "EUR", LATE_MS + 1)
    assert mine.close(page)
    assert mine.capture(page, 900) is None
    again, new = mine.open("ord_2", 900, "EUR", LATE_MS + 1)
    assert new
    assert again is not page
    with pytest.raises(PaymentRefusedError):
        mine.open("ord_3", 900, "EUR", LATE_MS)


def order_of(state: str, places: int, session: str = "s") -> dict[str, Any]:
    units = [{"quantity": places}]
    who = {"userId": "ann", "eventId": "show"}
    return {"PK": session, "SK": "O#1", "state": state, "units": units, **who}


def test_nobody_is_above_the_limit_at_any_commit() -> None:
    taken = PlacesTaken({"show": 4})
    assert list(taken.wrong_with(None, order_of("pending", 3))) == []
    assert list(taken.wrong_with(order_of("pending", 3), order_of("paid", 3))) == []
    assert list(taken.wrong_with(None, order_of("pending", 2, "t"))) == ["ann has 5 places in show"]
    assert list(taken.wrong_with(order_of("paid", 3), order_of("cancelled", 3))) == []
    assert list(taken.wrong_with(None, {"PK": "e#1", "SK": "META"})) == []


@pytest.mark.parametrize(("error", "defects"), [("TypeError", 1), ("PaymentRefusedError", 0)])
def test_what_a_timer_isolates_is_a_defect_when_no_port_declares_it(
    error: str, defects: int
) -> None:
    found: list[str] = []
    _TimersLog(found).error("not done", failure={"error": error})
    assert len(found) == defects
