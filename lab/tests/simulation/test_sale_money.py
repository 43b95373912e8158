"""The laws of money: each accepts what may be, and names what may not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.errors import PaymentRefusedError
from fairgate.ports.payments import Capture
from fairgate_lab.simulate.sale import money_laws
from fairgate_lab.simulate.sale.books import PAGE_MS_MIN, Books
from fairgate_lab.simulate.sale.fleet import _TimersLog
from fairgate_lab.simulate.sale.money_laws import Accounts
from fairgate_lab.simulate.sale.transitions import PlacesTaken

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
        self.disputes: list[Any] = []
        self.duties: set[str] = set()
        self.ledger: list[dict[str, Any]] | None = None  # None: as the provider has it

    def refunded(self, said: str | None = "succeeded", really: Any = "succeeded") -> Case:
        self.books.becomes(self.books.refund(self.made, 900, "ours").id, really)
        self.refund = None if said is None else self.owing(said)
        return self

    def repeated_by_hand(self, said: str) -> Case:
        """Ours came back, and another hand's, which did not, is the one that is followed."""
        self.refunded("failed", "failed").refunded_by_hand(900)
        *_, theirs = self.books.refunds
        if self.refund is not None and said == "succeeded":
            self.refund = self.owing(said) | {"refundId": theirs}
        return self

    def refunded_by_hand(self, amount_minor: int) -> Case:
        refund = self.books.refund(self.made, amount_minor, "theirs")
        self.books.becomes(refund.id, "succeeded")
        return self

    def owing(self, said: str) -> dict[str, Any]:
        return {"state": said, "amountMinor": self.made.amount_minor}

    def owes(self, said: str) -> Case:
        self.refund = self.owing(said)
        return self

    def disputed(self, state: Any, said: str | None) -> Case:
        dispute = self.books.dispute(self.made)
        assert dispute is not None
        if state != "open":
            self.books.decide(dispute, state)
        self.disputes = [{"disputeId": dispute.id, "state": said}] if said else []
        return self

    def told(self, *kinds: str) -> Case:
        self.duties |= set(kinds)
        return self

    def entered(self, **amounts: int) -> Case:
        """The ledger has these sums, whatever the provider says."""
        self.ledger = [
            {"paymentId": self.made.payment, "kind": kind, "amountMinor": amount}
            for kind, amount in amounts.items()
        ]
        return self

    def entries(self) -> list[dict[str, Any]]:
        if self.ledger is None:
            taken = [one for one in self.books.disputed.values() if one.state != "won"]
            self.entered(
                capture=self.made.amount_minor,
                refund=-self.books.back(self.made.payment),
                dispute=-sum(one.amount_minor for one in taken),
            )
        return self.ledger or []

    def found(self) -> set[str]:
        payment = self.made.payment
        accounts = Accounts(
            self.books,
            {ORDER: self.order},
            {} if self.refund is None else {(ORDER, payment): [self.refund]},
            self.disputes,
            {payment: frozenset(self.duties)} if self.duties else {},
            self.entries(),
        )
        return {violation.law for violation in money_laws.compare(accounts, raised=0)}


@pytest.mark.parametrize(
    ("case", "broken"),
    [
        (Case(), ""),
        (Case().entered(capture=899), "ledger-captured"),
        (Case().entered(), "ledger-captured"),
        (Case().entered(capture=900, refund=-900), "ledger-refunded"),
        (Case().entered(capture=900, refund=-400).told("refunded-in-part"), ""),
        (Case().entered(capture=900, dispute=-900), "ledger-disputed"),
        (Case(totalMinor=901), "money-amount"),
        (Case(paymentId="pay_other"), "ticket-without-money"),
        (Case(state="paid"), "unsettled"),
        (Case(state="expired"), "money-without-ticket"),
        (Case(state="expired").told("raised"), ""),
        (Case(state="refunded").refunded(), ""),
        (Case(state="refunded"), "refunded-order"),
        (Case(state="refunded").refunded("succeeded", "failed"), "refund-state"),
        (Case(state="refund_due").refunded("failed", "failed"), "duty"),
        (Case(state="refund_due").refunded("failed", "failed").told("refund-failed"), ""),
        (Case(state="refunded").repeated_by_hand("succeeded"), ""),
        (Case(state="cancelled").repeated_by_hand("succeeded"), "back-unnoticed"),
        (
            Case(state="cancelled").repeated_by_hand("failed").told("refund-failed"),
            "back-unnoticed",
        ),
        (
            Case(state="refunded").repeated_by_hand("succeeded").told("refund-failed"),
            "done-duty",
        ),
        (Case(state="refund_due").owes("refused"), "unsettled"),
        (Case(state="refund_due").owes("refused").told("refund-refused"), ""),
        (Case(state="refund_due").owes("owed").told("refund-refused"), "never-refunded"),
        (Case().refunded_by_hand(400), "duty"),
        (Case().refunded_by_hand(400).told("refunded-in-part"), ""),
        (Case(state="disputed").disputed("open", "open").told("disputed"), ""),
        (Case(state="disputed").disputed("open", "open"), "duty"),
        (Case().disputed("open", "open").told("disputed"), "disputed-tickets"),
        (Case(state="disputed").disputed("won", "won"), "undisputed"),
        (Case().disputed("won", "won"), ""),
        (Case().disputed("won", "won").told("disputed"), "done-duty"),
        (Case(state="charged_back").disputed("lost", "lost").told("disputed"), "duty"),
        (Case().disputed("won", "open"), "dispute-state"),
        (Case(state="charged_back").disputed("lost", "lost").told("charged-back"), ""),
        (Case(state="charged_back").disputed("lost", None).told("charged-back"), "dispute-state"),
    ],
)
def test_a_capture_has_one_end_and_our_records_say_which(case: Case, broken: str) -> None:
    found = case.found()
    assert (broken in found) if broken else found == set(), found


def test_a_refund_above_the_capture_is_a_violation() -> None:
    case = Case(state="refunded").refunded()
    (mine,) = case.books.refunds.values()
    case.books.refunds["re_more"] = replace(mine, id="re_more")
    assert "refunded-twice" in case.found()


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
    mine, _ = books()
    accounts = Accounts(mine, {}, {}, [], {})
    laws = {violation.law for violation in money_laws.compare(accounts, raised=1)}
    assert "books" in laws
    assert "money-for-nothing" in laws


@pytest.mark.parametrize(
    ("state", "reason"), [("open", "disputed"), ("lost", "disputed"), ("won", "")]
)
def test_the_provider_refunds_nothing_that_a_bank_takes_back(state: Any, reason: str) -> None:
    case = Case().disputed(state, state)
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
