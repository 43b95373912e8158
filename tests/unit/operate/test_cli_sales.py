"""``fairgate books sales``: by day, tier and rate of VAT; what went back is taken off."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Delete
from fairgate.service.ledger.read_ledger import read_ledger
from fairgate.service.refunds.refund_part import PartRefunder
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.readable import Readable
from fairgate.service.shared.records.catalog import Fees
from fairgate_ops.operate import sales
from tests.support.sale import Sale
from tests.unit.refunds.test_give_back import give_back, now, ticketed
from tests.unit.refunds.test_refunds import cancelled_while_pending, heard
from tests.unit.shared.test_idempotency import cancel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import LedgerEntry, Order
    from tests.support.world import World


@pytest.fixture
def office(world: World, tmp_path: Path) -> Sale:
    """An event at 7 %, its fees at 19 %, its days those of Tokyo."""
    tiers = [replace(tier, vat_bp=700) for tier in world.event.tiers]
    fees = Fees(order_minor=250, ticket_minor=100, vat_bp=1_900)
    world.event = replace(world.event, tiers=tiers, fees=fees, time_zone="Asia/Tokyo")
    world.put(world.event)
    sale = Sale(world, tmp_path)
    sale.container.__dict__["payments"] = world.payments
    return sale


@pytest.fixture
def order(office: Sale) -> Order:
    return ticketed(office.world)


def report(office: Sale, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert office.run(f"books sales {office.world.event.id} --json") == 0
    return dict(json.loads(capsys.readouterr().out))


def in_ledger(world: World) -> int:
    entries = (some.records for some in read_ledger(world.table, world.event.id))
    return sum(entry.amount_minor for records in entries for entry in records)


def by_tier(told: dict[str, Any]) -> dict[str, list[int]]:
    sums: dict[str, list[int]] = {}
    for row in told["rows"]:
        one = sums.setdefault(row["tier"], [0, 0, 0])
        for place, name in enumerate(("tickets", "amount_minor", "vat_minor")):
            one[place] += row[name]
    return sums


def test_a_sale_is_told_by_tier_and_rate_on_the_day_of_its_place(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    told = report(office, capsys)
    assert (told["time_zone"], told["currency"]) == ("Asia/Tokyo", "EUR")
    assert by_tier(told) == {
        "Standard": [2, 10_000, 654],
        "Fee per order": [0, 250, 40],
        "Fee per ticket": [0, 200, 32],
    }
    assert told["total"] == {
        "tickets": 2,
        "amount_minor": 10_450,
        "vat_minor": 726,
        "net_minor": 9_724,
    }
    assert told["total"]["amount_minor"] == in_ledger(office.world)
    assert {row["vat_bp"] for row in told["rows"]} == {700, 1_900}
    assert {row["day"] for row in told["rows"]} == {"2027-01-15"}


def test_places_parts_and_the_rest_go_back_to_nothing(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    world = office.world
    give_back(world, order)
    told = report(office, capsys)
    assert by_tier(told) == {
        "Standard": [1, 5_000, 327],
        "Fee per order": [0, 250, 40],
        "Fee per ticket": [0, 100, 16],
    }
    assert told["total"]["amount_minor"] == in_ledger(world)
    world.clock.tick(86_400)
    refunder = PartRefunder(world.table, world.clock, world.payments)
    refunder.refund(now(world, order), 300, key="a")
    told = report(office, capsys)
    assert told["total"]["tickets"] == 1  # money alone
    assert told["total"]["amount_minor"] == in_ledger(world)
    cancel(world, now(world, order), "")
    told = report(office, capsys)
    assert in_ledger(world) == 0
    assert set(told["total"].values()) == {0}
    assert all(sums == [0, 0, 0] for sums in by_tier(told).values())
    assert len({row["day"] for row in told["rows"]}) == 2  # each refund on its own day


def test_a_cancelled_ticket_is_none_though_all_of_its_price_is_kept(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    world = office.world
    order = ticketed(world, cancel_fee_minor=9_999)
    give_back(world, order)
    told = report(office, capsys)
    assert by_tier(told)["Standard"][:2] == [1, 10_000]
    assert told["total"]["amount_minor"] == in_ledger(world) == order.total_minor


def test_csv_has_amounts_with_decimals_and_a_terminal_each_sum(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    give_back(office.world, order)
    capsys.readouterr()
    words = f"books sales {office.world.event.id}"
    assert office.run(f"{words} --csv") == 0
    text = capsys.readouterr().out
    assert text.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert {row["currency"] for row in rows} == {"EUR"}
    assert sum(float(row["amount"]) for row in rows) == in_ledger(office.world) / 100
    for row in rows:
        assert float(row["net"]) + float(row["vat"]) == pytest.approx(float(row["amount"]))
    assert office.run(words) == 0
    said = capsys.readouterr().out
    assert "Tier Standard: 1 ticket," in said
    assert "VAT 7 %: 1 ticket," in said
    assert "Days of Asia/Tokyo" in said


def test_an_event_without_sales_and_one_that_is_not_there(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(office, capsys)["rows"] == []
    assert office.run("books sales nothing") == 1


def test_a_refund_that_comes_back_is_a_sale_again(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    world = office.world
    order = cancelled_while_pending(world)
    assert report(office, capsys)["total"]["amount_minor"] == in_ledger(world) == 0
    heard(world, order, "failed")
    told = report(office, capsys)
    assert told["total"]["amount_minor"] == in_ledger(world) == order.total_minor
    assert told["total"]["tickets"] == 0  # they stay cancelled


def test_a_refund_on_the_day_of_its_sale_has_rows_of_its_own(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    give_back(office.world, order)
    rows = report(office, capsys)["rows"]
    assert len({row["day"] for row in rows}) == 1
    sold, back = ([row for row in rows if row["kind"] == kind] for kind in ("sale", "refund"))
    assert len(sold) + len(back) == len(rows)
    assert sum(row["amount_minor"] for row in sold) == order.total_minor
    assert sum(row["tickets"] for row in back) == -1
    assert all(row["amount_minor"] < 0 for row in back)
    assert office.run(f"books sales {office.world.event.id}") == 0
    said = capsys.readouterr().out
    assert "Kind sale: 2 tickets, 104.50 EUR" in said
    assert "Kind refund: -1 ticket" in said


def test_what_is_sold_and_given_back_while_it_is_read_is_in_it(
    office: Sale, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = office.world

    def slowly(table: Table, event: str) -> Iterator[Readable[LedgerEntry]]:
        order = ticketed(world)
        (first,) = read_ledger(table, event)
        yield first
        give_back(world, order)
        (both,) = read_ledger(table, event)
        yield Readable(both.records[len(first.records) :])

    monkeypatch.setattr(sales, "read_ledger", slowly)
    told = report(office, capsys)
    assert told["total"]["amount_minor"] == in_ledger(world) > 0
    assert told["total"]["tickets"] == 1


def test_an_order_keeps_the_vat_that_it_was_bought_and_invoiced_with(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before VAT was rounded once a rate it was rounded once a line, and invoices say so."""
    lines = [replace(line, vat_minor=line.vat_minor + 1) for line in order.lines]
    office.world.put(replace(order, lines=lines))
    told = report(office, capsys)
    assert told["total"]["vat_minor"] == 726 + len(lines)
    assert office.run(f"orders list {order.event_id} --json") == 0
    (listed,) = json.loads(capsys.readouterr().out)["orders"]
    assert listed["vat_minor"] == told["total"]["vat_minor"]


def test_an_order_that_is_gone_is_named(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    office.world.table.transact([Delete("reservations", *order.key)])
    assert office.run(f"books sales {order.event_id}") == 1
    assert f"Left out, as it is damaged: {order.pk} {order.sk}" in capsys.readouterr().out


def test_a_place_whose_refund_is_sent_after_that_of_the_rest(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    world = office.world
    world.payments.refuse["refund"] = DependencyUnavailableError("busy")
    with suppress(DependencyUnavailableError):
        give_back(world, order)
    world.payments.refuse.clear()
    world.clock.tick(1)
    cancel(world, now(world, order), "")
    assert report(office, capsys)["total"]["tickets"] == 0  # of both, though one is still owed
    world.clock.tick(60)
    refunder = Refunder(world.table, world.clock, world.payments)
    refunder.send(order.session, order.order_id, order.payment_id or "", 1)
    assert in_ledger(world) == 0
    assert set(report(office, capsys)["total"].values()) == {0}
