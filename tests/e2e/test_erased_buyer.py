"""A buyer is erased in the running system: refused while owed, killed in the middle, said again."""

from __future__ import annotations

import json
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairgate.domain.shared.ids import OrderId, session_of_order
from fairgate.http import paths
from fairgate_ops.run.laws.check import check
from fairgate_ops.run.local.local_config import LocalConfig
from tests.e2e.ended import begun
from tests.e2e.selling import sell
from tests.e2e.shopper import Shopper
from tests.support.waiting import patience_s, wait_until

PAST = "past"
EMAIL = "erased-one@example.org"
NAME = "Ann Erased"
POSTAL = {"street": "Quay 1", "postcode": "", "city": "Hamburg", "country": "Germany"}
ORDERS = 8
ASKED = ("--reason", "asked by letter", "--json")
SELLER = ("--seller", "Tides", "--seller-address", "Quay 1", "--seller-vat-id", "DE1")


@pytest.fixture(scope="module")
def sold(system) -> list[Shopper]:
    """An event of its own, sold to one address by several accounts, and to somebody else."""
    sell(system, PAST, 80)
    system.fairgate("event", "edit", PAST, *SELLER, "--ask-address")
    emails = [EMAIL] * ORDERS + ["other@example.org"]
    with ThreadPoolExecutor(4) as pool:
        buyers = [Shopper(system.base_url, PAST) for _ in emails]
        for one, email in zip(buyers, emails, strict=True):
            one.email, one.asked = email, {"postal_address": POSTAL | {"name": NAME}}
        return list(pool.map(Shopper.buy, buyers))


def buyer(system, *words: str, expect: int = 0) -> dict:
    return json.loads(system.fairgate("buyer", *words, "--json", expect=expect))


def killed_after_the_first(system) -> None:
    command = begun(system, "buyer", "erase", "--email", EMAIL, *ASKED, "--yes")
    try:
        assert command.stderr is not None
        assert command.stderr.readline().startswith("Erased: ord_")
    finally:
        command.send_signal(signal.SIGKILL)
        command.communicate(timeout=patience_s(10))


def addresses(shown: dict, kind: str) -> tuple[int, int]:
    return next((k["count"], k["with_address"]) for k in shown["kinds"] if k["kind"] == kind)


def test_an_address_is_gone_from_orders_and_stays_in_invoices(system, sold, tmp_path):
    ours, other = sold[:-1], sold[-1]
    refused = buyer(system, "erase", "--email", EMAIL, "--reason", "asked", "--yes", expect=1)
    listed = {one["where"]: one["what"] for one in refused["error"]["errors"]}
    assert listed.keys() == {shopper.order for shopper in ours}
    assert all("tickets are valid" in why for why in listed.values())
    for shopper in ours:
        file = str(tmp_path / "invoice.pdf")
        system.fairgate("orders", "invoice", PAST, shopper.order, "--to", file)
    report = ("--report", str(tmp_path / "past.csv"), "--yes")
    system.fairgate("event", "cancel", PAST, "--refund-all", "--reason", "ill", *report)
    wait_until(lambda: ours[0].order_now()["state"] == "refunded", "the refund")
    before = buyer(system, "show", "--email", EMAIL)
    assert addresses(before, "order") == (ORDERS, ORDERS)
    planned = buyer(system, "erase", "--email", EMAIL, "--reason", "asked", "--dry-run")
    assert (planned["dry_run"], len(planned["orders"])) == (True, ORDERS)
    killed_after_the_first(system)
    between = buyer(system, "show", "--email", EMAIL)
    assert addresses(between, "order")[1] < ORDERS
    done = buyer(system, "erase", "--email", EMAIL, "--reason", "asked", "--yes")
    assert len(done["orders"]) == addresses(between, "order")[1]
    after = buyer(system, "show", "--email", EMAIL)
    named_by = {one["kind"] for one in after["items"] if NAME in str(one["item"])}
    assert named_by == {"document"}
    assert addresses(after, "order") == (ORDERS, 0)
    count, named = addresses(after, "document")
    assert count == named >= ORDERS
    assert len([one for one in after["elsewhere"] if "payment provider" in one]) == 1
    _is_gone(system, ours)
    assert other.order in system.fairgate("orders", "list", PAST, "--email", other.email)
    log = system.fairgate("event", "log", PAST, "--json")
    assert EMAIL not in log
    assert NAME not in log
    assert other.order_now()["order"] == other.order


def _is_gone(system, ours: list[Shopper]) -> None:
    """From what staff lists, from what the buyer sees, and from mail; books and laws hold."""
    assert "0 orders" in system.fairgate("orders", "list", PAST, "--email", EMAIL)
    for shopper in ours:
        assert shopper.call("GET", paths.ORDERS).body["orders"] == []
    again = system.ran("orders", "resend", ours[0].order, "--reason", "asked")
    assert again.returncode == 1
    assert "erased on request" in again.stderr
    checked = json.loads(system.fairgate("books", "check", PAST, "--json"))
    assert checked["agrees"]
    report = check(LocalConfig.read(system.run_dir), within_s=30, with_cache=False)
    about = [session_of_order(OrderId(shopper.order)) for shopper in ours]
    assert [v for v in report.violations if any(one in str(v) for one in about)] == []
