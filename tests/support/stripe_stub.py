"""The part of Stripe's API that Fairgate calls, as its reference describes it, on loopback.

Every object is one of Stripe's published fixtures with some values changed: a field that neither
the fixture nor the package's type has cannot be answered. Idempotency keys as Stripe keeps them:
same key and parameters repeat the answer, a failed one too, and say so; other parameters are an
error. What ends before a call begins to execute is not kept.
Source: Stripe API reference, "Idempotent requests"; docs.stripe.com/error-low-level.
"""

from __future__ import annotations

import copy
import itertools
import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import stripe

KEY = "sk_test_stub"
MINUTES_MIN_S = 1_800
FIXTURES = json.loads((Path(__file__).parents[1] / "data/stripe/fixtures.json").read_text())
TYPES: dict[str, type[stripe.StripeObject]] = {
    "checkout.session": stripe.checkout.Session,
    "refund": stripe.Refund,
    "charge": stripe.Charge,
    "payment_intent": stripe.PaymentIntent,
    "dispute": stripe.Dispute,
    "event": stripe.Event,
    "balance_transaction": stripe.BalanceTransaction,
}
Thing = dict[str, Any]
LISTS = ("charges", "refunds", "disputes", "payouts", "balance_transactions")
NOT_KEPT = (401, 409, 429)


class StripeError(Exception):
    """An answer of Stripe's that is an error, or none of Stripe's at all (``raw``)."""

    def __init__(
        self,
        status: int,
        code: str = "",
        kind: str = "invalid_request_error",
        *,
        param: str = "",
        raw: bytes | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        told = {"type": kind, "code": code, "param": param, "message": code or "refused"}
        body = {"error": {name: value for name, value in told.items() if value}}
        self.body = json.dumps(body).encode() if raw is None else raw


def like(kind: str, **changes: Any) -> Thing:
    """Stripe's own example of an object, with these values."""
    unknown = set(changes) - set(FIXTURES[kind]) - set(TYPES[kind].__annotations__)
    assert not unknown, f"a {kind} has no {unknown}"
    return {**copy.deepcopy(FIXTURES[kind]), **changes}


class StripeStub:
    """Books in memory; ``pay`` and ``decline`` stand for the buyer on the hosted page.

    ``refuse`` names calls ("POST /v1/refunds") that answer with an error, in turn or for good;
    ``breaks`` those that do what they are asked, and then answer with one. ``keys`` are the
    idempotency keys of all calls, in turn.
    """

    def __init__(self) -> None:
        self.sessions: dict[str, Thing] = {}
        self.intents: dict[str, Thing] = {}
        self.charges: dict[str, Thing] = {}
        self.refunds: dict[str, Thing] = {}
        self.disputes: dict[str, Thing] = {}
        self.balance_transactions: dict[str, Thing] = {}
        self.payouts: dict[str, Thing] = {}
        self.calls: list[str] = []
        self.sent: list[tuple[str, str, Thing]] = []
        self.keys_taken = {KEY}
        self.refuse: dict[str, StripeError] = {}
        self.breaks: dict[str, StripeError] = {}
        self.keys: list[str] = []
        self.refund_status, self.failure_reason = "succeeded", ""
        self.down = False
        self.manual: set[str] = set()  # pages whose money is held
        self.opens_with: Thing = {}  # what is wrong with the pages that it opens
        self._answers: dict[str, tuple[str, int, bytes]] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.url = ""

    # --- what buyers, banks and people at the dashboard do

    def pay(self, page: str, *, at_s: int | None = None, card: str = "4242") -> Thing:
        """The event of a paid page, or of one whose money is held."""
        session = self.sessions[page.rpartition("/")[2]]
        assert session["status"] == "open"
        amount, held = session["amount_total"], session["id"] in self.manual
        status = "requires_capture" if held else "succeeded"
        intent = self._intent(session, status=status, amount_received=0 if held else amount)
        charge = like(
            "charge",
            id=f"ch_{next(self._numbers)}",
            created=int(time.time()) if at_s is None else at_s,
            payment_intent=intent["id"],
            amount=amount,
            amount_captured=0 if held else amount,
            captured=not held,
            payment_method_details={"type": "card", "card": {"fingerprint": f"fp{card}"}},
            currency=session["currency"],
            metadata=intent["metadata"],
        )
        self.charges[charge["id"]] = charge
        if not held:
            self._moves("charge", amount, charge, fee=amount // 100 + 25)
        intent["latest_charge"] = charge["id"]
        paid = "unpaid" if held else "paid"
        session.update(status="complete", payment_status=paid, payment_intent=intent["id"])
        return self.event("checkout.session.completed", session)

    def decline(self, page: str) -> Thing:
        session = self.sessions[page.rpartition("/")[2]]
        return self.event("payment_intent.payment_failed", self._intent(session))

    def refund_elsewhere(self, payment: str) -> Thing:
        """A person gives it back in the dashboard: no metadata of ours."""
        self._give_back(self._charge_of(payment), {})
        return self.event("charge.refunded", self._charge_of(payment))

    def decide_refund(self, refund_id: str, status: str, reason: str = "") -> Thing:
        refund = self.refunds[refund_id]
        refund["status"] = status
        if status in ("failed", "canceled"):
            refund["failure_reason"] = reason or "unknown"
            self.charges[refund["charge"]]["amount_refunded"] -= refund["amount"]
            self._moves("refund_failure", refund["amount"], refund)
        return self.event("refund.failed" if status == "failed" else "refund.updated", refund)

    def dispute(self, payment: str, status: str = "needs_response") -> Thing:
        charge = self._charge_of(payment)
        dispute = like(
            "dispute",
            id=f"dp_{next(self._numbers)}",
            charge=charge["id"],
            payment_intent=payment,
            amount=charge["amount"],
            currency=charge["currency"],
            created=int(time.time()),
            reason="fraudulent",
            status=status,
        )
        self.disputes[dispute["id"]] = dispute
        charge["disputed"] = True
        self._moves("adjustment", -charge["amount"], dispute, fee=1_500, category="dispute")
        return self.event("charge.dispute.created", dispute)

    def decide_dispute(self, dispute_id: str, status: str, kind: str = "closed") -> Thing:
        dispute = self.disputes[dispute_id]
        if status == "won":
            category = "dispute_reversal"
            self._moves("adjustment", dispute["amount"], dispute, category=category)
        dispute["status"] = status
        return self.event(f"charge.dispute.{kind}", self.disputes[dispute_id])

    def event(self, kind: str, thing: Thing) -> Thing:
        name = f"evt_{next(self._numbers)}"
        return like("event", id=name, type=kind, data={"object": copy.deepcopy(thing)})

    def pay_out(self) -> None:
        """Send all to the bank that no payout took, by the account's schedule."""
        parts = [one for one in self.balance_transactions.values() if "payout" not in one]
        amount = sum(one["net"] for one in parts)
        payout = new_payout(f"po_{next(self._numbers)}", amount)
        self.payouts[payout["id"]] = payout
        self._moves("payout", -amount, payout)
        for one in self.balance_transactions.values():
            one.setdefault("payout", payout["id"])

    def _moves(
        self, kind: str, amount: int, source: Thing, *, fee: int = 0, category: str = ""
    ) -> None:
        name = f"txn_{next(self._numbers)}"
        self.balance_transactions[name] = like(
            "balance_transaction",
            id=name,
            type=kind,
            reporting_category=category or kind,
            amount=amount,
            fee=fee,
            net=amount - fee,
            currency=source["currency"],
            created=int(time.time()),
            source=source["id"],
        )

    def _intent(self, session: Thing, **changes: Any) -> Thing:
        intent = like(
            "payment_intent",
            id=f"pi_{next(self._numbers)}",
            amount=session["amount_total"],
            currency=session["currency"],
            metadata=session["metadata"],
            **changes,
        )
        self.intents[intent["id"]] = intent
        return intent

    def _charge_of(self, payment: str) -> Thing:
        """Raises StripeError."""
        if payment not in self.intents:
            raise StripeError(404, "resource_missing", param="payment_intent")
        charge = self.intents[payment]["latest_charge"]
        if charge is None:
            raise StripeError(400, "payment_intent_unexpected_state")
        return self.charges[charge]

    # --- the API

    def answer(self, method: str, path: str, form: Thing, key: str) -> tuple[int, bytes, bool]:
        """Status and body, and whether they are what was answered to this key before."""
        with self._lock:
            self.calls.append(f"{method} {path}")
            self.sent.append((method, path, form))
            self.keys += [key] if key else []
            if self.down:
                raise StripeError(503, "down", "api_error")
            told = json.dumps([method, path, form], sort_keys=True)
            if key and key in self._answers:
                before, status, body = self._answers[key]
                if before != told:
                    raise StripeError(400, kind="idempotency_error")
                return status, body, True
            try:
                if refusal := self._refusal(method, path):
                    raise refusal
                done = self._expanded(self._do(method, path, form), form)
                if broken := self.breaks.get(f"{method} {path}"):
                    raise broken
                status, body = 200, json.dumps(done).encode()
            except StripeError as error:
                status, body = error.status, error.body
            if key and status not in NOT_KEPT:
                self._answers[key] = (told, status, body)
            return status, body, False

    def _refusal(self, method: str, path: str) -> StripeError | None:
        return self.refuse.get(f"{method} {path}") or self.refuse.get("any")

    def _do(self, method: str, path: str, form: Thing) -> Thing:  # noqa: PLR0911 one call each
        parts = path.strip("/").split("/")[1:]
        match method, parts:
            case "POST", ["checkout", "sessions"]:
                return self._open(form)
            case "POST", ["checkout", "sessions", session, "expire"]:
                return self._expire(session)
            case "GET", [*_, "sessions", name]:
                return _found(self.sessions, name)
            case "GET", ["payment_intents" | "refunds" | "disputes" as books, name]:
                named = {"refunds": self.refunds, "disputes": self.disputes}
                return _found(named.get(books, self.intents), name)
            case "POST", ["payment_intents", name, "capture" | "cancel" as act]:
                return self._end_held(_found(self.intents, name), act)
            case "POST", ["refunds"]:
                return self._refund(form)
            case "GET", [books] if books in LISTS:
                return _listed(f"/v1/{books}", list(getattr(self, books).values()), form)
        raise StripeError(404, "resource_missing")

    def _open(self, form: Thing) -> Thing:
        if int(form["expires_at"]) < time.time() + MINUTES_MIN_S:
            raise StripeError(400, param="expires_at")
        name = f"cs_test_{next(self._numbers):08d}"
        item = "line_items[0]"
        session = like(
            "checkout.session",
            id=name,
            url=f"https://checkout.stripe.example/c/pay/{name}",
            payment_intent=None,
            expires_at=int(form["expires_at"]),
            amount_total=int(form[f"{item}[price_data][unit_amount]"])
            * int(form[f"{item}[quantity]"]),
            currency=form[f"{item}[price_data][currency]"],
            metadata=_metadata(form),
        )
        for field, value in self.opens_with.items():
            session[field] = value.replace("{id}", name) if value else value
        assert _metadata(form, "payment_intent_data[metadata]") == _metadata(form)
        self.sessions[name] = session
        if form.get("payment_intent_data[capture_method]") == "manual":
            self.manual.add(name)
        return session

    def _end_held(self, intent: Thing, act: str) -> Thing:
        if intent["status"] != "requires_capture":
            raise StripeError(400, "payment_intent_unexpected_state")
        if act == "cancel":
            intent["status"] = "canceled"
            return intent
        intent["status"] = "succeeded"
        charge = self.charges[intent["latest_charge"]]
        charge.update(captured=True, amount_captured=charge["amount"])
        self._moves("charge", charge["amount"], charge, fee=charge["amount"] // 100 + 25)
        for session in self.sessions.values():
            if session["payment_intent"] == intent["id"]:
                session["payment_status"] = "paid"
        return intent

    def _expire(self, name: str) -> Thing:
        session = _found(self.sessions, name)
        if session["status"] != "open":
            raise StripeError(400)  # in words alone
        session["status"] = "expired"
        return session

    def _refund(self, form: Thing) -> Thing:
        charge = self._charge_of(form["payment_intent"])
        contested = any(
            dispute["charge"] == charge["id"] and dispute["status"] != "won"
            for dispute in self.disputes.values()
        )
        if charge["amount_refunded"] == charge["amount"]:
            raise StripeError(400, "charge_already_refunded")
        if contested:
            raise StripeError(400, "charge_disputed")
        left = charge["amount"] - charge["amount_refunded"]
        amount = int(form.get("amount", left))
        if not 0 < amount <= left:
            raise StripeError(400, "amount_too_large")
        return self._give_back(charge, _metadata(form), amount)

    def _give_back(self, charge: Thing, metadata: dict[str, str], amount: int = 0) -> Thing:
        amount = amount or charge["amount"] - charge["amount_refunded"]
        failed = self.refund_status in ("failed", "canceled")
        charge["amount_refunded"] += 0 if failed else amount
        refund = like(
            "refund",
            id=f"re_{next(self._numbers)}",
            created=int(time.time()),
            charge=charge["id"],
            payment_intent=charge["payment_intent"],
            amount=amount,
            currency=charge["currency"],
            metadata=metadata,
            status=self.refund_status,
        )
        if failed:
            refund["failure_reason"] = self.failure_reason
        self.refunds[refund["id"]] = refund
        if not failed:
            self._moves("refund", -amount, refund)
        return refund

    def _expanded(self, thing: Thing, form: Thing) -> Thing:
        """Ids as their objects where the call asks for it."""
        wanted = [value for name, value in form.items() if name.startswith("expand[")]
        thing = copy.deepcopy(thing)
        for path in wanted:
            names = path.removeprefix("data.").split(".")
            for one in thing["data"] if path.startswith("data.") else [thing]:
                self._expand(one, names)
        return thing

    def _expand(self, thing: Thing, names: list[str]) -> None:
        books = {"payment_intent": self.intents, "charge": self.charges}
        books["latest_charge"] = self.charges
        books["source"] = {**self.charges, **self.refunds, **self.disputes, **self.payouts}
        if names and isinstance(thing[names[0]], str):
            thing[names[0]] = copy.deepcopy(books[names[0]][thing[names[0]]])
            self._expand(thing[names[0]], names[1:])

    def check(self, authorization: str | None) -> None:
        if (authorization or "").removeprefix("Bearer ") not in self.keys_taken:
            raise StripeError(401, "invalid_api_key", "authentication_error")


def new_payout(name: str, amount: int) -> Thing:
    """What the package's type has of a payout that went out by itself; no example is published."""
    values = {
        "object": "payout",
        "id": name,
        "amount": amount,
        "currency": "eur",
        "created": int(time.time()),
        "arrival_date": int(time.time()) + 172_800,
        "automatic": True,
        "reconciliation_status": "completed",
        "status": "paid",
    }
    assert not set(values) - set(stripe.Payout.__annotations__), "a payout has no such field"
    return values


def _metadata(form: Thing, of: str = "metadata") -> dict[str, str]:
    return {
        name.removeprefix(f"{of}[").removesuffix("]"): value
        for name, value in form.items()
        if name.startswith(f"{of}[")
    }


def _found(books: dict[str, Thing], name: str) -> Thing:
    if name not in books:
        raise StripeError(404, "resource_missing", param="id")
    return books[name]


def _listed(url: str, things: list[Thing], form: Thing) -> Thing:
    """Newest first, two a page so that a test meets a second one."""
    since, until = int(form.get("created[gte]", 0)), int(form.get("created[lt]", 10**12))
    of = {name: form[name] for name in ("payment_intent", "payout") if name in form}
    found = [
        thing
        for thing in reversed(things)
        if since <= (thing["created"] or since) < until
        and all(thing.get(name) == value for name, value in of.items())
    ]
    names = [thing["id"] for thing in found]
    start = names.index(form["starting_after"]) + 1 if "starting_after" in form else 0
    end = start + min(2, int(form.get("limit", 10)))
    return {"object": "list", "data": found[start:end], "has_more": len(found) > end, "url": url}


def nested(form: Thing) -> Thing:
    """A form's parameters as they were before they were flattened."""
    made: Thing = {}
    for name, value in form.items():
        *path, last = re.findall(r"[^\[\]]+", name)
        inner = made
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return made
