"""Operators' jobs on the real system: asked for over HTTP, done apart, their files downloaded."""

from __future__ import annotations

import secrets
import urllib.error
import urllib.request
from typing import Any

import pytest

from fairgate.http import paths
from tests.e2e.selling import books, sell
from tests.e2e.shopper import Answer, Shopper
from tests.support.running import Running
from tests.support.waiting import wait_until

STORM = "storm"


@pytest.fixture(scope="module")
def owner(system: Running) -> Shopper:
    sell(
        system,
        STORM,
        seller_name="Storm Ltd",
        seller_address="1 Quay, 20095 Hamburg",
        seller_vat_id="DE123456789",
    )
    return Shopper(system.base_url, STORM).sign_in(groups=["fairgate-owner"])


def ask(who: Shopper, act: str, arguments: dict[str, Any], **more: Any) -> Answer:
    key = {"idempotency-key": secrets.token_hex(8)}
    body = {"act": act, "arguments": arguments, **more}
    answer: Answer = who.call("POST", paths.OPERATOR_ACTS, body, key)
    return answer


def done(who: Shopper, act: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Ask for a job and wait for its end."""
    asked = ask(who, act, arguments, **more)
    assert asked.status == 200, asked.body
    shown: list[dict[str, Any]] = []

    def ended() -> bool:
        answer = ask(who, "job show", {"job": asked.body["result"]["job"]["id"]})
        shown.append(answer.body["result"]["job"])
        return shown[-1]["state"] in ("done", "failed")

    wait_until(ended, f"the end of {act}", within_s=180, every_s=0.5)
    return shown[-1]


def file_of(job: dict[str, Any]) -> tuple[str, bytes]:
    """Download its one file as a browser does."""
    [file] = job["files"]
    with urllib.request.urlopen(file["url"]) as answer:  # noqa: S310 of this machine
        assert answer.headers["content-disposition"] == f'attachment; filename="{file["name"]}"'
        body: bytes = answer.read()
    assert len(body) == file["bytes"]
    with pytest.raises(urllib.error.HTTPError, match="403"):  # the name of another file
        urllib.request.urlopen(file["url"].replace(file["name"], "other"))  # noqa: S310 the same
    return file["name"], body


def test_an_invoice_an_audit_and_a_cancellation_are_jobs(system: Running, owner: Shopper) -> None:
    buyers = [Shopper(system.base_url, STORM).buy() for _ in range(3)]
    invoice = done(owner, "orders invoice", {"event": STORM, "order": buyers[0].order})
    assert invoice["state"] == "done", invoice["problem"]
    name, body = file_of(invoice)
    assert (name, body[:5]) == (f"{buyers[0].order}.pdf", b"%PDF-")

    audit = done(owner, "audit check", {"event": STORM})
    assert (audit["state"], audit["failed"]) == ("done", False), audit
    assert audit["result"]["admissions"] >= len(buyers)

    cancel = {"event": STORM, "refund_all": True, "reason": "Storm"}
    assert ask(owner, "event cancel", cancel).body["reason"] == "unconfirmed"
    cancelled = done(owner, "event cancel", cancel, confirm="yes")
    assert (cancelled["state"], cancelled["failed"]) == ("done", False), cancelled
    name, body = file_of(cancelled)
    orders = {buyer.order for buyer in buyers}
    assert name == f"{STORM}-cancelled.csv"
    assert all(order in body.decode() for order in orders)
    assert orders <= {refund["order"] for refund in books(system)["refunds"]}
    log = system.fairgate("event", "log", STORM)
    assert f"job {cancelled['id']}" in log
