"""An event is cancelled in the running system: killed in the middle, begun again, all paid back."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path

import pytest

from fairgate.adapters.payments.sandbox import api_key
from fairgate.domain.orders.webhook_signature import HEADER, sign
from fairgate.http import paths
from tests.e2e.ended import begun
from tests.e2e.selling import books, sell, webhook_secret
from tests.e2e.shopper import Shopper, call
from tests.support.lengths import at_length
from tests.support.waiting import patience_s, wait_until

GONE = "gone"
ORDERS = at_length(12, 500)
UNTOLD = ("short", "busy", "short", "refuse")  # what a third of the refunds meet, in turn


@pytest.fixture(scope="module")
def sold(system) -> list[Shopper]:
    """Put an event on sale and sell its tickets; return the buyers."""
    sell(system, GONE, 200 + 2 * ORDERS)
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda _: Shopper(system.base_url, GONE).buy(), range(ORDERS)))


def refunded(system, orders: set[str]) -> int:
    return sum(refund["order"] in orders for refund in books(system)["refunds"])


def meets(system, payment: str, action: str) -> None:
    """Let the sandbox treat a payment's next refund so, by its signed call."""
    body = json.dumps({"payment": payment, "action": action}).encode()
    signature = sign(body, secret=api_key(webhook_secret(system)), now_s=int(time.time()))
    headers = {HEADER: signature, "content-type": "application/json"}
    assert call(system.base_url, "POST", "/sandbox/v1/incidents", body, headers).status == 200


def started(system, report: Path, *more: str) -> subprocess.Popen[str]:
    words = ["event", "cancel", GONE, "--refund-all", "--reason", "ill", "--yes", "--json"]
    return begun(system, *words, "--report", str(report), *more)


def test_all_money_goes_back_once_though_it_is_killed_and_the_provider_fails(
    system, sold, tmp_path
):
    ours = {shopper.order for shopper in sold}
    captures = {c["payment"]: c for c in books(system)["captures"] if c["order"] in ours}
    assert len(captures) == ORDERS
    third = sorted(captures)[: ORDERS // 3]
    refused = third[3::4]
    for payment, action in zip(third, cycle(UNTOLD), strict=False):
        meets(system, payment, action)
    choosing = Shopper(system.base_url, GONE)
    choosing.walk_in()
    assert choosing.hold_best(1).status == 201
    report = tmp_path / "gone.csv"
    killed = started(system, report, "--rate", "1")
    try:
        # Somewhere in the middle: some are sent, and not all.
        wait_until(lambda: refunded(system, ours) >= 2, "two refunds", within_s=60)
    finally:
        killed.send_signal(signal.SIGKILL)
        killed.communicate(timeout=patience_s(10))
    assert refunded(system, ours) < ORDERS - len(refused)
    assert not report.exists()
    over = (404, 409, 410)
    wait_until(lambda: choosing.checkout().status in over, "its checkout refused")
    page = paths.EVENT.format(event=GONE)
    wait_until(
        lambda: call(system.base_url, "GET", page).body["state"] == "cancelled", "the event's page"
    )
    for payment in set(third) - set(refused):
        meets(system, payment, "make")
    again = started(system, report)
    out, err = again.communicate(timeout=300 + 2 * ORDERS)
    document = json.loads(out)
    assert document["settled"], (document, err)
    assert again.returncode == 1  # some are left to a person
    left = [one["what"] for one in document["for_a_person"]]
    assert left == ["could not be given back"] * len(refused)
    refunds = [refund for refund in books(system)["refunds"] if refund["order"] in ours]
    assert Counter(refund["payment"] for refund in refunds) == Counter(
        payment for payment in captures if payment not in refused
    )
    for refund in refunds:
        assert refund["amount_minor"] == captures[refund["payment"]]["amount_minor"]
    with report.open(encoding="utf-8-sig", newline="") as file:
        rows = {row["order"]: row for row in csv.DictReader(file) if float(row["captured"])}
    assert rows.keys() == ours
    tasks = json.loads(system.fairgate("orders", "tasks", "--json"))["tasks"]
    assert [d["kind"] for d in tasks if d["event_id"] == GONE] == ["refund-refused"] * len(refused)
    for shopper in sold:
        order = shopper.order_now()
        assert order["event_cancelled"]
        assert order["state"] in ("refunded", "cancelled")
        assert shopper.ticket().status == 409
