"""A simulated buyer that is wrongly answered says so: else a load would prove nothing."""

from __future__ import annotations

import asyncio

import pytest

from fairgate.http import paths
from fairgate_ops.run.crowd import buyer as buyer_module
from fairgate_ops.run.crowd.buyer import TASTES, Buyer, Outcome, Payment, Plan, client
from tests.support.buyers_site import PAY, Said, buyers_site

CRASHED = Said(500, {"code": "internal-error"})
MALFORMED = Said(400, {"code": "malformed-input", "detail": "no such seat"})


def visit(base_url: str, *, taste: str = "best-available", payment: Payment = "pay") -> Outcome:
    plan = Plan("sim-1", 2, taste, payment, patience_s=20, think_s=0, seed=7)

    async def come() -> Outcome:
        async with client() as http:
            return await Buyer(http, base_url, "demo", plan).run()

    return asyncio.run(come())


@pytest.mark.parametrize("taste", TASTES)
def test_a_buyer_comes_to_a_ticket_when_all_answers_are_right(taste: str) -> None:
    with buyers_site() as base_url:
        outcome = visit(base_url, taste=taste)
    assert (outcome.kind, outcome.code) == ("ticket", "ticketed"), outcome


WRONG = {
    "sign-in crashes": (("POST", paths.AUTH_EXCHANGE), CRASHED, "internal-error"),
    "sign-in without a token": (("POST", paths.AUTH_EXCHANGE), Said(200), "unexpected-answer"),
    "no challenge": (("POST", paths.QUEUE), Said(200, {"token": "t"}), "unexpected-answer"),
    "queue calls it malformed": (("POST", paths.QUEUE), MALFORMED, "malformed-input"),
    "admitted without a session": (("POST", paths.ADMISSION), Said(201), "unexpected-answer"),
    "admission crashes": (("POST", paths.ADMISSION), CRASHED, "internal-error"),
    "figures are no JSON": (("GET", paths.AVAILABILITY), Said(200, "{no"), "unexpected-answer"),
    "hold crashes": (("POST", paths.BEST_AVAILABLE), CRASHED, "internal-error"),
    "hold calls it malformed": (("POST", paths.BEST_AVAILABLE), MALFORMED, "malformed-input"),
    "a bare 404": (("POST", paths.BEST_AVAILABLE), Said(404), "http-404"),
    "no address to pay": (("POST", paths.CHECKOUT), Said(201), "unexpected-answer"),
    "payment page is gone": (("GET", PAY), Said(404), "payment-page"),
    "payment is not taken": (("POST", PAY), Said(500), "payment-page"),
    "paid and no ticket": (("GET", paths.ORDER), Said(200, {"state": "paid"}), "order-stuck"),
    "ticketed and not shown": (("GET", paths.TICKET_SVG), CRASHED, "internal-error"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_buyer_is_broken_when_it_is_wrongly_answered(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, said, code = WRONG[what]
    if code == "http-404":  # a refusal names its code; one without is no answer of ours
        said = Said(404, {})
    monkeypatch.setattr(buyer_module, "ORDER_PATIENCE_S", 1.0)
    with buyers_site({asked: said}) as base_url:
        outcome = visit(base_url)
    assert (outcome.kind, outcome.code) == ("broken", code), outcome


@pytest.mark.parametrize(
    ("payment", "code"),
    [
        ("abandon", "abandoned"),
        ("decline", "declined"),
        ("decline-then-pay", "ticketed"),
        ("twice", "ticketed"),
    ],
)
def test_who_leaves_says_why(payment: Payment, code: str) -> None:
    with buyers_site() as base_url:
        outcome = visit(base_url, payment=payment)
    assert outcome.kind in ("message", "ticket")
    assert outcome.code == code


def test_a_buyer_whose_card_was_declined_pays_again_once_the_shop_has_heard_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unheard = Said(200, {"state": "ticketed", "last_attempt": None})
    monkeypatch.setattr(buyer_module, "ORDER_PATIENCE_S", 1.0)
    with buyers_site({("GET", paths.ORDER): unheard}) as base_url:
        outcome = visit(base_url, payment="decline-then-pay")
    assert (outcome.code, outcome.detail.split()[1]) == ("order-stuck", "last_attempt"), outcome


def test_a_refusal_is_no_defect() -> None:
    refused = Said(403, {"code": "locked-out"})
    with buyers_site({("POST", paths.ADMISSION): refused}) as base_url:
        outcome = visit(base_url)
    assert (outcome.kind, outcome.code) == ("refusal", "locked-out")
