"""Stripe's own data and types say what the adapter may send and read, and what the stub answers."""

from __future__ import annotations

import sys
import typing
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import stripe
from stripe import params
from stripe.params import checkout

from tests.contract.test_payments_contract import event_of, open_page
from tests.support.payment_providers import ORDER, OTHER, Delivery, Stripe
from tests.support.stripe_stub import FIXTURES, TYPES, Thing, like, nested

# What each call may be sent. Source: the package's own parameter types.
CALLS: dict[tuple[str, str], Any] = {
    ("POST", "checkout/sessions"): checkout.SessionCreateParams,
    ("POST", "checkout/sessions/*/expire"): checkout.SessionExpireParams,
    ("GET", "checkout/sessions/*"): checkout.SessionRetrieveParams,
    ("POST", "refunds"): params.RefundCreateParams,
    ("GET", "refunds"): params.RefundListParams,
    ("GET", "refunds/*"): params.RefundRetrieveParams,
    ("GET", "charges"): params.ChargeListParams,
    ("GET", "disputes"): params.DisputeListParams,
    ("GET", "disputes/*"): params.DisputeRetrieveParams,
    ("GET", "balance_transactions"): params.BalanceTransactionListParams,
    ("GET", "payouts"): params.PayoutListParams,
    ("GET", "payment_intents/*"): params.PaymentIntentRetrieveParams,
}
COLLECTIONS = {
    "checkout",
    "sessions",
    "refunds",
    "charges",
    "disputes",
    "payment_intents",
    "balance_transactions",
    "payouts",
    "expire",
}


def walk(provider: Stripe) -> None:
    """Make every call, and read every webhook."""
    payments, stub = provider.payments, provider.stub
    told: list[Delivery] = []
    page, other = open_page(provider), open_page(provider, OTHER)
    told += [provider.decline(other), provider.pay(page)]
    payments.close_checkout(other)
    payments.close_checkout(page)
    payments.find_capture(page)
    payment = event_of(provider, told[1]).payment
    made = payments.refund(payment=payment, order=ORDER, amount_minor=10_000)
    payments.find_refund(made.id)
    provider.pay_out()
    list(payments.movements(0, 10**13))
    list(payments.payouts(0))
    list(payments.movements_of_payout(next(iter(stub.payouts))))
    payments.find_refunds(payment=payment, order=ORDER)
    told += [provider.return_refund(payment), provider.refund_elsewhere(payment)]
    told += [provider.dispute(payment), provider.decide(payment, "lost")]
    for kind in ("expired", "async_payment_succeeded", "async_payment_failed"):
        session = next(iter(stub.sessions.values()))
        told.append(provider.signed(stub.event(f"checkout.session.{kind}", session)))
    (elsewhere,) = [refund for refund in stub.refunds.values() if not refund["metadata"]]
    told.append(provider.signed(stub.event("refund.updated", elsewhere)))
    (dispute,) = stub.disputes
    payments.find_dispute(dispute)
    for delivery in told:
        assert event_of(provider, delivery).kind != "other"
    assert list(payments.captures(0))
    assert list(payments.disputes(0))


# --- what the adapter sends


def template(path: str) -> str:
    parts = path.removeprefix("/v1/").split("/")
    return "/".join(part if part in COLLECTIONS else "*" for part in parts)


def unknown(form: Thing, kind: Any, where: str) -> Iterator[str]:
    """The parameters that the package's type does not have."""
    scope = vars(typing) | vars(sys.modules[kind.__module__]) | {"StripeContext": SimpleNamespace}
    fields = typing.get_type_hints(kind, localns=scope)
    for name, value in form.items():
        if name not in fields:
            yield f"{where}.{name}"
        elif isinstance(value, dict):
            for inner in typed_dicts(fields[name]):
                listed = all(key.isdecimal() for key in value)
                for one in value.values() if listed else [value]:
                    yield from unknown(one, inner, f"{where}.{name}")


def typed_dicts(hint: Any) -> Iterator[Any]:
    if hasattr(hint, "__required_keys__"):  # also one of typing_extensions
        yield hint
    for argument in typing.get_args(hint):
        yield from typed_dicts(argument)


def test_what_is_sent_is_what_the_package_sends(stripe_provider: Stripe) -> None:
    walk(stripe_provider)
    sent = {(method, template(path)) for method, path, _ in stripe_provider.stub.sent}
    assert sent == set(CALLS)
    for method, path, form in stripe_provider.stub.sent:
        kind = CALLS[method, template(path)]
        assert list(unknown(nested(form), kind, f"{method} {path}")) == []


def test_a_parameter_that_stripe_has_given_up_is_noticed() -> None:
    form = {"payment_method_types[0]": "card", "line_items[0][prize]": "1", "mode": "payment"}
    found = unknown(nested(form), checkout.SessionCreateParams, "open")
    assert list(found) == ["open.payment_method_types", "open.line_items.prize"]


# --- what the adapter reads


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> set[tuple[type, str]]:
    """Every attribute of Stripe's objects that our code asks for."""
    seen: set[tuple[type, str]] = set()
    theirs = vars(stripe.StripeObject)["__getattr__"]

    def noted(self: Any, name: str) -> Any:
        if "adapters/payments" in sys._getframe(1).f_code.co_filename.replace("\\", "/"):
            seen.add((type(self), name))
        return theirs(self, name)

    monkeypatch.setattr(stripe.StripeObject, "__getattr__", noted)
    return seen


def test_what_is_read_is_what_the_package_knows(
    stripe_provider: Stripe, reads: set[tuple[type, str]]
) -> None:
    walk(stripe_provider)
    wrong = {(kind.__name__, name) for kind, name in reads if name not in fields_of(kind)}
    assert wrong == set()
    assert {kind.__name__ for kind, _ in reads} == {
        *("BalanceTransaction", "Charge", "Data", "Dispute", "ErrorObject", "Event"),
        *("ListObject", "PaymentIntent", "Payout", "Refund", "Session"),
    }
    assert {(stripe.Charge, "disputed"), (stripe.Refund, "failure_reason")} <= reads


def fields_of(kind: type) -> set[str]:
    return {name for one in kind.__mro__ for name in vars(one).get("__annotations__", {})}


# --- what the stub answers


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a field's type, as far as that is plain; one of its words if it has."""
    arguments = typing.get_args(hint)
    words = [w for a in arguments if typing.get_origin(a) is typing.Literal for w in a.__args__]
    if typing.get_origin(hint) is typing.Literal:
        return value in arguments
    if words and isinstance(value, str):
        return value in words
    if typing.get_origin(hint) is typing.Union:
        return any(fits(value, argument) for argument in arguments)
    if isinstance(hint, type) and hint in (int, str, bool, float, type(None)):
        return type(value) is hint
    if hint is Any or isinstance(hint, (str, typing.ForwardRef)):
        return True
    return isinstance(value, (dict, list))


def misfits(thing: Thing, kind: str) -> dict[str, Any]:
    hints = TYPES[kind].__annotations__
    return {
        name: value
        for name, value in thing.items()
        if name in hints and not fits(value, hints[name])
    }


def test_what_the_stub_answers_is_of_the_packages_types(stripe_provider: Stripe) -> None:
    walk(stripe_provider)
    stub = stripe_provider.stub
    books = {
        "checkout.session": stub.sessions,
        "refund": stub.refunds,
        "charge": stub.charges,
        "payment_intent": stub.intents,
        "dispute": stub.disputes,
    }
    for kind, things in books.items():
        assert things
        for thing in things.values():
            assert misfits(thing, kind) == {}
            assert set(thing) - set(FIXTURES[kind]) <= set(TYPES[kind].__annotations__)
            assert set(FIXTURES[kind]) <= set(thing)


def test_the_stub_cannot_make_up_a_field_or_a_word() -> None:
    with pytest.raises(AssertionError, match="a charge has no"):
        like("charge", paid_back=True)
    assert misfits(like("dispute", status="angry", amount="5"), "dispute") == {
        "status": "angry",
        "amount": "5",
    }
    assert misfits(like("event", type="charge.dispute.begun"), "event")
